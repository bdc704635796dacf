"""What is related to an entry, a note, or words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.entries.graph import DEEPEST, Graph, RelatedEntry, graph_of
from hippocampus_cli.entries.select import not_found
from hippocampus_cli.errors import UsageError
from hippocampus_cli.maintenance.steps.relations import REMEMBERED, sittings
from hippocampus_cli.report.pages import write_over_own
from hippocampus_cli.workspace import journal
from hippocampus_cli.workspace.paths import normal
from hippocampus_cli.workspace.resolve import Notes

if TYPE_CHECKING:
    from hippocampus_cli.api.entries import Entries
    from hippocampus_cli.index.hierarchy import Hierarchy
    from hippocampus_cli.query.results import QueryResult

_PLACES = 3
"""How many answers to words stand for them."""
_MARKS = (b"graphml.graphdrawing.org", b'{\n "nodes": [')


@dataclass(frozen=True, slots=True)
class Related:
    """What was asked about, as entries, and what is related to them, the strongest first."""

    about: tuple[str, ...]
    related: tuple[RelatedEntry, ...]


def related(workspace: Entries, about: str, depth: int, now: datetime) -> Related:
    """As :meth:`Workspace.related`."""
    if not 1 <= depth <= DEEPEST:
        advice = f"give a number from 1 to {DEEPEST}"
        raise UsageError(reason=f"relations cannot be followed {depth} deep", advice=advice)
    index = workspace.index()
    starts = _starts(workspace, index, about, now)
    return Related(starts, tuple(_graph(workspace, index, now).related(starts, depth)))


def export_graph(workspace: Entries, file: Path, now: datetime) -> Graph:
    """As :meth:`Workspace.export_graph`."""
    graph = _graph(workspace, workspace.index(), now)
    if file.suffix.lower() not in (".graphml", ".json"):
        advice = "name it graph.graphml or graph.json"
        raise UsageError(reason=f"unknown kind of graph {file.name!r}", advice=advice)
    text = graph.as_json() if file.suffix.lower() == ".json" else graph.as_graphml()
    write_over_own(file, text, _MARKS, "graph")
    return graph


def _graph(workspace: Entries, index: Hierarchy, now: datetime) -> Graph:
    events = sorted(
        (one for one in journal.read(workspace.root, now - REMEMBERED) if one.at <= now),
        key=lambda one: one.at,
    )
    notes = Notes(workspace.root, workspace.config.scan.max_file_bytes)
    return graph_of(index, notes, sittings(events, index))


def _starts(workspace: Entries, index: Hierarchy, about: str, now: datetime) -> tuple[str, ...]:
    """The entry with this id, those that point at this note, or those behind the answers to these words."""
    entry = index.find(about)
    if entry is not None:
        return (entry.key,)
    path = normal(about.replace("\\", "/"))
    if path is not None and path in index.pointers:
        return tuple(dict.fromkeys(one.key for one, _ in index.pointers[path]))
    found: QueryResult = workspace.query(about, limit=_PLACES, write=False, now=now)  # type: ignore[attr-defined]
    starts: Sequence[str] = [one.entry for one in found.results if one.entry]
    if not starts:
        raise not_found(about, index.by_key)
    return tuple(dict.fromkeys(starts))
