"""Cutting a note into passages: sections that are worth an entry of their own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import accumulate, islice

from hippocampus_cli.drafting.passage import Passage, Span
from hippocampus_cli.light import NamedTuple
from hippocampus_cli.workspace.kinds import NoteKind
from hippocampus_cli.workspace.note import Note, Section

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
