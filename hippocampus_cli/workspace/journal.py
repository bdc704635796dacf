"""The access journal: one JSON line a query, a file a month; losing it costs no memory.

What cannot be read is skipped. Months that nothing looks back to are removed, with the words of their queries.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta, tzinfo
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hippocampus_cli.errors import FileUnwritable
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.workspace.own_files import JOURNAL, append, files_in
from hippocampus_cli.workspace.state import rows

ROUTES = ("index", "both", "search", "none")
_LONGEST = 1_000_000  # bytes of a line; an event has some thousands


class Answered(NamedTuple):
    """One place that an event's query was answered with; ``entry`` is the key of the entry behind it, ``lines`` are
    the first and the last of it (``12-15``; journals of before do not say it)."""

    path: str
    section: str | None
    entry: str | None = None
    lines: str = ""


class Event(NamedTuple):
    """One query that wrote back.

    ``route`` is one of ``ROUTES``; ``used`` are the entries it
    strengthened, and ``missed`` those that it would have, had the index been free to write; ``hits`` are how many
    hits each entry had from then on, in the index whose header names ``as_of``, on the branch that git had checked
    out (``checkout``). ``wrong`` are entries of which a hit was taken back, ``tokens`` those of the texts that were
    shown, ``sure`` how sure the answer was, ``further`` are the places that came next; journals of before do not say
    it.
    """

    at: datetime
    query: str
    route: str
    results: tuple[Answered, ...]
    used: tuple[str, ...]
    missed: tuple[str, ...] = ()
    hits: Mapping[str, int] = MappingProxyType({})
    checkout: str = ""
    as_of: datetime | None = None
    wrong: tuple[str, ...] = ()
    tokens: int = 0
    sure: str = ""
    further: tuple[Answered, ...] = ()


def record(root: Path, now: datetime, event: Mapping[str, object]) -> None:
    """Append one event."""
    import json  # a query that is not recorded needs none

    line = json.dumps({"at": now.isoformat(), **event}, separators=(",", ":"))
    with contextlib.suppress(OSError, FileUnwritable):
        append(root, f"{JOURNAL}/{now:%Y-%m}.jsonl", line)


def read(root: Path, since: datetime) -> Iterator[Event]:
    """The events from ``since`` (with a time zone) on, month by month, within a month as they were written."""
    first = since - timedelta(days=2)  # for writers in another time zone
    for path in _months(root):
        if path.stem < f"{first:%Y-%m}":
            continue
        with contextlib.suppress(OSError), path.open("rb") as file:
            lines = iter(partial(file.readline, _LONGEST), b"")
            for event in rows(lines, partial(_event, since.tzinfo)):
                if event.at >= since:
                    yield event


def drop_old_months(root: Path, today: date) -> None:
    """Remove the months of more than a year ago: one stays to compare the present one with."""
    for path in _months(root):
        if path.stem < f"{today.year - 1:04}-{today:%m}":
            with contextlib.suppress(OSError):
                path.unlink()


def _months(root: Path) -> list[Path]:
    """The journal's files in order."""
    months = "[0-9][0-9][0-9][0-9]-[0-9][0-9].jsonl"
    return [path for path in files_in(root, JOURNAL, months) if path.is_file()]


def _event(zone: tzinfo | None, raw: Any) -> Event:
    return Event(
        _moment(raw["at"], zone),
        str(raw.get("query", "")),
        ROUTES[ROUTES.index(raw["route"])],
        tuple(Answered(*map(_text, result)) for result in raw.get("results") or ()),
        tuple(map(str, raw.get("used") or ())),
        tuple(map(str, raw.get("missed") or ())),
        {str(key): int(count) for key, count in (raw.get("hits") or {}).items()},
        str(raw.get("checkout", "")),
        _moment(raw["as_of"], zone) if raw.get("as_of") else None,
        tuple(map(str, raw.get("wrong") or ())),
        int(raw.get("tokens") or 0),
        str(raw.get("sure", "")),
        tuple(Answered(*map(_text, place)) for place in raw.get("further") or ()),
    )


def _moment(raw: str, zone: tzinfo | None) -> datetime:
    moment = datetime.fromisoformat(raw)
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)


def _text(raw: object) -> Any:
    return None if raw is None else str(raw)
