"""Days on the command line."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from hippocampus_cli.errors import UsageError
from hippocampus_cli.fast_types import pattern

_AGO = pattern(r"(\d{1,4})([dwmy])")
_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365}


def day(text: str | None, option: str, now: datetime) -> date | None:
    """The day that ``text`` names: ISO, ``today``, ``yesterday``, or ``30d``/``6w``/``3m``/``1y`` ago.

    Raises :class:`UsageError`.
    """
    if text is None:
        return None
    today = now.date()
    word = text.strip().lower()
    if word in ("today", "yesterday"):
        return today - timedelta(days=word == "yesterday")
    try:
        if ago := _AGO.fullmatch(word):
            return today - timedelta(days=int(ago[1]) * _DAYS[ago[2]])
        return date.fromisoformat(word)
    except (ValueError, OverflowError):
        advice = "write it as 2026-05-31, today, yesterday, or 30d, 6w, 3m, 1y for so long ago"
        raise UsageError(
            reason=f"{option}: {text[:40]!r} is not a valid date", advice=advice
        ) from None
