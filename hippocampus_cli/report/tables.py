"""The report as tables of plain text and figures in words, the same in every form of it.

Cells hold text of the workspace unchanged: each form escapes it in its own way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from hippocampus_cli.report.activity import monday
from hippocampus_cli.report.health import Health, Mention

WHY_BROKEN = {
    "missing-file": "no such file",
    "missing-section": "no such section",
    "outside": "outside the workspace",
}


class Fact(NamedTuple):
    """One figure with what it is called. ``short`` is the figure alone; ``pressing``: something is to be done."""

    name: str
    short: str
    rest: str
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
    weeks = health.weeks
    others = f"{sum(week.unsure for week in weeks):,} unsure, {sum(week.none for week in weeks):,} nothing"
    asked = f"sure, of {count(health.queries, 'query', 'queries')}; {others}"
    yield Fact("answered", percent(health.sure_rate), asked if health.queries else "no queries yet")
    tokens = sum(way.tokens for way in health.recall)
    if tokens or health.wrong:
        taken = f"tokens given, {health.opened:,} opened, {health.wrong:,} taken back as wrong"
        yield Fact("recall", f"{tokens:,}", taken)
    pointers = f"of {count(health.pointers, 'pointer')}"
    yield Fact("broken", f"{len(health.broken):,}", pointers, bool(health.broken))
    yield Fact("orphans", f"{len(health.orphans):,}", "without relations")
    yield Fact("silent", f"{len(health.silent):,}", fading(health))


def fading(known: Any) -> str:
    """When entries leave, of a :class:`Health` or the status: first, and how a priority changes that."""
    if known.fades_on is None:
        return "no entry ever falls silent" if known.entries else ""
    if known.fades_on.year > _LAST_YEAR:
        return "falls silent: none within a lifetime"
    slower = f", {known.high:,} of high priority later" if known.high else ""
    never = f", {known.pinned:,} pinned never" if known.pinned else ""
    first = count(known.fades_first, "entry", "entries")
    return f"falls silent: none before {known.fades_on}; then {first} if unused{slower}{never}"


def percent(share: float | None) -> str:
    """A share as ``69%``; a dash where there is none."""
    return "–" if share is None else f"{share:.0%}"


def long_day(day: date) -> str:
    """``1 August 2026``."""
    return f"{day.day} {day:%B %Y}"


def short_day(day: date) -> str:
    """``1 Aug``."""
    return f"{day.day} {day:%b}"


def count(number: int, noun: str, plural: str = "") -> str:
    """``1 entry``, ``2,000 entries``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


_LAST_YEAR = 2199  # a later day says nothing to a reader
LISTED = 20
"""Rows of a list of entries; the others are counted. ``hippo report --json`` has all."""
_LONGEST = 160  # characters of a cell


class Table(NamedTuple):
    """Rows under heads. The first ``texts`` columns are words, the others figures; ``more`` rows are left out."""

    name: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int = 1
    more: int = 0


def tables(health: Health) -> Iterator[Table]:
    """Every table, in the order in which a reader wants them; some may have no rows."""
    yield strength(health)
    yield queries(health)
    yield growth(health)
    yield size(health)
    yield from lists(health)


def lists(health: Health) -> Iterator[Table]:
    """The tables of single entries, ``LISTED`` rows each."""
    yield recall(health)
    yield broken(health)
    yield _entries("silent", "Silent", health.silent, ("queued", "strength"))
    yield _entries("orphans", "Orphans", health.orphans, ("created", "strength"))


def strength(health: Health) -> Table:
    """The entries by band now."""
    rows = tuple((band, f"{number:,}") for band, number in health.bands.items() if health.entries)
    return Table("strength", "Strength", ("band", "entries"), rows)


def queries(health: Health) -> Table:
    """The queries of each week by how sure the answer was."""
    rows = [
        (
            short_day(week.week),
            *(f"{number:,}" for number in (week.sure, week.unsure, week.none)),
            percent(week.sure_rate),
        )
        for week in health.weeks
    ]
    heads = ("week of", "sure", "unsure", "nothing", "answered")
    return Table("queries", "Queries", heads, tuple(rows) if health.queries else ())


def recall(health: Health) -> Table:
    """What agents asked and were given."""
    rows = [
        (way.way, f"{way.asked:,}", f"{way.given:,}", f"{way.tokens:,}")
        for way in health.recall
        if way.asked
    ]
    return Table("recall", "What recall gave", ("at", "asked", "given", "tokens"), tuple(rows))


def growth(health: Health) -> Table:
    """The entries of today by the week of their creation."""
    rows = [
        (short_day(week.week), f"+{week.added:,}", f"{week.entries:,}") for week in health.growth
    ]
    heads = ("week of", "new", "entries")
    return Table("growth", "Growth", heads, tuple(rows) if health.entries else ())


def size(health: Health) -> Table:
    """The size of the index after the last cycle of each week."""
    rows = [
        (short_day(last.at.date()), f"{last.tokens:,}", f"{last.entries:,}", f"{last.notes:,}")
        for last in {monday(size.at.date()): size for size in health.sizes}.values()
    ]
    return Table("size", "Size of the index", ("day", "tokens", "entries", "notes"), tuple(rows))


def broken(health: Health) -> Table:
    """The broken pointers."""
    rows = [
        (cut(pointer.entry), cut(pointer.pointer), WHY_BROKEN[pointer.status])
        for pointer in health.broken[:LISTED]
    ]
    more = max(0, len(health.broken) - LISTED)
    heads = ("entry", "pointer", "why")
    return Table("broken", "Broken pointers", heads, tuple(rows), texts=3, more=more)


def cut(text: str) -> str:
    """``text`` with what is too long for a cell left out."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"


def left_out(table: Table) -> str:
    """What is said under a table that is cut; empty where all is shown."""
    return f"… and {count(table.more, 'other')}" if table.more else ""


def _entries(name: str, title: str, mentions: Sequence[Mention], values: tuple[str, ...]) -> Table:
    rows = tuple(
        (cut(mention.topic), cut(mention.id), *(_value(mention, value) for value in values))
        for mention in mentions[:LISTED]
    )
    heads = ("topic", "id", *values)
    return Table(name, title, heads, rows, texts=2, more=max(0, len(mentions) - LISTED))


def _value(mention: Mention, name: str) -> str:
    value = getattr(mention, name)
    if value is None:
        return "–"
    if isinstance(value, (date, datetime)):
        return f"{value:%Y-%m-%d}"
    return f"{value:.2f}" if isinstance(value, float) else f"{value:,}"
