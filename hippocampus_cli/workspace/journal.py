"""The access journal: one JSON line a query, a file a month; losing it costs no memory.

What cannot be read is skipped. Old months become yearly sums: ``journal/2025.json`` holds how many queries each
folded month of 2025 had, by route, and how often each entry was used, without the words of the queries.
"""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, tzinfo
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from hippocampus_cli.errors import FileUnwritable, HippoError
from hippocampus_cli.fast_types import pattern
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.own_files import JOURNAL, ensure_folder, is_inside
from hippocampus_cli.workspace.regular import read_regular


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


ROUTES = ("index", "both", "search", "none")
_MONTH = pattern(r"\d{4}-\d\d\.jsonl")
_LONGEST = 1_000_000  # bytes of a line; an event has some thousands


class Answered(NamedTuple):
    """One place that an event's query was answered with; ``entry`` is the key of the entry behind it."""

    path: str
    section: str | None
    entry: str | None


class Event(NamedTuple):
    """One query that wrote back. ``route`` is one of ``ROUTES``; ``used`` are the entries it strengthened, and
    ``missed`` those that it would have, had the index been free to write; ``hits`` are how many hits each entry
    had from then on, in the index whose header
    names ``as_of``, on the branch that git had checked out (``checkout``)."""

    at: datetime
    query: str
    route: str
    results: tuple[Answered, ...]
    used: tuple[str, ...]
    missed: tuple[str, ...] = ()
    hits: Mapping[str, int] = MappingProxyType({})
    checkout: str = ""
    as_of: datetime | None = None


def read(root: Path, since: datetime) -> Iterator[Event]:
    """The events from ``since`` (with a time zone) on, month by month, within a month as they were written."""
    for path in _months(root, f"{since:%Y-%m}"):
        try:
            with path.open("rb") as file:
                while line := file.readline(_LONGEST):
                    event = _event(line, since)
                    if event is not None and event.at >= since:
                        yield event
        except OSError:
            continue


def events_of(data: bytes, since: datetime) -> Iterator[Event]:
    """The events that a month's bytes hold; a moment without a time zone is in that of ``since``."""
    return (event for line in data.splitlines() if (event := _event(line, since)) is not None)


def _months(root: Path, first: str) -> list[Path]:
    """The journal's files of this month and later; a month before, for writers in another time zone."""
    try:
        names = sorted(os.listdir(root / JOURNAL))
    except OSError:
        return []
    known = [name for name in names if _MONTH.fullmatch(name)]
    before = [name for name in known if name < first][-1:]
    paths = [root / JOURNAL / name for name in (*before, *(n for n in known if n >= first))]
    return [path for path in paths if path.is_file() and is_inside(root, path)]


def _event(line: bytes, since: datetime) -> Event | None:
    try:
        raw = json.loads(line)
        if raw["route"] not in ROUTES:
            return None
        return Event(
            _moment(raw["at"], since.tzinfo),
            str(raw.get("query", "")),
            raw["route"],
            tuple(_answered(one) for one in raw.get("results") or ()),
            tuple(str(key) for key in raw.get("used") or ()),
            tuple(str(key) for key in raw.get("missed") or ()),
            {str(key): int(count) for key, count in (raw.get("hits") or {}).items()},
            str(raw.get("checkout", "")),
            _moment(raw["as_of"], since.tzinfo) if raw.get("as_of") else None,
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
        return None


def _moment(raw: str, zone: tzinfo | None) -> datetime:
    moment = datetime.fromisoformat(raw)
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)


def _answered(raw: object) -> Answered:
    if not isinstance(raw, list) or len(raw) != 3:
        raise ValueError
    path, section, entry = raw
    return Answered(str(path), _text(section), _text(entry))


def _text(raw: object) -> str | None:
    return None if raw is None else str(raw)


KEPT_MONTHS = 13
"""Months that stay as they were written, the present one included: a year back, and a month to compare it with."""
_MONTH_FILE = pattern(r"(\d{4})-(\d\d)\.jsonl")


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
        if _MONTH_FILE.fullmatch(path.name) and path.stem < first and not path.is_symlink():
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
