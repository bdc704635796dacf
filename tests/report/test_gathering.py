from __future__ import annotations

import json
from pathlib import Path

import pytest

from hippocampus_cli.errors import IndexNotFound, UsageError
from hippocampus_cli.workspace.journal import record
from tests.entries.places import NOW, acme, snapshot


def test_the_report_of_a_workspace(tmp_path: Path) -> None:
    with acme(tmp_path) as ws:
        record(ws.root, NOW, {"route": "index"})
        record(ws.root, NOW, {"route": "none"})
        history = ws.root / ".hippocampus/history/0001-daily.json"
        history.parent.mkdir()
        stats = {"entries": 4, "tokens": 250, "notes": 5}
        history.write_text(json.dumps({"at": "2026-01-30T02:30:00+00:00", "stats": stats}))
        (ws.root / ".hippocampus/meta.json").write_text(
            '{"cycles": {"daily": "2026-02-01T02:30:00Z"}}'
        )
        before = snapshot(ws.root)
        health = ws.report(now=NOW)
        assert snapshot(ws.root) == before
    assert (health.workspace, health.entries, health.tokens) == ("acme", 5, 303)
    assert (health.queries, health.hit_rate) == (2, 0.5)
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
        health = ws.report(now=NOW)
    assert [one.status for one in health.broken] == ["missing-section", "outside"]


@pytest.mark.parametrize("weeks", [0, -1, 521, 10**9])
def test_a_number_of_weeks_out_of_bounds(tmp_path: Path, weeks: int) -> None:
    with acme(tmp_path) as ws, pytest.raises(UsageError):
        ws.report(weeks=weeks, now=NOW)


def test_without_an_index(tmp_path: Path) -> None:
    with acme(tmp_path) as ws:
        (ws.root / "HIPPOCAMPUS.md").unlink()
        with pytest.raises(IndexNotFound):
            ws.report(now=NOW)
