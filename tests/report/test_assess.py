"""The health of an index from what is known of it: figures, advice, and the report of a real folder."""

from __future__ import annotations

import json
import shlex
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.config.settings import Bands, Decay
from hippocampus_cli.errors import IndexNotFound, UsageError
from hippocampus_cli.index.decay import DecayClock, band
from hippocampus_cli.index.parse import parse
from hippocampus_cli.report.assess import STEPS, advice, assess, forecast_of
from hippocampus_cli.report.health import Broken, Health, Mention
from hippocampus_cli.workspace.journal import record
from tests.support.documents import DOCUMENTS, TEXTS
from tests.support.reports import NOW, entry, event, known, lively, nothing
from tests.support.workspaces import NOW as ACME_NOW
from tests.support.workspaces import acme, snapshot

RAN = {name: NOW - timedelta(hours=1) for name in ("daily", "weekly", "monthly")}


def commands(health: Health) -> list[str]:
    return [one.command for one in advice(health)]


def healthy() -> Health:
    related = entry("a", rel="b", pri="amygdala") + entry("b", rel="a", pri="amygdala")
    return assess(known(related, cycles=RAN))


def test_a_healthy_index_needs_nothing() -> None:
    assert commands(healthy()) == []


def test_pointers_that_lead_nowhere() -> None:
    broken = (Broken("a", "A", "x.md", "missing-file"),)
    (one,) = advice(replace(healthy(), broken=broken))
    assert (one.why, one.command) == ("1 pointer is broken", "hippo check")
    (two,) = advice(replace(healthy(), broken=broken * 2_000))
    assert two.why == "2,000 pointers are broken"


def test_upkeep_that_never_ran_and_upkeep_that_is_late() -> None:
    text = entry("a", rel="b", pri="amygdala") + entry("b", pri="amygdala")
    assert commands(assess(known(text))) == ["hippo maintain --due", "hippo schedule install"]
    late = {**RAN, "daily": NOW - timedelta(days=4), "weekly": NOW - timedelta(days=40)}
    (one,) = advice(assess(known(text, cycles=late)))
    assert one.why == "daily and weekly upkeep is overdue"


def test_an_index_over_its_budget() -> None:
    (one,) = advice(replace(healthy(), tokens=15_001))
    assert (one.why, one.command) == ("the index is 1 tokens over its budget", "hippo weekly")


def test_a_poor_found_rate_counts_only_with_some_queries() -> None:
    text = entry("a", rel="b", pri="amygdala") + entry("b", pri="amygdala")
    few = [event(1, "none")] * 9
    assert commands(assess(known(text, cycles=RAN, events=few))) == []
    many = [*few, event(1, "index"), event(1, "both")]
    (one,) = advice(assess(known(text, cycles=RAN, events=many)))
    assert one.command == "hippo status"
    assert "only 18% of 11 queries" in one.why


def test_entries_that_will_fall_silent() -> None:
    text = entry("a", rel="b", base=0.4, accessed="2026-05-13") + entry("b", pri="amygdala")
    health = assess(known(text, cycles=RAN))
    assert health.bands["silent"] == 0
    (one,) = advice(health)
    assert one.why.startswith("1 entry becomes silent within 28 days")
    assert one.command == "hippo tag ID --pri amygdala"


def test_many_orphans() -> None:
    text = "".join(entry(name, pri="amygdala") for name in "abc") + entry("d", rel="a")
    due = {**RAN, "weekly": NOW - timedelta(days=7)}
    (one,) = advice(assess(known(text, cycles=due)))
    assert one.why.startswith("2 of 4 entries have no relations")
    assert not commands(assess(known(text, cycles=RAN)))  # weekly upkeep did what it can


def test_no_text_of_the_workspace_is_in_a_command() -> None:
    for one in lively().advice:
        assert "script" not in one.command + one.why
        assert shlex.split(one.command)[0] == "hippo"


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
    assert (health.entries, health.average, health.found_rate) == (0, None, None)
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


def test_the_report_of_a_workspace(tmp_path: Path) -> None:
    with acme(tmp_path) as ws:
        record(ws.root, ACME_NOW, {"route": "index"})
        record(ws.root, ACME_NOW, {"route": "none"})
        history = ws.root / ".hippocampus/history/0001-daily.json"
        history.parent.mkdir()
        stats = {"entries": 4, "tokens": 250, "notes": 5}
        cycle = {"number": 1, "cycle": "daily", "at": "2026-01-30T02:30:00+00:00", "stats": stats}
        nothing = {"actions": [], "strengths": {}, "undoes": None, "forced": False}
        history.write_text(json.dumps({**cycle, **nothing}))
        (ws.root / ".hippocampus/meta.json").write_text(
            '{"cycles": {"daily": "2026-02-01T02:30:00Z"}}'
        )
        before = snapshot(ws.root)
        health = ws.upkeep.report(now=ACME_NOW)
        assert snapshot(ws.root) == before
    assert (health.workspace, health.entries, health.tokens) == ("acme", 5, 460)
    assert (health.queries, health.found_rate) == (2, 0.5)
    assert [(one.entry, one.pointer, one.status) for one in health.broken] == [
        ("old-office-wifi", "memory/wifi.md", "missing-file")
    ]
    assert health.pointers == 6
    assert [one.tokens for one in health.sizes] == [250]
    assert [(one.name, one.last is not None) for one in health.cycles] == [
        ("daily", True),
        ("weekly", False),
        ("monthly", False),
    ]
    assert len(health.weeks) == len(health.growth) == 12


def test_pointers_of_every_kind(tmp_path: Path) -> None:
    with acme(tmp_path) as ws:
        index = "- A → TOOLS.md §Nothing like it | projects/ | ../out.md | TOOLS.md §Verzel\n"
        (ws.root / "HIPPOCAMPUS.md").write_text(index)
        health = ws.upkeep.report(now=ACME_NOW)
    assert [one.status for one in health.broken] == ["missing-section", "outside"]


@pytest.mark.parametrize("weeks", [0, -1, 521, 10**9])
def test_a_number_of_weeks_out_of_bounds(tmp_path: Path, weeks: int) -> None:
    with acme(tmp_path) as ws, pytest.raises(UsageError):
        ws.upkeep.report(weeks=weeks, now=ACME_NOW)


def test_without_an_index(tmp_path: Path) -> None:
    with acme(tmp_path) as ws:
        (ws.root / "HIPPOCAMPUS.md").unlink()
        with pytest.raises(IndexNotFound):
            ws.upkeep.report(now=ACME_NOW)
