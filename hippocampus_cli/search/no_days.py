"""Dates that the calendar does not have: ``2026-02-30``, ``30 February``. Somebody mistyped, and should be told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import cache

from hippocampus_cli.search import spans
from hippocampus_cli.search.day_names import Names
from hippocampus_cli.search.day_words import words_in

_LONGEST = 4_000  # characters that are looked at
_MOST = 3


def no_days(text: str, today: date) -> tuple[str, ...]:
    """The words of ``text``, in its order, that are written as a day and are none."""
    head = text[:_LONGEST]
    words = words_in(head)
    names = Names(words, today)
    found: dict[int, str] = dict(_like_iso(head))
    at = 0
    while at < len(words) and len(found) < _MOST:
        end = names.no_day(at)
        if end:
            found[words[at].start] = head[words[at].start : words[end - 1].end]
        at = max(end, at + 1)
    return tuple(dict.fromkeys(found[start] for start in sorted(found)))[:_MOST]


def _like_iso(text: str) -> Iterator[tuple[int, str]]:
    """Where such dates stand that begin with their year, and how they are written."""
    for one in _year_first().finditer(text):
        if spans.day(int(one[1]), int(one[3]), int(one[4])) is None:
            yield one.start(), one[0]


@cache
def _year_first() -> re.Pattern[str]:
    return re.compile(r"(?<![\w./-])((?:19|20)\d\d)([-/])(\d\d?)\2(\d\d?)(?![\w/-]|\.\w)", re.ASCII)
