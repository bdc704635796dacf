"""Files of a workspace as two branches of a repository left them, merged (decisions D10, D21)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from hippocampus_cli.config.settings import Config
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import ARCHIVE, MASTER, TOPICS
from hippocampus_cli.index.merge import Setting
from hippocampus_cli.maintenance.bootstrap import view_limits
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.workspace.own_files import TEMPORAL
from hippocampus_cli.workspace.store import IndexStore
from hippocampus_cli.workspace.tombstones import load

_OWN = (MASTER, TOPICS, ARCHIVE, f"{TEMPORAL}/")


def root_of(path: str) -> str | None:
    """The workspace's folder, from the repository's top, of a file that holds entries; ``None`` for other files."""
    whole = f"/{path}"
    at = next((whole.rfind(f"/{own}") for own in _OWN if f"/{own}" in whole), None)
    return None if at is None else whole[:at].lstrip("/")


def without_forgotten(root: Path, path: str, texts: Iterable[str]) -> list[str]:
    """The versions of a file of the index without what was forgotten on this machine: no branch brings it back."""
    from hippocampus_cli.maintenance.scrub import erasure_of

    forgotten = load(root)
    if forgotten is None:
        return list(texts)
    erasure = erasure_of(forgotten)
    return [decode(erasure.applied(path, encode(one))) for one in texts]


def setting(root: Path, config: Config, now: datetime, path: str) -> Setting:
    """What a merge of an index file depends on; of the topic files, as they are in the folder now."""
    clock, limits = DecayClock(now, config.decay), view_limits(config)
    master = path.endswith(MASTER)
    if not master or not (root / TOPICS).is_dir():
        return Setting(clock, limits, master=master)
    index = IndexStore(root).read()
    beyond = len(index.entries) - len(index.master.entries)
    return Setting(clock._replace(ids=index.ids), limits, beyond)
