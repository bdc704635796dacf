"""The made-up workspace: notes that remember what they are, what they were called, and the changes of a day."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import count
from typing import NamedTuple

from bench.questions import Place
from bench.year.facts import Fact
from hippocampus_cli.workspace.note import fold

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

    def place_of(self, part: Part) -> Place:
        """The lines of a section."""
        start = 3
        for one in self.parts:
            size = len(one.lines) + 3
            if one is part:
                return Place(self.path, start, start + size - 2)
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


class World:
    """Every note there is. ``meant`` is what each name that a pointer may have used stood for."""

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}
        self.meant: dict[tuple[str, str], int] = {}
        self.living: set[int] = set()
        self._names: dict[str, dict[str, int]] = {}
        self._homes: dict[int, tuple[Page, Part]] = {}
        self._changes: list[Change] = []

    def taken(self) -> list[Change]:
        """The changes since the last time, in their order."""
        changes, self._changes = self._changes, []
        return changes

    def write(self, page: Page) -> None:
        """Write a note, new or changed."""
        self._register(page)
        self._changes.append(Change(page.path, page.text))

    def move(self, page: Page, path: str) -> None:
        """Rename a note."""
        self._forget(page)
        self._changes.append(Change(path, source=page.path))
        page.path = path
        self._register(page)

    def move_folder(self, old: str, new: str) -> None:
        """Rename a folder; both end with a slash."""
        for page in [page for path, page in self.pages.items() if path.startswith(old)]:
            self.move(page, new + page.path.removeprefix(old))

    def remove(self, page: Page) -> None:
        """Delete a note."""
        self._forget(page)
        self.living -= {page.identity, *(part.identity for part in page.parts)}
        for part in page.parts:
            for fact in part.facts:
                self._homes.pop(fact.number, None)
        self._changes.append(Change(page.path))

    def fold(self, days: Sequence[Page], into: Page) -> None:
        """Put whole days, as sections, into one note and remove theirs."""
        for day in days:
            self._forget(day)
            into.parts.append(Part(day.title, [], level=2, identity=day.identity))
            for part in day.parts:
                part.level = 3
                into.parts.append(part)
            self._changes.append(Change(day.path))
        self.write(into)

    def gold(self, fact: Fact) -> Place | None:
        """Where a fact stands now; ``None`` where it is gone."""
        home = self._homes.get(fact.number)
        return home[0].place_of(home[1]) if home else None

    def identity(self, path: str, section: str | None) -> int | None:
        """What stands at this path under this name now."""
        page = self.pages.get(path)
        if page is None or section is None:
            return page.identity if page else None
        return self._names[path].get(fold(section))

    def once(self, path: str, section: str | None) -> int | None:
        """What a pointer meant when it was right."""
        return self.meant.get((path, fold(section or "")))

    def choose(self, fits: Callable[[Page], bool]) -> list[Page]:
        """The notes that fit, by path."""
        return [page for _, page in sorted(self.pages.items()) if fits(page)]

    def _register(self, page: Page) -> None:
        self.pages[page.path] = page
        names = self._names[page.path] = {}
        self.meant[page.path, ""] = page.identity
        for name, identity in page.names():
            names.setdefault(name, identity)
        for name, identity in names.items():
            self.meant[page.path, name] = identity
        self.living |= {page.identity, *(part.identity for part in page.parts)}
        for part in page.parts:
            for fact in part.facts:
                self._homes[fact.number] = page, part

    def _forget(self, page: Page) -> None:
        del self.pages[page.path], self._names[page.path]
