"""One entry with all that belongs to it."""

from __future__ import annotations

from dataclasses import dataclass

from hippocampus_cli.config.settings import Bands
from hippocampus_cli.curation.finding import find
from hippocampus_cli.curation.following import Follower, Lead
from hippocampus_cli.curation.state import EntryState, state_of
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.hierarchy import Hierarchy


@dataclass(frozen=True, slots=True)
class Shown:
    """An entry, what its pointers lead to, and the topics of its relations (``None``: not in the index)."""

    entry: EntryState
    leads: tuple[Lead, ...]
    related: dict[str, str | None]


def show(index: Hierarchy, key: str, clock: DecayClock, bands: Bands, follower: Follower) -> Shown:
    """The entry with the id ``key``. Raises :class:`EntryNotFound`."""
    located = find(index, key)
    leads = tuple(follower.lead(pointer) for pointer in located.entry.pointers)
    related = {}
    for other in located.entry.rel:
        there = index.by_key.get(other)
        related[other] = there.entry.topic if there else None
    return Shown(state_of(located, clock, bands), leads, related)
