"""``.hippocampus/meta.json``: damaged, it says nothing; whole, it says when each cycle is due."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hippocampus_cli.workspace import state
from hippocampus_cli.workspace.meta import Meta, read_meta, written

NOW = datetime(2026, 8, 1, 2, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('{"cycles":{"daily":"2026-05-01T02:30:00Z","weekly":7}}', []),
        ('{"cycles":{"monthly":"2026-05-01T02:30:00Z"}}', ["monthly"]),
        ('{"cycles":["daily"]}', []),
        ("{}", []),
        ("", []),
        ("\x00", []),
    ],
)
def test_when_the_cycles_ran(tmp_path: Path, text: str, names: list[str]) -> None:
    (tmp_path / ".hippocampus").mkdir()
    (tmp_path / ".hippocampus/meta.json").write_text(text)
    found = read_meta(tmp_path).cycles
    assert list(found) == names
    assert all(moment.tzinfo for moment in found.values())


def test_what_is_written_reads_back_but_not_what_is_larger_than_any_file_of_hippos(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meta = Meta({"daily": NOW, "weekly": NOW - timedelta(days=3)}, NOW, None, NOW)
    (tmp_path / ".hippocampus").mkdir()
    (tmp_path / ".hippocampus/meta.json").write_bytes(written(meta, {"entries": 3}))
    assert read_meta(tmp_path) == meta
    monkeypatch.setattr(state, "MOST_BYTES", 4)
    assert read_meta(tmp_path) == Meta()


@pytest.mark.parametrize(
    ("days", "due"),
    [
        ((0, 0, 0), []),
        ((1, 1, 1), ["daily"]),
        ((1, 7, 8), ["daily", "weekly"]),
        ((40, 40, 40), ["daily", "weekly", "monthly"]),
        ((0, None, 0), ["weekly"]),
        ((None, None, None), ["daily", "weekly", "monthly"]),
        ((-3, 0, 0), ["daily"]),
    ],
)
def test_a_cycle_is_due_by_the_day_not_by_the_hour(
    days: tuple[int | None, ...], due: list[str]
) -> None:
    names = ("daily", "weekly", "monthly")
    at = {
        name: NOW + timedelta(minutes=20) - timedelta(days=age)
        for name, age in zip(names, days, strict=True)
        if age is not None
    }
    assert Meta(at).due(NOW) == due


@pytest.mark.parametrize(
    ("age", "due"),
    [
        (0, ["daily"]),
        (6, ["daily"]),
        (7, ["daily", "weekly"]),
        (30, ["daily", "weekly", "monthly"]),
        (-1, ["daily", "weekly", "monthly"]),
    ],
)
def test_a_new_index_waits_for_its_longer_cycles(age: int, due: list[str]) -> None:
    assert Meta(made=NOW - timedelta(days=age)).due(NOW) == due


def test_an_alarm_comes_later_than_the_cycle() -> None:
    meta = Meta(dict.fromkeys(("daily", "weekly", "monthly"), NOW - timedelta(days=2)))
    assert meta.due(NOW) == ["daily"]
    assert meta.due(NOW, grace=2) == []
