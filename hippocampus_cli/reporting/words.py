"""The figures of a report in words, the same in every form of it. Text of a workspace is left as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import NamedTuple

from hippocampus_cli.reporting.calendar import day_of
from hippocampus_cli.reporting.health import Cycle, Health

WHY_BROKEN = {
    "missing-file": "no such file",
    "missing-section": "no such section",
    "outside": "outside the workspace",
}


class Fact(NamedTuple):
    """One figure with what it is called. ``short`` is the figure alone; ``pressing``: something is to be done."""

    name: str
    short: str
    rest: str = ""
    pressing: bool = False


def facts(health: Health) -> Iterator[Fact]:
    """The figures that a reader wants first."""
    pinned = f"{health.pinned:,} pinned" if health.pinned else ""
    yield Fact("entries", f"{health.entries:,}", pinned)
    average = "–" if health.average is None else f"{health.average:.2f}"
    yield Fact("strength", average, "on average" if health.entries else "")
    over = health.tokens > health.max_tokens
    budget = f"of {health.max_tokens:,}, {health.tokens / health.max_tokens:.0%}"
    yield Fact("index tokens", f"{health.tokens:,}", budget, over)
    asked = (
        f"of {count(health.queries, 'query', 'queries')}" if health.queries else "no queries yet"
    )
    yield Fact("hit rate", percent(health.hit_rate), asked)
    pointers = f"of {count(health.pointers, 'pointer')}"
    yield Fact("broken", f"{len(health.broken):,}", pointers, bool(health.broken))
    yield Fact("never used", f"{len(health.never_used):,}", _share(health))
    yield Fact("orphans", f"{len(health.orphans):,}", "without relations")
    waiting = f"{health.silent_waiting:,} to be queued" if health.silent_waiting else ""
    yield Fact("silent", f"{len(health.silent):,}", waiting)


def upkeep(health: Health) -> str:
    """When which cycle last ran, in one line."""
    if not any(cycle.last for cycle in health.cycles):
        return "never"
    return _listed([f"{cycle.name} {ran(cycle, health.at)}" for cycle in health.cycles])


def overdue(health: Health) -> str:
    """The names of the cycles that are overdue; empty where none is."""
    return _listed([cycle.name for cycle in health.cycles if cycle.overdue])


def ran(cycle: Cycle, now: datetime) -> str:
    """When a cycle last ran."""
    return "never" if cycle.last is None else ago(day_of(cycle.last, now), now)


def ago(day: date, now: datetime) -> str:
    """``today``, ``yesterday``, ``12 days ago``; what lies ahead counts as today."""
    days = (now.date() - day).days
    return {0: "today", 1: "yesterday"}.get(max(0, days), f"{days:,} days ago")


def percent(share: float | None) -> str:
    """A share as ``69%``; a dash where there is none."""
    return "–" if share is None else f"{share:.0%}"


def long_day(day: date) -> str:
    """``1 August 2026``, in English whatever the locale."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def short_day(day: date) -> str:
    """``1 Aug``."""
    return f"{day.day} {_MONTHS[day.month - 1][:3]}"


def count(number: int, noun: str, plural: str = "") -> str:
    """``1 entry``, ``2,000 entries``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _share(health: Health) -> str:
    return f"{len(health.never_used) / health.entries:.0%} of all" if health.never_used else ""


_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
