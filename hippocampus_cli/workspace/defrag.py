"""When the defrag cycles of a workspace ended: ``memory/defrag-log.md`` and ``memory/defrag-history.jsonl``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime, tzinfo
from pathlib import Path

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.workspace.read import read_note

LOG = "memory/defrag-log.md"
HISTORY_LINES = "memory/defrag-history.jsonl"
_MOST_BYTES = 50_000_000
_BLOCK = re.compile(
    r"^#{1,6}[ \t]+(\d{4}-\d\d-\d\d)(?:[ T]+(\d\d?:\d\d))?[^\n]*\bdefrag complete\b",
    re.IGNORECASE | re.MULTILINE,
)


def defrag_cycles(root: Path, zone: tzinfo | None) -> list[datetime]:
    """When each cycle ended, oldest first, in ``zone`` where the file names none. One that failed is no cycle."""
    found = {*_log(_text(root, LOG), zone), *_history(_text(root, HISTORY_LINES), zone)}
    days = {one.date() for one in found if (one.hour, one.minute) != (0, 0)}
    exact = (
        one for one in found if (one.hour, one.minute) != (0, 0) or one.date() not in days
    )  # both files tell of the same cycle, one of them by its day alone
    return sorted(exact)


def _log(text: str, zone: tzinfo | None) -> Iterator[datetime]:
    for day, time in _BLOCK.findall(text):
        yield from _moment(f"{day}T{time.zfill(5)}" if time else day, zone)


def _history(text: str, zone: tzinfo | None) -> Iterator[datetime]:
    for line in text.splitlines():
        try:
            row = json.loads(line)
            verdict = row.get("verdict")
            passed = not isinstance(verdict, dict) or verdict.get("passed", True)
            date = row["date"]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            continue
        if passed and isinstance(date, str):
            yield from _moment(date, zone)


def _moment(text: str, zone: tzinfo | None) -> Iterator[datetime]:
    try:
        found = datetime.fromisoformat(text)
        yield found if found.tzinfo else found.replace(tzinfo=zone)
    except ValueError:
        return


def _text(root: Path, path: str) -> str:
    try:
        return read_note(root, path, _MOST_BYTES).text
    except (FileUnreadable, OutsideWorkspace):
        return ""
