"""Days in words."""

from __future__ import annotations

from datetime import date

import pytest

from hippocampus_cli.cli.render.answer import spelled, taken_as
from hippocampus_cli.dates.expressions import Reading


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (date(2026, 5, 4), date(2026, 5, 4), "4 May 2026"),
        (date(2026, 5, 4), date(2026, 5, 10), "4 to 10 May 2026"),
        (date(2026, 6, 27), date(2026, 7, 3), "27 June to 3 July 2026"),
        (date(2025, 12, 27), date(2026, 1, 3), "27 December 2025 to 3 January 2026"),
        (date.min, date(2026, 1, 3), "until 3 January 2026"),
    ],
)
def test_what_the_ends_share_is_said_once(first: date, last: date, words: str) -> None:
    assert spelled(first, last) == words


def test_what_words_were_taken_for_and_why() -> None:
    read = Reading("two days ago", date(2026, 5, 4), date(2026, 5, 4), "audit: 2026-05-06, a.md:1")
    assert taken_as(read) == "interpreted 'two days ago' as 4 May 2026 (audit: 2026-05-06, a.md:1)"
