"""Questions beside notes: ``questions.jsonl``, a question a line, with words of the notes that answer it.

``{"id", "kind", "question", "cue", "gold": [{"path", "text"}], "stale": [{"path", "text"}]}``: ``cue`` is the same
in one to three words, ``stale`` are words that answered once. Kind ``absent`` has no ``gold``, ``multi`` needs all
of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from bench.corpora.notes import lines_of
from bench.dataset import Case, Quote, Reader
from bench.metrics import Corpus
from hippocampus_cli.errors import FileUnreadable

ABSENT, MULTI = "absent", "multi"
KINDS = ("fact", "paraphrase", "people", "changed", MULTI, "typo", "other-language", ABSENT)
"""Those that are usual, in the order of tables; there may be others."""
_ADVICE = "correct the question; bench/corpora/questions.py says what one looks like"


def read_questions(
    file: Path, corpus: Corpus, word: str = "question", *, lenient: bool = False
) -> tuple[Case, ...]:
    """The questions of ``file``, asked by their ``word``, ``question`` or ``cue``; those without are left out.

    What answers has to stand in the notes; where they are not one's own (``lenient``) the question is left out.
    Raises :class:`FileUnreadable`, :class:`DatasetInvalid`.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        raise FileUnreadable(path=str(file), reason=reason) from error
    reader = _Questions(file, _ADVICE)
    rows = [(at, line) for at, line in enumerate(text.split("\n"), 1) if line.strip()]
    cases = (case for at, line in rows for case in reader.cases(at, line, word))
    return tuple(one for case in cases for one in reader.placed(case, corpus, lenient=lenient))


def kinds_of(cases: Iterable[Case]) -> tuple[str, ...]:
    """The kinds that there are, the usual ones first."""
    there = dict.fromkeys(case.kind for case in cases)
    return (*filter(there.__contains__, KINDS), *(one for one in there if one not in KINDS))


class _Questions(Reader):
    def cases(self, at: int, line: str, word: str) -> Iterator[tuple[int, Case]]:
        """The question in line ``at``, if it has the ``word``."""
        try:
            row = self.mapping(json.loads(line), "the line")
        except ValueError as error:
            raise self.refusal(str(error), at) from error
        kind, id, text = row.get("kind"), row.get("id"), row.get(word, "")
        if not (isinstance(kind, str) and kind and isinstance(id, str)):
            raise self.refusal("a question has an id and a kind", at)
        if not isinstance(text, str):
            raise self.refusal("a question is a text", at)
        gold, stale = (tuple(self._quotes(row, key, at)) for key in ("gold", "stale"))
        if (kind == ABSENT) == bool(gold):
            raise self.refusal("all but absent ones have gold", at)
        if text.strip():
            yield at, Case(text, (), kind, 0, gold, stale, id=id)

    def _quotes(self, row: dict[str, Any], key: str, at: int) -> Iterator[Quote]:
        for one in self.sequence(row.get(key, []), key):
            given = self.mapping(one, key)
            if not isinstance(given.get("path"), str) or not given.get("text"):
                raise self.refusal(f"{key} has a path and a text", at)
            yield Quote(given["path"], str(given["text"]))

    def placed(self, row: tuple[int, Case], corpus: Corpus, *, lenient: bool) -> Iterator[Case]:
        """The question with the lines that answer it."""
        at, case = row
        missing = [one for one in (*case.gold, *case.stale) if not lines_of(corpus, one)]
        if missing and not lenient:
            path, text = missing[0]
            raise self.refusal(f"{path} does not say {text[:60]!r}", at)
        if not missing:
            places = tuple(lines_of(corpus, one) for one in case.gold)
            yield case._replace(right=places, sides=places if case.kind == MULTI else ())
