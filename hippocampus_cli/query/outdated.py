"""Lines of notes that somebody who read them called outdated: known by their words, wherever they stand now.

A mark follows its lines through edits around them and moves, and ends with them. A bullet, a paragraph, a
row is marked as one: what has some of its lines only is another. The file has a line a mark:

- ``path`` says where the lines stood when they were marked, for a person who reads the file;
- ``sha`` are the hashes of their words, by which they are known again;
- ``by`` and ``day`` say who marked it, and when.

A place is shown as outdated where a line is marked that has much of the question, or was judged for it, and no
such line of it was said to hold: what was added or changed since speaks for itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.markdown.blocks import fence_of
from hippocampus_cli.query.places import Place, Snapshot
from hippocampus_cli.query.series import lines_of
from hippocampus_cli.text.passages import units_of
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.text.terms import telling_terms, terms
from hippocampus_cli.workspace.commit import read_or_none
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.own_files import OUTDATED
from hippocampus_cli.workspace.state import encoded, rows

_QUOTED = 60  # characters of a line
_SAME = 0.8  # of the terms of two questions
_SIGNS = pattern(r"[\s*_`~>#|-]+|,\s*$")


class Mark(NamedTuple):
    """Lines that are one: their note when they were marked, the hashes of their words, who said so, the day; ``now``
    is the hash of the line that holds instead; ``asked`` are the hashes of the terms of the question that was judged.
    Without ``now`` the lines are not outdated then: they answer that question."""

    path: str
    sha: str
    by: str
    day: str
    now: str = ""
    asked: str = ""


def unit_at(note: Note, line: int) -> tuple[int, int] | None:
    """First and last line of the bullet, paragraph or row at a line, at a heading of the first below, which is a row
    where there is a table alone. A fence, or the end of a list alone, is none."""
    texts = ((s.start + s.heading_lines, s.end) for s in note.sections if s.start <= line)
    start, end = max(texts, default=(1, len(note.lines)))
    row = None
    for first, last in units_of(note.lines, start, end):
        if line < start or first <= line <= last:
            said = lines_of(note.text_of(max(first, line), last))
            if not all(map(fence_of, said)):
                if first <= line or not note.lines[first - 1].startswith("|"):
                    return first, last
                row = row or (first, last)
    return row


def digest(line: str) -> str:
    """The hash of a line's words; marks of markdown, blanks and a comma at the end do not count: the last object of a
    list has none, until there is another."""
    words = _SIGNS.sub(" ", line.casefold()).strip()
    return hashlib.sha256(words.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def digests(text: str) -> str:
    """The hashes of the lines of a text, as a mark has them."""
    return " ".join(map(digest, lines_of(text)))


def read_marks(data: bytes | None) -> Iterator[Mark]:
    """The marks of the file; a line that cannot be read is skipped."""
    return rows((data or b"").splitlines(), lambda row: Mark(**row))


def written(marks: Iterable[Mark]) -> bytes:
    """Marks as lines of the file."""
    return b"".join(encoded(mark._asdict()) for mark in marks)


def said_again(data: bytes, text: str) -> bytes:
    """The file without the marks of lines that a text says again; what was said to answer a question goes on doing
    so."""
    lines = {*map(digest, lines_of(text))}
    marks = [*read_marks(data)]
    left = [m for m in marks if (m.asked and not m.now) or not _stands_in(lines, m.sha)]
    return written(left) if len(left) < len(marks) else data


def asked_of(question: str) -> str:
    """A question as a mark names it, by the hashes of its terms: what was asked is nobody else's business."""
    return " ".join(sorted(map(digest, telling_terms(question))))


class Marks:
    """The marks of a workspace, for one question."""

    def __init__(self, root: Path, question: str) -> None:
        marks = [*read_marks(read_or_none(root, OUTDATED))]
        self._terms = {*telling_terms(question)}
        asked = {*map(digest, self._terms)}
        self._marks = {mark.sha: mark for mark in marks if mark.now or not mark.asked}
        judged = ((mark.sha, {*mark.asked.split()}) for mark in marks if mark.asked)
        self._judged = {sha for sha, of in judged if len(of & asked) >= _SAME * len(of | asked)}
        self._answers = self._judged - self._marks.keys()
        self._current = {mark.now for mark in marks} - self._marks.keys() | self._answers

    def reason(self, text: str) -> str:
        """Who called a text outdated, where a line is marked that has much of the question, and none that has holds;
        empty for nobody."""
        lines = {digest(line): line for line in lines_of(text)}
        most = max((len(self._terms & {*terms(line)}) for line in lines.values()), default=0)
        for sha in (*self._current, *self._marks):
            if _stands_in(lines, sha):
                told = " ".join(lines[line].strip() for line in sha.split())
                if sha in self._judged or 2 * len(self._terms & {*terms(told)}) >= most:
                    mark, told = self._marks.get(sha), shorten(told, _QUOTED)
                    return f"outdated (“{told}”), said by {mark.by} on {mark.day}" if mark else ""
        return ""

    def ordered(self, places: Sequence[Place], snapshot: Snapshot) -> list[Place]:
        """The places, best first: what was said to answer this question; what holds in the place of what it came
        instead of."""
        lines = [{*map(digest, lines_of(snapshot.text_of(place)))} for place in places]
        ranks: dict[str, float] = dict.fromkeys(self._answers, -1.0)
        for rank, known in enumerate(lines):
            for sha, mark in self._marks.items():
                if _stands_in(known, sha):
                    ranks.setdefault(mark.now, rank - 0.5)
        order = [
            min((rank, *(ranks[sha] for sha in ranks if _stands_in(known, sha))))
            for rank, known in enumerate(lines)
        ]
        return [places[rank] for rank in sorted(range(len(places)), key=order.__getitem__)]


def _stands_in(lines: Collection[str], sha: str) -> bool:
    """Whether all lines with these hashes are among those of a text."""
    return sha != "" and all(line in lines for line in sha.split())
