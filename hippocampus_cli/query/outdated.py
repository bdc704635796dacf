"""Lines of notes that somebody who read them called outdated: known by their words, wherever they stand now.

A mark follows its line through edits around it and moves, and ends with it. The file has a line a mark:

- ``path`` says where the line stood when it was marked, for a person who reads the file;
- ``sha`` is the hash of its words, by which it is known again;
- ``by`` and ``day`` say who marked it, and when.

A place is shown as outdated where a line is marked that has much of the question, or was judged for it, and no line
of it was said to hold: what was added or changed since speaks for itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.query.places import Place
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.text.terms import telling_terms, terms
from hippocampus_cli.workspace.commit import read_or_none
from hippocampus_cli.workspace.own_files import OUTDATED
from hippocampus_cli.workspace.state import IF_SENSIBLE

if TYPE_CHECKING:
    from hippocampus_cli.query.reader import PlaceReader

_QUOTED = 60  # characters of a line
_SAME = 0.8  # of the terms of two questions
_SIGNS = pattern(r"[\s*_`~>#|-]+")


class Mark(NamedTuple):
    """One line: its note when it was marked, the hash of its words, who said so, the day; ``now`` is the hash of the
    line that holds instead; ``asked`` are the hashes of the terms of the question that was judged. Without
    ``now`` the line is not outdated then: it answers that question."""

    path: str
    sha: str
    by: str
    day: str
    now: str = ""
    asked: str = ""


def lines_of(text: str) -> Iterator[str]:
    """The lines of a text that say something, headings aside."""
    for line in text.splitlines():
        if not line.lstrip().startswith("#") and any(map(str.isalnum, line)):
            yield line


def digest(line: str) -> str:
    """The hash of a line's words; marks of markdown and blanks do not count."""
    words = _SIGNS.sub(" ", line.casefold()).strip()
    return hashlib.sha256(words.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def read_marks(data: bytes | None) -> Iterator[Mark]:
    """The marks of the file; a line that cannot be read is skipped."""
    for line in (data or b"").splitlines():
        with IF_SENSIBLE:
            yield Mark(**json.loads(line))


def written(marks: Iterable[Mark]) -> bytes:
    """Marks as lines of the file."""
    return "".join(f"{json.dumps(mark._asdict())}\n" for mark in marks).encode()


def asked_of(question: str) -> str:
    """A question as a mark names it, by the hashes of its terms: what was asked is nobody else's business."""
    return " ".join(sorted(map(digest, telling_terms(question))))


class Marks:
    """The marks of a workspace, for one question."""

    def __init__(self, root: Path, question: str) -> None:
        marks = [*read_marks(read_or_none(root, OUTDATED))]
        asked = {*asked_of(question).split()}
        self._terms = {*telling_terms(question)}
        self._marks = {mark.sha: mark for mark in marks if mark.now or not mark.asked}
        self._judged = {m.sha for m in marks if m.asked and _is_same({*m.asked.split()}, asked)}
        self._answers = self._judged - self._marks.keys()
        self._current = {mark.now for mark in marks} - self._marks.keys() | self._answers

    def reason(self, text: str) -> str:
        """Who called a text outdated, where a line is marked that has much of the question, and none holds; empty for
        nobody."""
        lines = {digest(line): line for line in lines_of(text)}
        if self._current & lines.keys():
            return ""
        counts = {sha: len(self._terms & {*terms(line)}) for sha, line in lines.items()}
        most = max(counts.values(), default=0)
        for sha, line in lines.items():
            if sha in self._marks and (sha in self._judged or 2 * counts[sha] >= most):
                mark, told = self._marks[sha], shorten(line, _QUOTED)
                return f"outdated (“{told}”), said by {mark.by} on {mark.day}"
        return ""

    def ordered(self, places: Sequence[Place], reader: PlaceReader) -> list[Place]:
        """The places, best first: what was said to answer this question; what holds in the place of what it came
        instead of."""
        lines = [{digest(line) for line in lines_of(reader.text_of(place))} for place in places]
        ranks: dict[str, float] = dict.fromkeys(self._answers, -1.0)
        for rank, known in enumerate(lines):
            for sha in known & self._marks.keys():
                ranks.setdefault(self._marks[sha].now, rank - 0.5)

        def order(rank: int) -> float:
            return min((rank, *(ranks[sha] for sha in lines[rank] & ranks.keys())))

        return [places[rank] for rank in sorted(range(len(places)), key=order)]


def _is_same(question: set[str], other: set[str]) -> bool:
    """Whether two questions have nearly the same terms."""
    return len(question & other) >= _SAME * len(question | other)
