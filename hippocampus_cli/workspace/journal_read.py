"""The access journal read back. It is a log beside the memory: what cannot be read is passed over."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from hippocampus_cli.workspace.own_files import JOURNAL, is_inside

ROUTES = ("index", "both", "search", "none")
_MONTH = re.compile(r"\d{4}-\d\d\.jsonl")
_LONGEST = 1_000_000  # bytes of a line; an event has some thousands


class Answered(NamedTuple):
    """One place that an event's query was answered with; ``entry`` is the key of the entry behind it."""

    path: str
    section: str | None
    entry: str | None


class Event(NamedTuple):
    """One query that wrote back. ``route`` is one of ``ROUTES``; ``used`` are the entries it strengthened, and
    ``missed`` those that it would have, had the index been free to write; ``hits`` are how many hits each entry
    had from then on, in the ``checkout`` of git that there was."""

    at: datetime
    query: str
    route: str
    results: tuple[Answered, ...]
    used: tuple[str, ...]
    missed: tuple[str, ...] = ()
    hits: Mapping[str, int] = MappingProxyType({})
    checkout: str = ""


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
        at = datetime.fromisoformat(raw["at"])
        if raw["route"] not in ROUTES:
            return None
        return Event(
            at if at.tzinfo else at.replace(tzinfo=since.tzinfo),
            str(raw.get("query", "")),
            raw["route"],
            tuple(_answered(one) for one in raw.get("results") or ()),
            tuple(str(key) for key in raw.get("used") or ()),
            tuple(str(key) for key in raw.get("missed") or ()),
            {str(key): int(count) for key, count in (raw.get("hits") or {}).items()},
            str(raw.get("checkout", "")),
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
        return None


def _answered(raw: object) -> Answered:
    if not isinstance(raw, list) or len(raw) != 3:
        raise ValueError
    path, section, entry = raw
    return Answered(str(path), _text(section), _text(entry))


def _text(raw: object) -> str | None:
    return None if raw is None else str(raw)
