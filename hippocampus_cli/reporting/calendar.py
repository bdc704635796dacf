"""Days and weeks of a report."""

from __future__ import annotations

from datetime import date, datetime, timedelta

WEEK = timedelta(days=7)


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
