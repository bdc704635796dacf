"""What upkeep wrote down of itself: the size of the index after each cycle.

A record that cannot be read is passed over: the report is about the index, not about its history.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date, datetime, tzinfo
from pathlib import Path
from typing import Any

from hippocampus_cli.reporting.health import Size
from hippocampus_cli.workspace.own_files import HISTORY, is_inside

_RECORD = re.compile(r"(\d{4,12})-[^/]*\.json")
_LARGEST = 50_000_000  # bytes; a record holds the entries that it changed, before and after
_UNREADABLE = (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError)


def sizes(root: Path, since: datetime) -> tuple[Size, ...]:
    """The size of the index after the cycles since ``since``, the last of each day, the oldest first.

    Times are in the time zone of ``since``.
    """
    by_day: dict[date, Size] = {}
    for path in reversed(_records(root)):
        try:
            size = _size(_document(root, path), since.tzinfo)
            local = size.at.astimezone(since.tzinfo)
        except _UNREADABLE:
            continue
        if size.at < since:
            break
        by_day.setdefault(local.date(), replace(size, at=local))
    return tuple(sorted(by_day.values(), key=lambda size: size.at))


def began(root: Path, zone: tzinfo | None) -> datetime | None:
    """When the oldest record that can be read was written; ``None`` where upkeep left none."""
    for path in _records(root):
        try:
            return _moment(_document(root, path)["at"], zone)
        except _UNREADABLE:
            continue
    return None


def _records(root: Path) -> list[Path]:
    """The records of the cycles in their order."""
    try:
        paths = list((root / HISTORY).iterdir())
    except OSError:
        return []
    numbered = [(int(found[1]), path) for path in paths if (found := _RECORD.fullmatch(path.name))]
    return [path for _, path in sorted(numbered)]


def _document(root: Path, path: Path) -> dict[str, Any]:
    if not is_inside(root, path) or not path.is_file():
        raise ValueError
    with path.open("rb") as file:
        document = json.loads(file.read(_LARGEST))
    if not isinstance(document, dict):
        raise TypeError
    return document


def _size(record: dict[str, Any], zone: tzinfo | None) -> Size:
    stats = record["stats"]
    entries, tokens, notes = (_count(stats[key]) for key in ("entries", "tokens", "notes"))
    return Size(_moment(record["at"], zone), entries, tokens, notes)


def _count(raw: object) -> int:
    if not isinstance(raw, int) or isinstance(raw, bool) or not 0 <= raw < 10**12:
        raise ValueError
    return raw


def _moment(raw: object, zone: tzinfo | None) -> datetime:
    if not isinstance(raw, str):
        raise TypeError
    moment = datetime.fromisoformat(raw)
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)
