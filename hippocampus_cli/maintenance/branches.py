"""Files of a workspace as two branches of a repository left them, merged (decisions D10, D21)."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from hippocampus_cli.config.settings import Config
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.files import ARCHIVE, MASTER, TOPICS
from hippocampus_cli.index.merge import Merged, Setting
from hippocampus_cli.maintenance.bootstrap import view_limits
from hippocampus_cli.markdown.diff3 import Labels, common, merge_log
from hippocampus_cli.markdown.lines import split_lines
from hippocampus_cli.workspace.own_files import TEMPORAL
from hippocampus_cli.workspace.store import IndexStore

_OWN = (MASTER, TOPICS, ARCHIVE, f"{TEMPORAL}/")


def root_of(path: str) -> str | None:
    """The workspace's folder, from the repository's top, of a file that holds entries; ``None`` for other files."""
    whole = f"/{path}"
    at = next((whole.rfind(f"/{own}") for own in _OWN if f"/{own}" in whole), None)
    return None if at is None else whole[:at].lstrip("/")


def merge_log_texts(base: str, ours: str, theirs: str, labels: Labels) -> Merged:
    """A log or another text that grows at its end."""
    lines, count = merge_log(
        split_lines(base) or common(split_lines(ours), split_lines(theirs)),
        split_lines(ours),
        split_lines(theirs),
        labels,
    )
    return Merged("".join(lines), count)


def setting(root: Path, config: Config, now: datetime, path: str) -> Setting:
    """What a merge of an index file depends on; of the topic files, as they are in the folder now."""
    clock, limits = DecayClock(now, config.decay), view_limits(config)
    if not path.endswith(MASTER) or not (root / TOPICS).is_dir():
        return Setting(clock, limits)
    index = IndexStore(root).read()
    beyond = len(index.entries) - len(index.master.entries)
    return Setting(clock._replace(ids=index.ids), limits, beyond)
