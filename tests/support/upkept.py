"""Workspaces and snapshots for tests of upkeep: real files, and a clock that the test sets."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hippocampus_cli.config.settings import Bands, Config, Index, Upkeep
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.workspace.journal import Event
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.resolve import Resolved, Status

NOW = datetime(2026, 8, 1, 2, 30, tzinfo=UTC)
NOTES = {
    "docs/people.md": "# Memory\n\n## Ines\n\nInes runs the workshop in Porto.\n\n## Money\n\n12,500 euros a year.\n",
    "docs/tools.md": "# Tools\n\n## Deploy\n\nmake deploy TARGET=prod\n\n## Backups\n\nrestic runs at four.\n",
    "projects/kelpie/PROJECT.md": "# Kelpie\n\n## Status\n\n23 buoys send data to bittern.\n",
    "memory/2026-07-30.md": "# 2026-07-30\n\n## Firmware\n\nThe watchdog resets buoy seven.\n",
    "memory/2026-07-31.md": "# 2026-07-31\n\n## Invoice\n\nKamps sent the invoice for July.\n",
}


def entry(key: str, section: str = "", *, age: int = 0, base: float = 1.0, **values: object) -> str:
    """An entry last used ``age`` days before ``NOW``."""
    day = (NOW - timedelta(days=age)).date()
    held = {"id": key, "created": day, "accessed": day, "hits": 1, "str": base, "base": base}
    pairs = " | ".join(f"{name}={value}" for name, value in {**held, **values}.items())
    target = f"{key}.md" + (f" §{section}" if section else "")
    return f"#### {key.capitalize()}\nAbout {key}.\n→ {target}\n<!-- hx: {pairs} -->\n"


def text(projects: Iterable[str], queue: Iterable[str] = (), header: bool = True) -> str:
    """An index with entries under Projects and in the Decay Queue, and a person's words between."""
    head = "<!-- hippocampus.md v1.0 | entries: 0 | reindexed: 2026-07-31T02:30:00+00:00 -->\n"
    return (
        f"{head if header else ''}# Index\n\nWritten by hand.\n\n## By Topic\n\n### Projects\n\n"
        + "\n".join(projects)
        + "\n## Decay Queue\n<!-- hippo:begin decay-queue -->\n<!-- hippo:end decay-queue -->\n\n"
        + "\n".join(queue)
        + "\n## Mine\n\nMy own words.\n"
    )


def snapshot(
    *,
    now: datetime = NOW,
    events: Iterable[Event] = (),
    config: Config | None = None,
    **more: object,
) -> Snapshot:
    """A snapshot in which every pointer leads somewhere."""

    def note(path: str) -> Note | None:
        return Note(path, f"# {path}\n")

    return Snapshot(
        now=now,
        config=config or Config(),
        paths=frozenset(("a.md",)),
        note=note,
        follow=lambda pointer: Resolved(Status.OK, pointer.path),
        events=tuple(events),
        **more,  # type: ignore[arg-type]
    )


def sized(max_tokens: int, sharded: int | None = None, **bands: float) -> Config:
    """Settings with another budget, and perhaps other bands."""
    index = Index(max_tokens=max_tokens, sharded_tokens=sharded or max_tokens)
    return Config(index=index, bands=Bands()._replace(**bands), upkeep=Upkeep())  # type: ignore[arg-type]


def keys(index: Hierarchy, section: str) -> list[str]:
    """The keys of the living entries under a section."""
    return [one.key for one in index.entries if section in one.section]


def write(root: Path, notes: Mapping[str, str], at: datetime = NOW - timedelta(days=30)) -> None:
    """Write notes as if at a moment."""
    for path, words in notes.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(words, encoding="utf-8")
        os.utime(file, (at.timestamp(), at.timestamp()))
