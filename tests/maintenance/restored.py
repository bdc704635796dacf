"""An index that was looked after, and then lost."""

from __future__ import annotations

from pathlib import Path

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config.settings import Config
from hippocampus_cli.index.document import MASTER
from tests.support.upkept import NOW, entry, text, write

KEYS = tuple(f"e{number}" for number in range(12))


def begun(root: Path) -> Workspace:
    write(root, {f"{key}.md": f"# {key}\n\nWords of {key} that say enough.\n" for key in KEYS})
    (root / MASTER).write_text(text([entry(key) for key in KEYS]))
    found = Workspace(root, Config())
    found.upkeep.run("daily", now=NOW)
    return found


def ids(ws: Workspace) -> set[str]:
    index = ws.store.read(archive=True)
    return {one.entry.id for one in (*index.entries, *index.archived)}
