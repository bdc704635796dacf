"""The made-up year: the same for the same seed, and true to what it says of itself."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import pytest

from bench.year.diary import Diary
from bench.year.questions import HELD_OUT, Asker
from bench.year.world import Change

FIRST = date(2025, 1, 6)
DAYS = 70


def changes(diary: Diary, days: int = DAYS) -> Iterator[Change]:
    yield from diary.begin()
    for number in range(days):
        yield from diary.day(FIRST + timedelta(days=number))


@pytest.fixture(scope="module")
def written() -> tuple[Diary, dict[str, str]]:
    """A diary of ten weeks, and the files that its changes come to."""
    diary, files = Diary(FIRST, 1), {}
    for change in changes(diary):
        if change.source is not None:
            files[change.path] = files.pop(change.source)
        elif change.text is None:
            del files[change.path]
        else:
            files[change.path] = change.text
    return diary, files


def test_a_seed_makes_one_year() -> None:
    one, same, other = (list(changes(Diary(FIRST, seed), 20)) for seed in (1, 1, 2))
    assert one == same != other


def test_the_changes_come_to_the_notes_there_are(written: tuple[Diary, dict[str, str]]) -> None:
    diary, files = written
    assert files == {path: page.text for path, page in diary.world.pages.items()}


def test_every_fact_stands_where_it_is_said_to(written: tuple[Diary, dict[str, str]]) -> None:
    diary, files = written
    found = 0
    for fact in (fact for facts in diary.by_day.values() for fact in facts):
        gold = diary.world.gold(fact)
        if gold:
            lines = files[gold.path].splitlines()[gold.start - 1 : gold.end]
            assert lines[0].startswith("##")
            assert f"- {fact.line}" in lines or f"- {fact.full}" in lines
            found += 1
    assert found > 500


def test_what_is_held_out_is_asked_only_to_measure(written: tuple[Diary, dict[str, str]]) -> None:
    asker, day = Asker(written[0], 1), FIRST + timedelta(days=DAYS)
    daily = [int(one.id) for _ in range(30) for one in asker.daily(day, 6)]
    measured = [int(one.id) for one in asker.held_out(day, 60)]
    assert len(daily) == 180
    assert not any(number % HELD_OUT == 0 for number in daily)
    assert len(measured) == 60 and all(number % HELD_OUT == 0 for number in measured)
    assert asker.held_out(day, 60) == asker.held_out(day, 60)
