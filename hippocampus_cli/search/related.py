"""What may stand for a word: by the thesaurus, by the notes' own short forms, or written apart or together."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

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

    def __init__(self, db: sqlite3.Connection, asked: Iterable[str] = ()) -> None:
        """``asked`` are words that it will be asked about: looking them up together takes a third of the time."""
        self._db = db
        self._aliases = Aliases(db)
        self._parted([cut for stem in asked if " " not in stem for cut in _cuts(stem)])

    def related(self, stems: str) -> dict[str, float]:
        """What ``stems`` is related to, with similarities 0 to 1; empty if nothing is known."""
        return merged(
            thesaurus().related(stems), self._aliases.related(stems), self._respelled(stems)
        )

    def _respelled(self, stems: str) -> dict[str, float]:
        """The same letters with the space put in or left out, where the notes have it so."""
        if " " not in stems:
            found = self._parted(_cuts(stems))
            return {pair: TOGETHER for pair in found if self._stand_together(pair)}
        letters = stems.replace(" ", "")
        if not _is_plain(letters):
            return {}
        whole = forms(letters)[0]
        known = stems.count(" ") == 1 and not is_stop(whole) and self._known([whole])
        return {whole: TOGETHER} if known else {}

    def _parted(self, cuts: Sequence[tuple[str, str]]) -> list[str]:
        """Those of ``cuts`` whose parts both stand in the notes, with a space between."""
        begun = self._known(left for left, _ in cuts)
        ended = self._known(end for left, end in cuts if left in begun)
        return [f"{left} {end}" for left, end in cuts if left in begun and end in ended]

    def _known(self, stems: Iterable[str]) -> set[str]:
        """Those of ``stems`` that stand in the notes."""
        found = frequencies(self._db, stems)
        return {stem for stem, frequency in found.items() if frequency.times}

    def _stand_together(self, pair: str) -> bool:
        query = "SELECT 1 FROM passages WHERE passages MATCH ? LIMIT 1"
        return self._db.execute(query, (f'"{pair}"',)).fetchone() is not None


def _is_plain(letters: str) -> bool:
    return _SHORTEST <= len(letters) <= _LONGEST and letters.isascii() and letters.isalpha()


def _cuts(stem: str) -> list[tuple[str, str]]:
    """A word cut in two wherever it can be; none of what is short or no plain word."""
    if not _is_plain(stem):
        return []
    cuts = range(_PART, len(stem) - _PART + 1)
    # the stem of "workspace" has lost the letter that the stem of "space" has kept
    return [(stem[:at], end) for at in cuts for end in (stem[at:], f"{stem[at:]}e")]
