"""What became of every pointer, judged by what the made-up world knows and the index does not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from bench.year.world import World
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.pointers import Pointer, parse_pointers
from hippocampus_cli.maintenance.actions import Action, Kind


class Broken(NamedTuple):
    """How many pointers are broken. ``marked``: their entry says so; ``lost``: what they meant is elsewhere.

    ``oldest`` is for how many days the oldest one has been so without its entry saying so.
    """

    nowhere: int = 0
    marked: int = 0
    lost: int = 0
    oldest: int = 0


@dataclass
class Following:
    """Looks after the pointers of one index from day to day."""

    world: World
    oldest_ever: int = 0
    right: int = 0
    wrong: list[str] = field(default_factory=list)
    _since: dict[tuple[str, str], date] = field(default_factory=dict)

    def judge(self, actions: Iterable[Action]) -> None:
        """Judge a cycle's repairs: whether what a pointer meant is what it leads to now."""
        for one in actions:
            if one.kind is not Kind.REPOINT:
                continue
            if self._meant(one.before) & self._led(one.after):
                self.right += 1
            else:
                self.wrong.append(f"{one.key}: {one.before} to {one.after} ({one.reason})")

    def look(self, index: Hierarchy, day: date) -> Broken:
        """How the pointers stand at the end of a day."""
        since: dict[tuple[str, str], date] = {}
        marked = lost = oldest = nowhere = 0
        for one in index.entries:
            stale = "stale" in one.entry.values
            for pointer in one.entry.pointers:
                if self.world.identity(pointer.path, pointer.section) is not None:
                    continue
                key = one.entry.id, str(pointer)
                since[key] = self._since.get(key, day)
                nowhere += 1
                marked += stale
                lost += self.world.once(pointer.path, pointer.section) in self.world.living
                oldest = max(oldest, 0 if stale else (day - since[key]).days)
        self._since = since
        self.oldest_ever = max(self.oldest_ever, oldest)
        return Broken(nowhere, marked, lost, oldest)

    def _meant(self, text: str) -> set[int | None]:
        return {self.world.once(one.path, one.section) for one in _read(text)} - {None}

    def _led(self, text: str) -> set[int | None]:
        return {self.world.identity(one.path, one.section) for one in _read(text)} - {None}


def _read(text: str) -> list[Pointer]:
    return list(parse_pointers(text))
