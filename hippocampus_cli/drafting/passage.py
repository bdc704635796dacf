"""A passage: what one entry stands for, a section with what is folded into it, or a whole note."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from hippocampus_cli.drafting.words import keys
from hippocampus_cli.embedding.digests import digest_of
from hippocampus_cli.markdown.blocks import Heading, Kind
from hippocampus_cli.workspace.dates import period_of
from hippocampus_cli.workspace.kinds import NoteKind
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


def day_of(path: str, modified: date) -> date:
    """When a note was written: the day (or the last day of the month) in its name, else ``modified``."""
    period = period_of(path)
    return period[1] if period else modified
