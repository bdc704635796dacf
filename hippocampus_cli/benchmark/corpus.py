"""A workspace whose lines are known: which of them are units that can answer, and how long each is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple


class Span(NamedTuple):
    """Lines of a file, 1-based and inclusive; ``score`` compares passages of one answer, where there is one."""

    path: str
    start: int
    end: int
    score: float | None = None


Line = tuple[str, int]
"""A path and a line of it, from 1."""


class Corpus(NamedTuple):
    """``files`` are paths and their lines, without line ends; ``units`` the lines that can be evidence;
    ``sections`` the parts between headings of the second level."""

    files: Mapping[str, Sequence[str]]
    units: frozenset[Line]
    sections: tuple[Span, ...]

    def text(self, span: Span) -> str:
        """The lines of a span, each with its line end."""
        return "".join(f"{line}\n" for line in self.files[span.path][span.start - 1 : span.end])

    def whole(self) -> Iterator[Span]:
        """Every file as a span, by path."""
        return (Span(path, 1, len(self.files[path])) for path in sorted(self.files))
