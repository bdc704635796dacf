"""Old months of the access journal as yearly sums, so that it does not grow for ever.

``journal/2025.json`` holds how many queries each folded month of 2025 had, by route, and how often each entry was
used. The words of the queries go.
"""

from __future__ import annotations

import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from hippocampus_cli.errors import HippoError
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.journal_read import ROUTES, Event, events_of
from hippocampus_cli.workspace.own_files import JOURNAL, ensure_folder, is_inside
from hippocampus_cli.workspace.regular import read_regular

KEPT_MONTHS = 13
"""Months that stay as they were written, the present one included: a year back, and a month to compare it with."""
_MONTH = re.compile(r"(\d{4})-(\d\d)\.jsonl")


def fold_journal(root: Path, today: date) -> list[str]:
    """Fold every month before the last ``KEPT_MONTHS`` into the sums of its year; the names of those months.

    The caller holds the lock of upkeep. A month that cannot be read or written stays as it is.
    """
    folded = []
    for path in _old_months(root, today):
        try:
            if _fold(root, path):
                folded.append(path.stem)
        except (OSError, HippoError):
            continue
    return folded


def _old_months(root: Path, today: date) -> Iterator[Path]:
    number = today.year * 12 + today.month - KEPT_MONTHS
    first = f"{number // 12:04}-{number % 12 + 1:02}"
    folder = root / JOURNAL
    if not folder.is_dir() or not is_inside(root, folder):
        return
    for path in sorted(folder.iterdir()):
        if _MONTH.fullmatch(path.name) and path.stem < first and not path.is_symlink():
            yield path


def _fold(root: Path, path: Path) -> bool:
    data = read_regular(path)
    year, checksum = path.stem[:4], zlib.crc32(data)
    name = f"{JOURNAL}/{year}.json"
    target = ensure_folder(root, name)
    sums = _sums_at(target)
    month = sums["months"].get(path.stem)
    if not isinstance(month, dict):
        month = sums["months"][path.stem] = {}
    if month.get("crc32") != checksum:  # else a kill came between the sums and the removal
        _add(sums, month, list(events_of(data, datetime.min.replace(tzinfo=UTC))))
        month["crc32"] = checksum
        text = json.dumps(sums, ensure_ascii=False, indent=1, sort_keys=True)
        replace_bytes(target, f"{text}\n".encode("utf-8", "replace"), name)
        target.chmod(0o600)
    path.unlink()
    return True


def _sums_at(path: Path) -> dict[str, Any]:
    """The sums of a year; empty ones where there are none that make sense."""
    empty: dict[str, Any] = {"months": {}, "used": {}}
    try:
        found = json.loads(read_regular(path))
        sound = isinstance(found["months"], dict) and isinstance(found["used"], dict)
        return found if sound else empty
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return empty


def _add(sums: dict[str, Any], month: dict[str, Any], events: list[Event]) -> None:
    routes = Counter(event.route for event in events)
    month["queries"] = _count(month, "queries") + len(events)
    month["routes"] = {
        route: _count(month.get("routes"), route) + routes[route] for route in ROUTES
    }
    for key, count in Counter(key for event in events for key in event.used).items():
        sums["used"][key] = _count(sums["used"], key) + count


def _count(values: object, key: str) -> int:
    found = values.get(key) if isinstance(values, dict) else None
    return found if isinstance(found, int) else 0
