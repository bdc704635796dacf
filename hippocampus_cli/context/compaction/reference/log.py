"""The reference's log file, below the folder it runs in and nowhere else."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from hippocampus_cli.workspace.own_files import is_inside


def append_log(folder: Path, name: object, lines: Iterable[str], now: datetime) -> None:
    """Append to the log, as the reference does: no folder is made for it, and a failure is no word.

    Unlike there a setting cannot lead out of ``folder``.
    """
    if not isinstance(name, str) or "\0" in name or not is_inside(folder, folder / name):
        return
    stamp = now.astimezone(UTC).isoformat("T", "milliseconds").replace("+00:00", "Z")
    with contextlib.suppress(OSError), (folder / name).open("a", encoding="utf-8") as file:
        file.writelines(f"[{stamp}] [hippocampus] {line}\n" for line in lines)
