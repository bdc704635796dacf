"""What an entry is about: a whole note, or a section of it that is worth an entry of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from functools import cached_property

from hippocampus_cli.embedding.digests import digest_of
from hippocampus_cli.entries.worth import SERIES, numbers_alike
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.workspace.kinds import NoteKind, days_in, kind_of, period_of
from hippocampus_cli.workspace.note import Note, Section

_TEXT, _CODE = int(Kind.TEXT), int(Kind.CODE)  # plain numbers are compared for every line
WHOLE = 1200
"""Characters of a note, or of a section, up to which its own entry speaks for all of it."""
_NEARLY_ALL = 0.9  # of a note: such a section needs no entry beside the note's
_NEW = 0.5  # of the lines of many sections: where fewer differ in more than numbers, a program wrote them
WORTH = 160
"""Characters from which a section of a longer note has an entry of its own."""


class Passage(Frozen):
    """Part of a note written on ``day``: all of it, or a ``section``, which has its subsections with it unless
    it is ``direct``."""

    note: Note
    day: date
    section: Section | None = None
    direct: bool = False

    @cached_property
    def kind(self) -> NoteKind:
        """The kind of its note."""
        return kind_of(self.note.path)

    @property
    def end(self) -> int:
        """Its last line, 1-based and inclusive."""
        if self.section is None:
            return len(self.note.lines)
        return self.section.end if self.direct else self.section.tree_end

    @property
    def line(self) -> int:
        """The 1-based line where it starts."""
        return self.section.start if self.section else 1

    @property
    def title(self) -> str:
        """The heading as written, or the note's title; empty where there is neither."""
        return self.section.title if self.section else self.note.title or ""

    @property
    def sections(self) -> list[Section]:
        """The sections inside, its own not among them."""
        return [
            section
            for section in self.note.sections
            if section.level and self.line < section.start <= self.end
        ]

    def lines(self) -> Iterator[tuple[str, int]]:
        """Each line that says something, with its :class:`Kind`; comments, front matter and what hippo wrote itself
        between its marks do not."""
        kinds, lines, own = self.note.blocks.kinds, self.note.lines, False
        for place in range(self.line - 1, self.end):
            if kinds[place] == Kind.COMMENT:
                own = (own or "hippo:begin " in lines[place]) and "hippo:end " not in lines[place]
            elif kinds[place] != Kind.FRONT_MATTER and not own:
                yield lines[place], kinds[place]

    @property
    def body(self) -> str:
        """The text without headings, comments, front matter and the marks of code blocks.

        Not kept: the bodies of all passages would take as much room as the notes.
        """
        return "".join(
            line
            for line, kind in self.lines()
            if kind == _TEXT or (kind == _CODE and not is_fence(line))
        )

    @cached_property
    def content(self) -> tuple[int, bytes]:
        """The characters of the body and a digest of them, white space aside."""
        said = "".join(self.body.split())
        return len(said), digest_of(said)


def is_fence(line: str) -> bool:
    """Whether a line of a code block is one of its marks, with the name of a language perhaps."""
    return line.lstrip().startswith(("```", "~~~"))


def day_of(path: str, modified: date, text: str = "") -> date | None:
    """When a note was written, as it says itself: the day (or the last day of the month) in its name, else the latest
    day that its text speaks of up to ``modified``."""
    if period := period_of(path):
        return period[1]
    return max((day for day in days_in(text) if day <= modified), default=None)


def cut(whole: Passage) -> list[Passage]:
    """The sections of a note that are worth an entry beside its own, in file order; none of a short note or of data.

    The title's own text belongs to the note. A long section is left to its subsections, and to one for what it says
    before them. What a program made has none (:func:`_is_made`).
    """
    note = whole.note
    sections = [section for section in note.sections if section.level]
    if whole.kind is NoteKind.STATE or len(note.text) <= WHOLE or len(sections) < 2:
        return []
    forms = [numbers_alike(section.title, section.title) for section in sections]
    series = Counter(forms)
    made = {form for form in series if series[form] >= SERIES and _is_made(note, form)}
    found = []
    done = 0
    for section, form in zip(sections, forms, strict=True):
        size = _length(note, section.start, section.tree_end)
        if section.start <= done or form in made:
            continue
        divided = section.tree_end > section.end and size > WHOLE
        if divided and _length(note, section.start, section.end) >= WORTH and section.parents:
            found.append(Passage(note, whole.day, section, direct=True))
        elif not divided and WORTH <= size < _NEARLY_ALL * len(note.text):
            found.append(Passage(note, whole.day, section))
        if not divided:
            done = section.tree_end
    return found


def _is_made(note: Note, form: str) -> bool:
    """Whether a program made the many sections whose titles differ in numbers alone: several numbers are a moment;
    one is a count, which people write too (Week 12), but not with the same lines below it."""
    lines = [
        numbers_alike(line, line)
        for section in note.sections
        if numbers_alike(section.title, section.title) == form
        for line in note.lines[section.start : section.tree_end]
        if line.strip()
    ]
    return form.count("0") != 1 or len({*lines}) < _NEW * len(lines)


def _length(note: Note, start: int, end: int) -> int:
    return sum(map(len, note.lines[start - 1 : end]))
