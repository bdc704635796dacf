"""A note cut into passages, each for one entry: a section with what is folded into it, or a whole note."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import accumulate, islice

from hippocampus_cli.embedding.digests import digest_of
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.markdown.blocks import Heading, Kind
from hippocampus_cli.text.words import keys
from hippocampus_cli.workspace.kinds import NoteKind, period_of
from hippocampus_cli.workspace.note import Note, Section

Span = tuple[int, int]
_TEXT, _CODE = int(Kind.TEXT), int(Kind.CODE)  # plain numbers are compared for every line


@dataclass(frozen=True)
class Passage:
    """Part of a note. ``section`` is ``None`` for the whole note; ``spans`` are 1-based inclusive lines.

    ``day`` is when it was written. ``names`` of its headings are those of the section and of what is folded in.
    """

    note: Note
    kind: NoteKind
    day: date
    section: Section | None
    spans: tuple[Span, ...]

    @property
    def line(self) -> int:
        """The 1-based line where it starts."""
        return self.section.start if self.section else 1

    @property
    def title(self) -> str:
        """The heading as written, or the note's title; empty where there is neither."""
        return self.section.title if self.section else self.note.title or ""

    def lines(self) -> Iterator[tuple[str, int]]:
        """Each line that says something, with its :class:`Kind`; comments and front matter do not."""
        kinds, lines = self.note.blocks.kinds, self.note.lines
        for start, end in self.spans:
            for at in range(start - 1, end):
                kind = kinds[at]
                if kind != Kind.COMMENT and kind != Kind.FRONT_MATTER:
                    yield lines[at], kind

    @property
    def body(self) -> str:
        """The text without headings, comments, front matter and the marks of code blocks.

        Not kept: the bodies of all passages would take as much room as the notes.
        """
        kinds, lines = self.note.blocks.kinds, self.note.lines
        return "".join(
            line
            for start, end in self.spans
            for line, kind in zip(lines[start - 1 : end], kinds[start - 1 : end], strict=True)
            if kind == _TEXT or (kind == _CODE and not is_fence(line))
        )

    @cached_property
    def subtitles(self) -> tuple[str, ...]:
        """The headings inside, its own not among them."""
        found: list[str] = []
        headings = self.note.blocks.headings
        own = self.line - 1
        for start, end in self.spans:
            first = bisect_left(headings, start - 1, key=_line_of)
            last = bisect_right(headings, end - 1, key=_line_of)
            found += [one.title for one in headings[first:last] if one.title and one.line != own]
        return tuple(found)

    @property
    def size(self) -> int:
        """Characters of the body, white space aside."""
        return self._condensed[0]

    @property
    def digest(self) -> bytes:
        """Equal for passages whose bodies are the same, white space aside."""
        return self._condensed[1]

    @cached_property
    def _condensed(self) -> tuple[int, bytes]:
        said = "".join(self.body.split())
        return len(said), digest_of(said)

    @cached_property
    def weights(self) -> Counter[str]:
        """How often each telling word's key occurs, headings included."""
        return Counter(self._keys())

    @property
    def words(self) -> frozenset[str]:
        """The keys of ``weights``, not kept: of ten thousand passages they take more room than the notes."""
        return frozenset(self._keys())

    def _keys(self) -> Iterator[str]:
        return keys("\n".join((self.title, *self.subtitles, self.body)))


def _line_of(heading: Heading) -> int:
    return heading.line


def is_fence(line: str) -> bool:
    """Whether a line of a code block is one of its marks, with the name of a language perhaps."""
    return line.lstrip().startswith(("```", "~~~"))


_ISO_DAY = re.compile(r"(?<!\d)((?:19|20)\d\d)-([01]\d)-([0-3]\d)(?!\d)")


def day_of(path: str, modified: date, text: str = "") -> date:
    """When a note was written: the day (or the last day of the month) in its name, else the latest day that its text
    speaks of up to ``modified``, else that: after a clone every file is new."""
    if period := period_of(path):
        return period[1]
    spoken = (one for found in _ISO_DAY.finditer(text) if (one := _day(found)) and one <= modified)
    return max(spoken, default=modified)


def _day(found: re.Match[str]) -> date | None:
    try:
        return date(*map(int, found.groups()))
    except ValueError:
        return None


SPLIT_CHARACTERS = 1200
"""A section longer than this is split where it has two subsections or more that are worth it."""
WORTH_CHARACTERS = 160
"""A shorter subsection stays folded into its parent."""
INTRODUCTION_CHARACTERS = 80
"""Text between a title and the first section is worth an entry from this length on."""


def whole(note: Note, kind: NoteKind, day: date) -> Passage:
    """The note as one passage."""
    spans = ((1, len(note.lines)),) if note.lines else ()
    return Passage(note, kind, day, None, spans)


def section_passage(note: Note, kind: NoteKind, day: date, section: Section) -> Passage:
    """One section, its subsections included, as a passage."""
    return Passage(note, kind, day, section, ((section.start, section.tree_end),))


def cut(note: Note, kind: NoteKind, day: date) -> list[Passage]:
    """The note as passages in file order; data, and a note with text in one section only, is one passage.

    Sections below the title (or the topmost ones, where there are several) are the passages; small
    subsections are folded in, and a long section with distinct subsections is split.
    """
    if kind is NoteKind.STATE or len(note.blocks.headings) < 2:
        return [whole(note, kind, day)]
    found = [Passage(note, kind, day, *part) for part in _Cutter(note).run()]
    telling = (passage for passage in found if not passage.body.isspace() and passage.body)
    return found if len(list(islice(telling, 2))) > 1 else [whole(note, kind, day)]


class _Tree(NamedTuple):
    """A section and the positions of its direct subsections."""

    section: Section
    children: list[int]


class _Cutter:
    def __init__(self, note: Note) -> None:
        self.trees: list[_Tree] = []
        self.top: list[int] = []
        self.reached = [0, *accumulate(map(len, note.lines))]
        self._plant([section for section in note.sections if section.level])

    def _plant(self, sections: Sequence[Section]) -> None:
        open_: list[int] = []
        for section in sections:
            while open_ and self.trees[open_[-1]].section.level >= section.level:
                open_.pop()
            (self.trees[open_[-1]].children if open_ else self.top).append(len(self.trees))
            open_.append(len(self.trees))
            self.trees.append(_Tree(section, []))

    def run(self) -> list[tuple[Section, tuple[Span, ...]]]:
        found: list[tuple[Section, tuple[Span, ...]]] = []
        waiting = list(reversed(self.top))
        if len(self.top) == 1:
            title = self.trees[self.top[0]]
            waiting = list(reversed(title.children))
            if self._length(self._own(title)) >= INTRODUCTION_CHARACTERS:
                found.append((title.section, ((title.section.start, title.section.end),)))
        while waiting:
            tree = self.trees[waiting.pop()]
            split = self._split(tree)
            spans = self._kept(tree, split)
            if not split or self._length(spans) >= WORTH_CHARACTERS:
                found.append((tree.section, spans))
            waiting.extend(reversed(split))
        return found

    def _split(self, tree: _Tree) -> list[int]:
        """The subsections that become passages themselves."""
        if self._length((self._all(tree),)) <= SPLIT_CHARACTERS:
            return []
        large = [
            at
            for at in tree.children
            if self._length((self._all(self.trees[at]),)) >= WORTH_CHARACTERS
        ]
        return large if len(large) > 1 else []

    def _kept(self, tree: _Tree, split: list[int]) -> tuple[Span, ...]:
        """The lines of a section that stay its own once ``split`` subsections have left."""
        if not split:
            return (self._all(tree),)
        gone = set(split)
        folded = [self._all(self.trees[at]) for at in tree.children if at not in gone]
        return ((tree.section.start, tree.section.end), *folded)

    def _own(self, tree: _Tree) -> tuple[Span, ...]:
        start = tree.section.start + tree.section.heading_lines
        return ((start, tree.section.end),) if start <= tree.section.end else ()

    @staticmethod
    def _all(tree: _Tree) -> Span:
        return tree.section.start, tree.section.tree_end

    def _length(self, spans: Sequence[Span]) -> int:
        return sum(self.reached[end] - self.reached[start - 1] for start, end in spans)
