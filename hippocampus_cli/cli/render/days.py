"""Days in words, as an answer says what a question was taken for."""

from __future__ import annotations

from datetime import date

from hippocampus_cli.search.days import Reading
from hippocampus_cli.search.months import MONTH_NAMES


def taken_as(one: Reading) -> str:
    """``reading 'last week' as 4 to 10 May 2026``, with what that rests on."""
    because = f" ({one.because})" if one.because else ""
    return f"reading {one.words!r} as {spelled(one.first, one.last)}{because}"


def spelled(first: date, last: date) -> str:
    """``4 to 10 May 2026``; what the ends share is said once, and a start of all time not at all."""
    end = f"{last.day} {MONTH_NAMES[last.month - 1]} {last.year}"
    if first == last:
        return end
    if first == date.min:
        return f"until {end}"
    start = str(first.day)
    if (first.year, first.month) != (last.year, last.month):
        start += f" {MONTH_NAMES[first.month - 1]}"
    if first.year != last.year:
        start += f" {first.year}"
    return f"{start} to {end}"
