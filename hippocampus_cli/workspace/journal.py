"""The access journal: one JSON line a query, a file a month. A log to learn from; losing it costs no memory."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from hippocampus_cli.errors import FileUnwritable
from hippocampus_cli.workspace.own_files import JOURNAL, ensure_folder


def record(root: Path, now: datetime, event: Mapping[str, object]) -> None:
    """Append one event. One write to a file opened for appending, so lines of several processes never mix."""
    import json

    line = json.dumps({"at": now.isoformat(), **event}, separators=(",", ":"))
    with contextlib.suppress(OSError, FileUnwritable):
        path = ensure_folder(root, f"{JOURNAL}/{now:%Y-%m}.jsonl")
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        handle = os.open(path, flags, 0o600)  # what was asked is nobody else's business
        try:
            os.write(handle, (line + "\n").encode("utf-8", "replace"))
        finally:
            os.close(handle)
