from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.config.settings import Bands, Decay
from hippocampus_cli.index.decay import DecayClock, band
from hippocampus_cli.index.parse import parse
from hippocampus_cli.report.assess import STEPS, assess, forecast_of
from hippocampus_cli.report.health import Health, Mention
from tests.index.strategies import DOCUMENTS, TEXTS
from tests.report.samples import NOW, entry, known, lively, nothing


def ids(mentions: tuple[Mention, ...]) -> list[str]:
    return [one.id for one in mentions]


def test_bands_and_their_average() -> None:
    text = (
        entry("new")
        + entry("week", accessed="2026-06-10")
        + entry("old", accessed="2024-01-01", base=0.2, str=0.02)
        + entry("pinned", accessed="2020-01-01", pri="amygdala", str=0.9, base=0.9)
    )
    health = assess(known(text))
    assert health.bands == {"strong": 2, "moderate": 0, "weak": 1, "decaying": 0, "silent": 1}
    expected = (1.0 + 17.8**-0.3 + 0.2 * (1 + 0.1 * 898 * 24) ** -0.3 + 0.9) / 4
    assert health.average == pytest.approx(expected, abs=1e-4)
    assert (health.entries, health.pinned) == (4, 1)


@given(TEXTS | DOCUMENTS)
def test_the_forecast_is_what_a_later_clock_says(text: str) -> None:
    entries = [located.entry for located in parse(text).entries]
    clock = DecayClock(NOW, Decay(), frozenset(one.id for one in entries), NOW)
    for step in forecast_of([clock.curve(one) for one in entries], clock, Bands()):
        later = clock._replace(now=NOW + timedelta(days=step.days))
        strengths = [later.strength(one) for one in entries]
        names = [band(one, Bands()).value for one in strengths]
        assert step.bands == {name: names.count(name) for name in step.bands}
        if entries:
            assert step.average == pytest.approx(sum(strengths) / len(strengths), abs=1e-4)
        assert step.day == later.now.date()


@given(TEXTS | DOCUMENTS)
def test_an_untouched_index_only_fades(text: str) -> None:
    steps = assess(known(text)).forecast
    assert [step.days for step in steps] == [*STEPS]
    averages = [step.average or 0.0 for step in steps]
    assert averages == sorted(averages, reverse=True)
    assert {sum(step.bands.values()) for step in steps} == {len(parse(text).entries)}


def test_orphans_have_no_relation_in_either_direction() -> None:
    text = (
        entry("a", rel="b,gone")
        + entry("b")
        + entry("alone")
        + entry("self", rel="self")
        + entry("lost", rel="gone")
    )
    assert ids(assess(known(text)).orphans) == ["alone", "self", "lost"]


def test_use() -> None:
    text = (
        entry("young", created="2026-06-10")
        + entry("often", hits=9)
        + entry("undated", created="")
        + entry("once", hits=1)
        + entry("elder", created="2025-01-01")
    )
    health = assess(known(text))
    assert ids(health.most_used) == ["often", "once"]
    assert ids(health.never_used) == ["undated", "elder", "young"]


def test_silent_entries_and_those_that_wait() -> None:
    faint = {"accessed": "2024-01-01", "base": 0.2}
    text = (
        entry("weaker", **{**faint, "base": 0.1})
        + entry("well")
        + "# Decay Queue\n\n## Decay Queue\n\n#"
        + entry("queued", queued="2026-06-01", **faint)
    )
    health = assess(known(text))
    assert ids(health.silent) == ["weaker", "queued"]
    assert str(health.silent[1].queued) == "2026-06-01"
    assert health.silent_waiting == 1


def test_cycles_are_overdue_by_their_own_last_run() -> None:
    ago = {"daily": timedelta(days=3), "weekly": timedelta(days=8), "monthly": timedelta(days=36)}
    cycles = {name: NOW - days for name, days in ago.items()}
    found = {one.name: one.overdue for one in assess(known("", cycles=cycles)).cycles}
    assert found == {"daily": True, "weekly": False, "monthly": True}


def test_a_cycle_that_never_ran_is_overdue_once_upkeep_is_old_enough() -> None:
    cycles = {"daily": NOW - timedelta(hours=1)}

    def late(days: int) -> list[str]:
        health = assess(known("", cycles=cycles, began=NOW - timedelta(days=days)))
        return [one.name for one in health.cycles if one.overdue]

    assert late(1) == []
    assert late(10) == ["weekly"]
    assert late(40) == ["weekly", "monthly"]
    assert all(one.overdue for one in nothing().cycles)


def test_nothing_at_all() -> None:
    health = nothing()
    assert (health.entries, health.average, health.hit_rate) == (0, None, None)
    assert [one.command for one in health.advice] == ["hippo bootstrap"]


def test_a_lively_index_fills_every_field() -> None:
    health = lively()
    assert all(health.bands.values())
    empty = [one.name for one in fields(Health) if getattr(health, one.name) in (None, (), 0)]
    assert empty == ["pinned"]


@given(st.datetimes(datetime(1990, 1, 1), datetime(2200, 1, 1)))
def test_any_moment(moment: datetime) -> None:
    now = moment.replace(tzinfo=UTC)
    there = known(entry("a", created=f"{now:%Y-%m-%d}"))
    health = assess(type(there)(**{**_values(there), "clock": there.clock._replace(now=now)}))
    assert sum(one.added for one in health.growth) == 1
    assert health.growth[-1].entries == 1


def _values(there: object) -> dict[str, object]:
    return {one.name: getattr(there, one.name) for one in fields(there)}  # type: ignore[arg-type]
