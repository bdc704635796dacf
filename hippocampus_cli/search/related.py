"""What may stand for a word: by the thesaurus, by the notes' own short forms, or written apart or together."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from hippocampus_cli.search.aliases import Aliases, merged
from hippocampus_cli.search.thesaurus import thesaurus
from hippocampus_cli.search.tokens import forms, is_stop
from hippocampus_cli.search.vocabulary import frequencies

TOGETHER = 0.9
"""How similar ``work space`` and ``workspace`` are."""
_SHORTEST = 5  # letters of what is written together
_PART = 2
_LONGEST = 24


class RelatedWords:
    """All sources of one cache behind the thesaurus' face."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._aliases = Aliases(db)

    def related(self, stems: str) -> dict[str, float]:
        """What ``stems`` is related to, with similarities 0 to 1; empty if nothing is known."""
        return merged(
            thesaurus().related(stems), self._aliases.related(stems), self._respelled(stems)
        )

    def _respelled(self, stems: str) -> dict[str, float]:
        """The same letters with the space put in or left out, where the notes have it so."""
        letters = stems.replace(" ", "")
        if not (_SHORTEST <= len(letters) <= _LONGEST and letters.isascii() and letters.isalpha()):
            return {}
        if " " in stems:
            whole = forms(letters)[0]
            known = stems.count(" ") == 1 and not is_stop(whole) and self._known([whole])
            return {whole: TOGETHER} if known else {}
        cuts = range(_PART, len(stems) - _PART + 1)
        # the stem of "workspace" has lost the letter that the stem of "space" has kept
        pairs = [(stems[:at], end) for at in cuts for end in (stems[at:], f"{stems[at:]}e")]
        begun = self._known(left for left, _ in pairs)
        ended = self._known(end for left, end in pairs if left in begun)
        found = (f"{left} {end}" for left, end in pairs if left in begun and end in ended)
        return {pair: TOGETHER for pair in found if self._stand_together(pair)}

    def _known(self, stems: Iterable[str]) -> set[str]:
        """Those of ``stems`` that stand in the notes."""
        found = frequencies(self._db, stems)
        return {stem for stem, frequency in found.items() if frequency.times}

    def _stand_together(self, pair: str) -> bool:
        query = "SELECT 1 FROM passages WHERE passages MATCH ? LIMIT 1"
        return self._db.execute(query, (f'"{pair}"',)).fetchone() is not None
