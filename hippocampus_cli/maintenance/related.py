"""What is related to an entry, a note, or words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.entries.graph import DEEPEST, Graph, RelatedEntry, graph_of
from hippocampus_cli.entries.select import not_found
from hippocampus_cli.errors import UsageError
from hippocampus_cli.maintenance.steps.relations import REMEMBERED, sittings
from hippocampus_cli.query.request import Request
from hippocampus_cli.report.pages import write_over_own
from hippocampus_cli.workspace import journal
from hippocampus_cli.workspace.paths import normal
from hippocampus_cli.workspace.resolve import Notes

if TYPE_CHECKING:
    from hippocampus_cli.index.hierarchy import Hierarchy
    from hippocampus_cli.query.inquirer import Inquirer

_PLACES = 3
"""How many answers to words stand for them."""
_MARKS = (b"graphml.graphdrawing.org", b'{\n "nodes": [')


@dataclass(frozen=True, slots=True)
class Related:
    """What was asked about, as entries, and what is related to them, the strongest first."""

    about: tuple[str, ...]
    related: tuple[RelatedEntry, ...]


def related_to(inquirer: Inquirer, about: str, depth: int, now: datetime) -> Related:
    """What is related to an entry (its id), a note (its path) or words, by ways of at most ``depth`` edges."""
    if not 1 <= depth <= DEEPEST:
        advice = f"give a number from 1 to {DEEPEST}"
        raise UsageError(reason=f"relations cannot be followed {depth} deep", advice=advice)
    index = inquirer.store.read()
    starts = _starts(inquirer, index, about, now)
    return Related(starts, tuple(_graph(inquirer, index, now).related(starts, depth)))


def export_graph(inquirer: Inquirer, file: Path, now: datetime) -> Graph:
    """Write the knowledge graph to ``file``, as GraphML or JSON."""
    graph = _graph(inquirer, inquirer.store.read(), now)
    kind = file.suffix.lower()
    if kind not in (".graphml", ".json"):
        advice = "name it graph.graphml or graph.json"
        raise UsageError(reason=f"unknown kind of graph {file.name!r}", advice=advice)
    text = graph.as_json() if kind == ".json" else graph.as_graphml()
    write_over_own(file, text, _MARKS, "graph")
    return graph


def _graph(inquirer: Inquirer, index: Hierarchy, now: datetime) -> Graph:
    events = journal.read(inquirer.root, now - REMEMBERED)
    past = sorted((event for event in events if event.at <= now), key=lambda event: event.at)
    notes = Notes(inquirer.root, inquirer.config.scan.max_file_bytes)
    return graph_of(index, notes, sittings(past, index))


def _starts(inquirer: Inquirer, index: Hierarchy, about: str, now: datetime) -> tuple[str, ...]:
    """The entry with this id, those that point at this note, or those behind the answers to these words."""
    entry = index.find(about)
    if entry is not None:
        return (entry.key,)
    path = normal(about.replace("\\", "/"))
    if path is not None and path in index.pointers:
        return tuple(dict.fromkeys(located.key for located, _ in index.pointers[path]))
    settings = inquirer.config.query
    request = Request(about, settings.mode, _PLACES, settings.tokens)
    places = inquirer.ask(request, False, now).results
    keys = tuple(dict.fromkeys(place.entry for place in places if place.entry))
    if not keys:
        raise not_found(about, index.by_key)
    return keys
