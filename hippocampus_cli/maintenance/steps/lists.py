"""The generated lists of the index, and one file a month once there are topic files (D4, INDEX §8.2, §9.2)."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, datetime
from pathlib import Path

from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import MASTER, Document, Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.views import SECTIONS, refreshed
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.bootstrap import view_limits
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.workspace.commit import read_or_none
from hippocampus_cli.workspace.own_files import TEMPORAL

_HEAD = "Drawn up by hippo from the entries; edits are overwritten."


def month_files(root: Path, index: Hierarchy) -> dict[str, bytes | None]:
    """The months' files that are other than on disk. None at all while the master holds everything."""
    if not index.sharded:
        return {}
    months: dict[str, list[tuple[date, Located]]] = defaultdict(list)
    for one in index.entries:
        created = one.entry.created
        if created is not None:
            day = created.date() if isinstance(created, datetime) else created
            months[f"{day:%Y-%m}"].append((day, one))
    files: dict[str, bytes | None] = {}
    for month, found in months.items():
        path = f"{TEMPORAL}/{month}.md"
        data = _text(month, found).encode("utf-8", "surrogateescape")
        if read_or_none(root, path) != data:
            files[path] = data
    return files


def _text(month: str, found: list[tuple[date, Located]]) -> str:
    lines = [f"# {month}", "", _HEAD]
    today: date | None = None
    for day, one in sorted(found, key=lambda pair: (pair[0], pair[1].key)):
        if day != today:
            lines += ["", f"## {day}", ""]
            today = day
        target = f" → {one.entry.pointers[0]}" if one.entry.pointers else ""
        lines.append(f"- {one.entry.topic}{target}")
    return "\n".join(lines) + "\n"


def is_behind(index: Hierarchy, snapshot: Snapshot) -> bool:
    """Whether the lists are other than they should be as of the header's time (D21), or a header counts wrongly."""
    drawn = _drawn(index, snapshot, snapshot.clock(index).as_of_header())
    return drawn != index.master or index.counted() != index


def redraw(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """The lists that the master has; a hand-made index without them gets none."""
    drawn = _drawn(index, snapshot, snapshot.clock(index))
    old, new = index.master.views, drawn.views
    changed = [name for name in SECTIONS if name in new and new[name] != old.get(name)]
    actions = tuple(Action(Kind.LIST, name, f"{SECTIONS[name]} regenerated") for name in changed)
    return Planned(index.with_file(MASTER, drawn) if changed else index, actions)


def _drawn(index: Hierarchy, snapshot: Snapshot, clock: DecayClock) -> Document:
    beyond = len(index.entries) - len(index.master.entries)
    return refreshed(index.master, clock, view_limits(snapshot.config), beyond=beyond)
