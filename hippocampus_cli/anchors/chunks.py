"""A note as chunks (ANCHOR, ``chunk_file``): sections by their ``##`` headings, neither long nor tiny; their stems,
how common each is, and which stand together more often than chance would have them. Pure.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import log
from operator import attrgetter
from typing import NamedTuple, Protocol

from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.redaction.redactor import filled
from hippocampus_cli.text.tokenizer import is_stop, stem_text
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


PLACE = 0.5
"""What a stem of a chunk's place (its path and headings) counts against one of its text."""
_K1, _B = 1.2, 0.5  # how soon more of a stem adds nothing; how much length is held against a chunk


class TokenizedChunk(NamedTuple):
    """A chunk's stems, joined by single spaces: those of its text and those of its place."""

    body: str
    place: str

    @property
    def length(self) -> int:
        """Stems in the text."""
        return self.body.count(" ") + 1 if self.body else 0

    @property
    def stems(self) -> frozenset[str]:
        """Every stem once."""
        return frozenset(self.body.split()).union(self.place.split())

    def shares(self, average: float) -> dict[str, float]:
        """How much each stem stands here: nearly 0 for once in a long text, towards 1 for often in a short one.

        ``average`` is the length of the average chunk in stems.
        """
        counts: dict[str, float] = dict(Counter(self.body.split()))
        for stem in set(self.place.split()):
            counts[stem] = counts.get(stem, 0.0) + PLACE
        drag = self._drag(average)
        return {stem: count / (count + drag) for stem, count in counts.items()}

    def shares_of(self, stems: Iterable[str], average: float) -> Iterator[tuple[str, float]]:
        """The same of some stems, without looking at the others."""
        wanted = frozenset(stems)
        body, place = self.body.split(), self.place.split()
        drag = self._drag(average)
        here = wanted.intersection(place)
        for stem in wanted.intersection(body) | here:
            count = body.count(stem) + PLACE * (stem in here)
            yield stem, count / (count + drag)

    def _drag(self, average: float) -> float:
        return _K1 * (1.0 - _B + _B * self.length / average)


class Lexicon(Protocol):
    """How common stems are among the chunks of a workspace."""

    @property
    def chunks(self) -> int:
        """How many there are."""

    def frequency(self, stem: str) -> int:
        """In how many of them ``stem`` stands."""

    def holding(self, stems: Iterable[str], most: int) -> Sequence[Collection[str]]:
        """The stems of ``most`` chunks in which every one of ``stems`` stands, spread over all of them."""


def worded(chunk: Chunk) -> TokenizedChunk:
    """The stems of a chunk."""
    return TokenizedChunk(stem_text(filled(chunk.text)), stem_text(filled(chunk.place)))


def idf(lexicon: Lexicon, stem: str) -> float:
    """How much a stem says: 0 where it stands in every chunk."""
    times = lexicon.frequency(stem)
    return log(1.0 + max(lexicon.chunks - times + 0.5, 0.0) / (times + 0.5))


def average_length(chunks: Sequence[TokenizedChunk]) -> float:
    """Stems in the average chunk, at least 1."""
    return max(1.0, sum(chunk.length for chunk in chunks) / max(1, len(chunks)))


class Posting(NamedTuple):
    """The chunks a stem stands in, by number in ascending order, and its share of each."""

    chunks: array[int]
    shares: array[float]


_REMEMBERED = 128  # stems whose chunks are held ready: nearly every anchor asks for the common ones


class Corpus:
    """The chunks of a build in memory: a :class:`Lexicon` that knows where each stem stands."""

    def __init__(self, chunks: Sequence[TokenizedChunk], average: float) -> None:
        self.words = chunks
        self.postings: dict[str, Posting] = {}
        self._stems: list[tuple[str, ...]] = []
        self._texts = [f" {one.body}  {one.place} " for one in chunks]
        self.shares_of = lru_cache(_REMEMBERED)(self._shares_of)
        for number, chunk in enumerate(chunks):
            shares = chunk.shares(average)
            self._stems.append(tuple(shares))
            for stem, share in shares.items():
                posting = self.postings.get(stem)
                if posting is None:
                    posting = self.postings[stem] = Posting(array("I"), array("f"))
                posting.chunks.append(number)
                posting.shares.append(share)

    @property
    def chunks(self) -> int:
        return len(self.words)

    def frequency(self, stem: str) -> int:
        posting = self.postings.get(stem)
        return len(posting.chunks) if posting else 0

    def _shares_of(self, stem: str) -> Mapping[int, float]:
        """How much ``stem`` stands in each chunk that has it."""
        posting = self.postings.get(stem)
        return dict(zip(*posting, strict=True)) if posting else {}

    def says(self, chunk: int, keys: Iterable[str]) -> bool:
        """Whether the stems of one of ``keys`` stand in a chunk next to each other."""
        text = self._texts[chunk]
        return any(f" {key} " in text for key in keys)

    def holding(self, stems: Iterable[str], most: int) -> Sequence[Collection[str]]:
        return [self._stems[number] for number in spread(self.with_all(set(stems)), most)]

    def with_all(self, stems: Collection[str]) -> Sequence[int]:
        """The chunks in which every one of ``stems`` stands."""
        lists = [self.postings[stem].chunks for stem in stems if stem in self.postings]
        if not lists or len(lists) < len(stems):
            return ()
        shortest, *others = sorted(lists, key=len)
        if not others:
            return shortest
        kept = set(shortest).intersection(*others)
        return [number for number in shortest if number in kept]


def spread(numbers: Sequence[int], most: int) -> Sequence[int]:
    """At most ``most`` of ``numbers``, evenly from the first to the last."""
    if len(numbers) <= most:
        return numbers
    return [numbers[at * len(numbers) // most] for at in range(most)]


MOST = 8
"""Stems that one anchor keeps company with, at most."""
_SAMPLE = 60  # chunks that are looked at, however many hold the stems
_OFTEN, _FEW = (
    0.05,
    20,
)  # a stem in more of all chunks than this share says too little; in a few it may
_TOGETHER = 0.1  # the least share of the anchor's chunks that a stem of its company stands in
_SURE = 10.83  # log-likelihood ratio (Dunning): chance makes one in a thousand


def company(
    stems: Collection[str], lexicon: Lexicon, but: Collection[str] = ()
) -> dict[str, float]:
    """The stems that stand where all of ``stems`` do, each with how firmly (normalised PMI, 0 to 1).

    Only what chance explains with less than one in a thousand, the firmest ``MOST``; none of ``but``.
    """
    held = lexicon.holding(stems, _SAMPLE)
    if len(held) < 2:
        return {}
    counts: Counter[str] = Counter()
    for one in held:
        counts.update(one)
    total, here = lexicon.chunks, len(held)
    often, least = max(_FEW, total * _OFTEN), max(2, here * _TOGETHER)
    found = []
    for stem, both in counts.items():
        if both < least or stem in stems or stem in but or is_stop(stem):
            continue
        there = max(lexicon.frequency(stem), both)
        if there > often:
            continue
        if both * total > there * here and (sure := _ratio(both, here, there, total)) > _SURE:
            found.append((-sure, stem, both))
    return {
        stem: _bond(both, here, max(lexicon.frequency(stem), both), total)
        for _, stem, both in sorted(found)[:MOST]
    }


def _ratio(both: int, here: int, there: int, total: int) -> float:
    """Dunning's G² of the four fields: with both, with the one, with the other, with neither."""
    neither = max(total - here - there + both, 0)
    rows = ((both, here - both), (there - both, neither))
    columns = (both + there - both, here - both + neither)
    whole = sum(map(sum, rows))
    ratio = 0.0
    for row in rows:
        for count, column in zip(row, columns, strict=True):
            if count:
                ratio += count * log(count * whole / (sum(row) * column))
    return 2.0 * ratio


def _bond(both: int, here: int, there: int, total: int) -> float:
    """Normalised pointwise mutual information: 0 for chance, 1 for never apart."""
    if both >= total:
        return 0.0
    bond = log(both * total / (here * there)) / -log(both / total)
    return round(min(1.0, max(0.0, bond)), 4)
