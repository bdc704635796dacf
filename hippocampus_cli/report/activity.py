"""What happened week by week: queries by route, entries by age, and the size of the index after each cycle. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta, tzinfo
from typing import Protocol

from hippocampus_cli.index.entry import Entry
from hippocampus_cli.report.health import Growth, Recall, Size, Week
from hippocampus_cli.workspace.journal import Event

WEEK = timedelta(days=7)
SURE, UNSURE, NONE = "sure", "unsure", "none"


def day_of(moment: date | datetime, now: datetime) -> date:
    """The day of a moment in the time zone of ``now``; what lies in the future counts as today."""
    if isinstance(moment, datetime):
        if moment.tzinfo is not None:
            moment = min(moment, now).astimezone(now.tzinfo)
        moment = moment.date()
    return min(moment, now.date())


def monday(day: date) -> date:
    """The Monday of the day's week."""
    return day - timedelta(days=day.weekday())


def mondays(now: datetime, weeks: int) -> list[date]:
    """The Mondays of the last ``weeks`` weeks, this week's last."""
    last = monday(now.date())
    return [last - WEEK * back for back in reversed(range(weeks))]


def beginning(now: datetime, weeks: int) -> datetime:
    """The moment at which the first of the last ``weeks`` weeks began."""
    first = mondays(now, weeks)[0]
    return datetime(first.year, first.month, first.day, tzinfo=now.tzinfo)


_FIGURES = ("entries", "tokens", "notes")


class Record(Protocol):
    """What upkeep keeps of a cycle: when it ran, and the ``entries``, ``tokens`` and ``notes`` afterwards."""

    @property
    def at(self) -> datetime:
        """When it ran."""

    @property
    def stats(self) -> Mapping[str, int]:
        """How much there was."""


def sizes(records: Iterable[Record], since: datetime) -> tuple[Size, ...]:
    """The size of the index after the cycles since ``since``, the last of each day.

    ``records`` begin with the oldest; times are in the time zone of ``since``. A record without all of the
    figures is left out.
    """
    by_day: dict[date, Size] = {}
    for record in records:
        moment = local(record.at, since.tzinfo)
        figures = [record.stats[figure] for figure in _FIGURES if figure in record.stats]
        if moment >= since and len(figures) == len(_FIGURES):
            by_day[moment.date()] = Size(moment, *figures)
    return tuple(by_day.values())


def local(moment: datetime, zone: tzinfo | None) -> datetime:
    """``moment`` in the time zone ``zone``, which is its own where it has none."""
    if moment.tzinfo is None:
        return moment.replace(tzinfo=zone)
    try:
        return moment.astimezone(zone)
    except OverflowError:  # at the end of the calendar
        return moment


def by_week(events: Iterable[Event], mondays: Sequence[date], now: datetime) -> tuple[Week, ...]:
    """The queries of each week."""
    counts: dict[date, Counter[str]] = {week: Counter() for week in mondays}
    for event in events:
        week = monday(day_of(event.at, now))
        if week in counts and not event.wrong:
            counts[week][_word(event)] += 1
    return tuple(
        Week(
            week,
            words.total(),
            words[SURE],
            words[UNSURE],
            words[NONE],
            rate(words[SURE], words.total()),
        )
        for week, words in counts.items()
    )


def _word(event: Event) -> str:
    """How sure hippo was of an answer; journals of before tell it by what was used."""
    if event.route == NONE:
        return NONE
    return event.sure or (SURE if event.used or event.missed else UNSURE)


class Run(Protocol):
    """A hook that ran: when (ISO 8601), for which event, and the tokens that it gave."""

    @property
    def at(self) -> str:
        """When it ran."""

    @property
    def event(self) -> str:
        """The event, or ``opened`` where an agent went to a place that it was given."""

    @property
    def tokens(self) -> int:
        """The tokens of its answer."""


WAYS = {
    "SessionStart": "starts of sessions",
    "UserPromptSubmit": "prompts",
    "PreToolUse": "commands and edits",
}
"""What an agent is given unasked, by the event."""


def recall(questions: Sequence[Event], runs: Sequence[Run]) -> tuple[Recall, ...]:
    """What was given: to questions first, then by each of ``WAYS``."""
    answered = sum(_word(event) != NONE for event in questions)
    shown = sum(event.tokens for event in questions)
    rows = [Recall("questions", len(questions), answered, shown)]
    for name, way in WAYS.items():
        tokens = [run.tokens for run in runs if run.event == name]
        rows.append(Recall(way, len(tokens), sum(map(bool, tokens)), sum(tokens)))
    return tuple(rows)


def rate(sure: int, queries: int) -> float | None:
    """The share of queries of which hippo was sure; ``None`` of none."""
    return round(sure / queries, 4) if queries else None


def growth(entries: Iterable[Entry], mondays: Sequence[date], now: datetime) -> tuple[Growth, ...]:
    """The entries by the week of ``created``; those without a date count as older than all weeks."""
    added = Counter(
        monday(day_of(entry.created, now)) if entry.created else date.min for entry in entries
    )
    total = sum(number for week, number in added.items() if week < mondays[0])
    weeks = []
    for week in mondays:
        total += added[week]
        weeks.append(Growth(week, added[week], total))
    return tuple(weeks)
