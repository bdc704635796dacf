"""What is related to an entry, a note, or words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from hippocampus_cli.config import Config
from hippocampus_cli.entries.graph import DEEPEST, Edge, RelatedEntry, edges_of, related
from hippocampus_cli.entries.select import not_found
from hippocampus_cli.errors import UsageError
from hippocampus_cli.maintenance.steps.relations import REMEMBERED, sittings
from hippocampus_cli.workspace import journal
from hippocampus_cli.workspace.paths import normal
from hippocampus_cli.workspace.resolve import Notes
from hippocampus_cli.workspace.store import IndexStore

if TYPE_CHECKING:
    from hippocampus_cli.index.hierarchy import Hierarchy
    from hippocampus_cli.query.results import Result

_PLACES = 3
"""How many answers to words stand for them."""
Asked = Callable[[str, int], "Sequence[Result]"]
"""The answers to words, so many at most; nothing counts as a retrieval."""


@dataclass(frozen=True, slots=True)
class Related:
    """What was asked about, as entries, and what is related to them, the strongest first."""

    about: tuple[str, ...]
    related: tuple[RelatedEntry, ...]


def related_to(
    store: IndexStore, config: Config, about: str, depth: int, now: datetime, asked: Asked
) -> Related:
    """What is related to an entry (its id), a note (its path) or words, by ways of at most ``depth`` edges.

    Only words are ``asked``: nothing is written for an entry or a note.
    """
    if not 1 <= depth <= DEEPEST:
        advice = f"give a number from 1 to {DEEPEST}"
        raise UsageError(reason=f"relations cannot be followed {depth} deep", advice=advice)
    index = store.read()
    starts = _starts(index, about, asked)
    edges = _edges(store, config, index, now)
    return Related(starts, tuple(related(index, edges, starts, depth)))


def _edges(store: IndexStore, config: Config, index: Hierarchy, now: datetime) -> Iterator[Edge]:
    events = journal.read(store.root, now - REMEMBERED)
    past = sorted((event for event in events if event.at <= now), key=lambda event: event.at)
    notes = Notes(store.root, config.scan.max_file_bytes)
    return edges_of(index, notes, sittings(past, index))


def _starts(index: Hierarchy, about: str, asked: Asked) -> tuple[str, ...]:
    """The entry with this id, those that point at this note, or those behind the answers to these words."""
    entry = index.find(about)
    if entry is not None:
        return (entry.key,)
    path = normal(about.replace("\\", "/"))
    if path is not None and path in index.pointers:
        return tuple(dict.fromkeys(located.key for located, _ in index.pointers[path]))
    keys = tuple(dict.fromkeys(place.entry for place in asked(about, _PLACES) if place.entry))
    if not keys:
        raise not_found(about, index.by_key)
    return keys
