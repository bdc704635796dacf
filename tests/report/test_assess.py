"""The health of an index from what is known of it: figures, and the report of a real folder."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.config.settings import Bands
from hippocampus_cli.index.decay import band
from hippocampus_cli.index.parse import parse
from hippocampus_cli.report.assess import assess
from hippocampus_cli.report.health import Health, Mention
from hippocampus_cli.workspace.journal import record
from tests.support.documents import DOCUMENTS, TEXTS
from tests.support.reports import entry, known, lively, nothing
from tests.support.workspaces import NOW as ACME_NOW
from tests.support.workspaces import acme, snapshot


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
def test_the_first_day_on_which_one_falls_silent(text: str) -> None:
    health, entries = assess(known(text)), parse(text).entries
    clock = known(text).clock
    bands = Counter(band(clock.strength(one.entry), Bands()).value for one in entries)
    assert health.bands == {name: bands[name] for name in health.bands}
    if health.fades_on and health.fades_on.year < 2999:
        for day, some in ((health.fades_on - timedelta(days=1), False), (health.fades_on, True)):
            later = clock._replace(now=datetime(day.year, day.month, day.day, 12, tzinfo=UTC))
            silent = sum(later.strength(one.entry) < Bands().silent for one in entries)
            assert (silent > bands["silent"]) == some


def test_orphans_have_no_relation_in_either_direction() -> None:
    text = (
        entry("a", rel="b,gone")
        + entry("b")
        + entry("alone")
        + entry("self", rel="self")
        + entry("lost", rel="gone")
    )
    assert ids(assess(known(text)).orphans) == ["alone", "self", "lost"]


def test_silent_entries_come_weakest_first() -> None:
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


def test_nothing_at_all() -> None:
    health = nothing()
    assert (health.entries, health.average, health.sure_rate) == (0, None, None)


def test_a_lively_index_fills_every_field() -> None:
    health = lively()
    assert all(health.bands.values())
    empty = [name for name in Health._fields if getattr(health, name) in (None, (), 0)]
    assert empty == ["pinned", "high"]


@given(st.datetimes(datetime(1990, 1, 1), datetime(2200, 1, 1)))
def test_any_moment(moment: datetime) -> None:
    now = moment.replace(tzinfo=UTC)
    there = known(entry("a", created=f"{now:%Y-%m-%d}"))
    health = assess(there.replaced(clock=there.clock._replace(now=now)))
    assert sum(one.added for one in health.growth) == 1
    assert health.growth[-1].entries == 1


def test_the_report_of_a_workspace(tmp_path: Path) -> None:
    with acme(tmp_path) as ws:
        record(ws.root, ACME_NOW, {"route": "index", "sure": "sure"})
        record(ws.root, ACME_NOW, {"route": "none"})
        history = ws.root / ".hippocampus/history/0001-daily.json"
        history.parent.mkdir()
        stats = {"entries": 4, "tokens": 250, "notes": 5}
        cycle = {"number": 1, "cycle": "daily", "at": "2026-01-30T02:30:00+00:00", "stats": stats}
        nothing = {"actions": [], "strengths": {}, "undoes": None, "forced": False}
        history.write_text(json.dumps({**cycle, **nothing}))
        before = snapshot(ws.root)
        health = ws.at(ACME_NOW).upkeep.report()
        assert snapshot(ws.root) == before
    assert (health.workspace, health.entries, health.tokens) == ("acme", 5, 460)
    assert (health.queries, health.sure_rate) == (2, 0.5)
    assert [(one.entry, one.pointer, one.status) for one in health.broken] == [
        ("old-office-wifi", "memory/wifi.md", "missing-file")
    ]
    assert health.pointers == 6
    assert [one.tokens for one in health.sizes] == [250]
    assert len(health.weeks) == len(health.growth) == 1  # hippo has been there since Friday


def test_pointers_of_every_kind(tmp_path: Path) -> None:
    with acme(tmp_path) as ws:
        index = "- A → TOOLS.md §Nothing like it | projects/ | ../out.md | TOOLS.md §Verzel\n"
        (ws.root / "HIPPOCAMPUS.md").write_text(index)
        health = ws.at(ACME_NOW).upkeep.report()
    assert [one.status for one in health.broken] == ["missing-section", "outside"]
