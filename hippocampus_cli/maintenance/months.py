"""The temporal index: what each month holds, one file a month, once there are topic files (INDEX §9.2)."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, datetime
from pathlib import Path

from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
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
