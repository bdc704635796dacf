"""The access journal: one JSON line a query, a file a month. A log to learn from; losing it costs no memory."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from hippocampus_cli.errors import FileUnwritable
from hippocampus_cli.workspace.own_files import JOURNAL, ensure_folder, is_inside


class Event(NamedTuple):
    """One query: when, what was asked, who found the answer, the entries that were strengthened by it, and
    those that should have been while the index could not be written (``missed``)."""

    at: datetime
    query: str
    route: str
    used: tuple[str, ...]
    missed: tuple[str, ...] = ()


def record(root: Path, now: datetime, event: Mapping[str, object]) -> None:
    """Append one event. One write to a file opened for appending, so lines of several processes never mix."""
    import json

    line = json.dumps({"at": now.isoformat("T", "seconds"), **event}, separators=(",", ":"))
    with contextlib.suppress(OSError, FileUnwritable):
        path = ensure_folder(root, f"{JOURNAL}/{now:%Y-%m}.jsonl")
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        handle = os.open(path, flags, 0o600)  # what was asked is nobody else's business
        try:
            os.write(handle, (line + "\n").encode("utf-8", "replace"))
        finally:
            os.close(handle)


def events(root: Path, since: datetime | None = None) -> Iterator[Event]:
    """The queries since a moment, oldest first; a line that cannot be read is passed over."""
    folder = root / JOURNAL
    if not is_inside(root, folder):
        return
    first = f"{since:%Y-%m}" if since else ""
    for path in sorted(folder.glob("????-??.jsonl")):
        if path.stem >= first and is_inside(root, path):
            with (
                contextlib.suppress(OSError),
                path.open(encoding="utf-8", errors="replace") as file,
            ):
                for line in file:
                    event = _event(line)
                    if event and (since is None or event.at >= since):
                        yield event


def _event(line: str) -> Event | None:
    import json

    try:
        row: Any = json.loads(line)
        at = datetime.fromisoformat(row["at"])
        used, missed = (_strings(row.get(key)) for key in ("used", "missed"))
        return Event(at.astimezone(), str(row["query"]), str(row["route"]), used, missed)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return None


def _strings(found: object) -> tuple[str, ...]:
    return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()
