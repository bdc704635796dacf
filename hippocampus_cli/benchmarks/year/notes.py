"""The made-up notes as values that remember what they are, so that what moved can be told from what is gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from itertools import count
from typing import NamedTuple

from hippocampus_cli.benchmarks.questions import Gold
from hippocampus_cli.benchmarks.year.facts import Fact
from hippocampus_cli.workspace.titles import fold

_identities = count(1)


@dataclass(eq=False)
class Part:
    """A section: a heading of ``level`` and bullets. ``whole``: the note or the day it was written in."""

    heading: str
    lines: list[str]
    facts: list[Fact] = field(default_factory=list)
    level: int = 2
    identity: int = field(default_factory=_identities.__next__)


@dataclass(eq=False)
class Page:
    """A note: ``path`` is where it stands now. A day that was folded into its month keeps its identity there."""

    path: str
    title: str
    day: date
    parts: list[Part] = field(default_factory=list)
    identity: int = field(default_factory=_identities.__next__)

    @property
    def text(self) -> str:
        """The note as markdown."""
        return f"# {self.title}\n\n" + "\n".join(map(_text, self.parts))

    def place_of(self, part: Part) -> Gold:
        """The lines of a section."""
        start = 3
        for one in self.parts:
            size = len(one.lines) + 3
            if one is part:
                return Gold(self.path, start, start + size - 2)
            start += size
        raise KeyError(part.heading)

    def names(self) -> Iterator[tuple[str, int]]:
        """Every name that a pointer may call a section by, folded, with the section's identity."""
        yield fold(self.title), self.identity
        above = ""
        for part in self.parts:
            if part.level == 2:
                above = part.heading
            else:
                yield fold(f"{above} > {part.heading}"), part.identity
            yield fold(f"{self.title} > {part.heading}"), part.identity
            yield fold(part.heading), part.identity


class Change(NamedTuple):
    """A file written (``text``), moved (``source``) or, with neither, removed."""

    path: str
    text: str | None = None
    source: str | None = None


def _text(part: Part) -> str:
    bullets = "".join(f"- {line}\n" for line in part.lines)
    return f"{'#' * part.level} {part.heading}\n\n{bullets}"
