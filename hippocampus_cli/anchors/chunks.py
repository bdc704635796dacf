"""A note as chunks: sections by their ``##`` headings, neither long nor tiny (ANCHOR, ``chunk_file``). Pure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from hippocampus_cli.index.budget import tokens
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.workspace.kinds import kind_of
from hippocampus_cli.workspace.note import Note

PREVIEW = 100
"""Characters of a preview: a longer one is cut there."""


class Span(NamedTuple):
    """1-based lines of a note, both inclusive."""

    start: int
    end: int


class Chunk(NamedTuple):
    """A stretch of a note. ``place`` is what says where it stands: the path, the headings above, its own."""

    path: str
    start: int
    end: int
    source: str
    text: str
    place: str

    @property
    def span(self) -> Span:
        """Its lines."""
        return Span(self.start, self.end)

    @property
    def preview(self) -> str:
        """Its beginning on one line."""
        return " ".join(self.text[: 4 * PREVIEW].split())[:PREVIEW]


class Size(NamedTuple):
    """Of a chunk in tokens: above ``most`` a section is split, below ``least`` a chunk is joined."""

    most: int
    least: int


def chunks_of(note: Note, size: Size) -> list[Chunk]:
    """The chunks of a note in file order; every line of every section stands in exactly one."""
    return [chunk_at(note, span) for span in spans(note, size)]


def chunk_at(note: Note, span: Span) -> Chunk:
    """The chunk of these lines."""
    text = note.text_of(span.start, span.end)
    return Chunk(note.path, *span, str(kind_of(note.path)), text, _place(note, span))


def spans(note: Note, size: Size) -> list[Span]:
    """The lines of each chunk, in file order."""
    split = [part for whole in _sections(note) for part in _split(note, whole, size.most)]
    return _joined(note, split, size)


def _sections(note: Note) -> Iterator[Span]:
    """The text under each heading of level 2 or above, with what stands below deeper headings."""
    start, end = 0, 0
    for section in note.sections:
        if section.level <= 2 and start:
            yield Span(start, end)
            start = 0
        start, end = start or section.start, section.end
    if start:
        yield Span(start, end)


def _split(note: Note, whole: Span, most: int) -> Iterator[Span]:
    """``whole`` in parts of at most ``most`` tokens, cut between paragraphs; a longer paragraph between lines.

    Code in a fence is never cut, so a part that holds some may be longer.
    """
    if _tokens(note, whole) <= most:
        yield whole
        return
    start = end = 0
    for piece in _pieces(note, whole, most):
        if start and _tokens(note, Span(start, piece.end)) > most:
            yield _trimmed(note, Span(start, end))
            start = 0
        start, end = start or piece.start, piece.end
    if start:
        yield _trimmed(note, Span(start, end))


def _pieces(note: Note, whole: Span, most: int) -> Iterator[Span]:
    for paragraph in _cut(note, whole, _begins_paragraph):
        if _tokens(note, paragraph) <= most:
            yield paragraph
        else:
            yield from _cut(note, paragraph, _may_begin)


def _cut(note: Note, whole: Span, begins: Callable[[Note, int], bool]) -> Iterator[Span]:
    start = whole.start
    for line in range(whole.start + 1, whole.end + 1):
        if begins(note, line):
            yield Span(start, line - 1)
            start = line
    yield Span(start, whole.end)


def _may_begin(note: Note, line: int) -> bool:
    """Whether a piece may begin at this 1-based line: not within code, nor under the heading of it."""
    kind, before = note.blocks.kinds[line - 1], note.blocks.kinds[line - 2]
    return before != Kind.HEADING and (kind not in (Kind.CODE, Kind.COMMENT) or kind != before)


def _begins_paragraph(note: Note, line: int) -> bool:
    if not _may_begin(note, line):
        return False
    heading = note.blocks.kinds[line - 1] == Kind.HEADING
    return heading or (bool(note.lines[line - 1].strip()) and not note.lines[line - 2].strip())


def _joined(note: Note, split: Sequence[Span], size: Size) -> list[Span]:
    """Short parts joined with a neighbour: with the shorter one, so that chunks stay even."""
    parts = list(split)
    lengths = [_tokens(note, part) for part in parts]
    at = 0
    while at < len(parts) and len(parts) > 1:
        if lengths[at] >= size.least:
            at += 1
            continue
        before = lengths[at - 1] if at else None
        after = lengths[at + 1] if at + 1 < len(parts) else None
        first = at - 1 if after is None or (before is not None and before < after) else at
        parts[first : first + 2] = [Span(parts[first].start, parts[first + 1].end)]
        lengths[first : first + 2] = [_tokens(note, parts[first])]
        at = first
    return parts


def _trimmed(note: Note, span: Span) -> Span:
    end = span.end
    while end > span.start and not note.lines[end - 1].strip():
        end -= 1
    return Span(span.start, end)


def _tokens(note: Note, span: Span) -> int:
    return tokens(note.text_of(*span))


def _place(note: Note, span: Span) -> str:
    """The path without its ending, the headings above, and once more those of the chunk itself."""
    first = bisect_left(note.sections, span.start, key=attrgetter("start"))
    end = bisect_right(note.sections, span.end, key=attrgetter("start"))
    inside = note.sections[first:end]
    own = [section.title for section in inside]
    above: tuple[str, ...] = ()
    if inside:
        above = inside[0].parents
    elif first:
        above = (*note.sections[first - 1].parents, note.sections[first - 1].title)
    folder, slash, name = note.path.rpartition("/")
    bare = name.rpartition(".")[0] or name
    return "\n".join((folder + slash + bare, *filter(None, (*above, *own))))
