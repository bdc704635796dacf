"""A note as passages: the pieces that a search finds and an answer shows.

A passage is some lines under one heading, of about :data:`FULL` characters: paragraphs and bullets are put together
until it is full, a bullet that says enough stands by itself. Code and tables are kept together longer. A line that is
longer than two passages is cut at blanks, so several passages may be of one line. Headings without text belong to the
passage that follows them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.workspace.note import Note, Section

FULL = 420
"""Characters of a full passage; half as many of a writing that takes three bytes for each."""
ENOUGH, TURN = 300, 120
"""Characters of a bullet that is a passage of its own, and of one with a label: a turn of a talk, or a value."""
_TOGETHER = 2.2  # times: the size of a full code block or paragraph
_BREAK = pattern(r"\s*(?:[-*+•]|\d{1,9}[.)])\s|\||\*\*")
_RULE = pattern(r"\s*(?:[-*_]\s*){3,}")  # a line that only divides
_TOP_BULLET = pattern(r"(?:[-*+•]|\d{1,9}[.)])\s")
_LABELLED = pattern(r"[-*+•]\s+(?:\*\*)?[^\s:*][^:*\n]{0,40}(?:\*\*)?:")
_CODE = int(Kind.CODE)
_BLANKS = " \t"


class Passage(NamedTuple):
    """``start`` and ``end`` are lines, 1-based and inclusive; ``headings`` are the titles above, outermost first;
    ``section`` is the ordinal of the note's section; ``text`` is those lines, or a part of the one line."""

    start: int
    end: int
    headings: tuple[str, ...]
    section: int
    text: str


def passages_of(note: Note) -> list[Passage]:
    """The passages of ``note`` in the order of its lines."""
    found: list[Passage] = []
    pending = 0  # the line of the first of some headings that no passage has yet
    for section in _with_front(note):
        headings = (*section.parents, section.title) if section.level else ()
        first = section.start + section.heading_lines
        pending = pending or section.start
        for begin, end in _blocks(note.lines, note.blocks.kinds, first, section.end):
            found += _passages(note.lines, pending or begin, end, headings, section.ordinal)
            pending = 0
    if not found and note.text.strip():  # nothing but headings
        found += _passages(note.lines, 1, len(note.lines), (), 0)
    return found


def units_of(lines: Sequence[str], start: int, end: int) -> Iterator[tuple[int, int]]:
    """First and last line of each bullet, table row, paragraph and inner object of JSON in lines ``start`` to
    ``end``."""
    first = 0
    for number in range(start, end + 2):
        line = lines[number - 1] if number <= end else ""
        text = line.lstrip()
        if first and (not text or text[0] == "{" != line[0] or _BREAK.match(line)):
            yield first, number - 1
            first = 0
        first = first or (number if text else 0)


def _with_front(note: Note) -> Iterator[Section]:
    """The sections, those of the front matter first."""
    end = next((at for at, kind in enumerate(note.blocks.kinds) if kind != Kind.FRONT_MATTER), 0)
    if end:
        yield Section(0, 0, "", (), 1, end, end, 0)
    yield from note.sections


def _blocks(
    lines: Sequence[str], kinds: Sequence[int], start: int, end: int
) -> Iterator[tuple[int, int]]:
    """First and last line of each block in lines ``start`` to ``end``."""
    first, size, last = 0, 0, 0
    for number in range(start, end + 1):
        line, code = lines[number - 1], kinds[number - 1] == _CODE
        if not line.strip() or (kinds[number - 1] == Kind.TEXT and _RULE.fullmatch(line)):
            size += first > 0
            continue
        length = size_of(line)
        enough = TURN if first and _LABELLED.match(lines[first - 1]) else ENOUGH
        # a bullet that says enough stands by itself; what is full ends where the text does, and later anywhere
        is_full = size + length > FULL and (
            size > FULL * _TOGETHER
            or (not code and (last < number - 1 or bool(_BREAK.match(line))))
        )
        if first and (is_full or (size >= enough and not code and _TOP_BULLET.match(line))):
            yield first, last
            first, size = 0, 0
        first = first or number
        size += length
        last = number
    if first:
        yield first, last


def _passages(
    lines: Sequence[str], start: int, end: int, headings: tuple[str, ...], section: int
) -> Iterator[Passage]:
    text = "".join(lines[start - 1 : end]).rstrip("\r\n")
    if size_of(text) <= FULL * _TOGETHER * 1.5:
        yield Passage(start, end, headings, section, text)
        return
    for number in range(start, end + 1):
        line = lines[number - 1].rstrip("\r\n")
        if line.strip():
            for piece in _pieces(line):
                yield Passage(number, number, headings, section, piece)


def _pieces(line: str) -> Iterator[str]:
    """A long line cut at blanks."""
    begin, width = 0, max(40, int(FULL * len(line) / size_of(line)))
    while len(line) - begin > 2 * width:
        cut = max(line.rfind(blank, begin + width // 2, begin + width) for blank in _BLANKS)
        cut = cut if cut > 0 else begin + width
        yield line[begin:cut]
        begin = cut
    yield line[begin:]


def size_of(text: str) -> int:
    """Characters, of which those of three bytes count two: about as many make a token."""
    if text.isascii():
        return len(text)
    return (len(text) + len(text.encode("utf-8", "surrogatepass"))) // 2
