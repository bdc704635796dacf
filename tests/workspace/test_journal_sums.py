from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from hippocampus_cli.workspace.journal import fold_journal, read, record

NOW = datetime(2026, 8, 1, 9, tzinfo=UTC)


def test_old_months_become_sums_of_their_year_and_their_words_go(tmp_path: Path) -> None:
    for days in (5, 200, 500, 530, 531, 900):
        used = ["deploy"] if days != 531 else ["deploy", "budget"]
        event = {"query": f"secret words {days}", "route": "index", "results": [], "used": used}
        record(tmp_path, NOW - timedelta(days=days), event)
    kept = list(read(tmp_path, NOW - timedelta(days=390)))
    assert fold_journal(tmp_path, NOW.date()) == ["2024-02", "2025-02", "2025-03"]
    assert fold_journal(tmp_path, NOW.date()) == []
    assert list(read(tmp_path, NOW - timedelta(days=390))) == kept
    sums = tmp_path / ".hippocampus" / "journal" / "2025.json"
    found = json.loads(sums.read_text())
    assert found["used"] == {"deploy": 3, "budget": 1}
    assert {name: month["queries"] for name, month in found["months"].items()} == {
        "2025-02": 2,
        "2025-03": 1,
    }
    assert b"secret words 5" in b"".join(path.read_bytes() for path in sums.parent.iterdir())
    assert not any(b"secret words 500" in path.read_bytes() for path in sums.parent.iterdir())
    assert sums.stat().st_mode & 0o077 == 0


def test_a_kill_between_the_sums_and_the_removal_counts_nothing_twice(tmp_path: Path) -> None:
    event = {"query": "x", "route": "search", "results": [], "used": ["a"]}
    record(tmp_path, NOW - timedelta(days=500), event)
    month = next((tmp_path / ".hippocampus" / "journal").iterdir())
    data = month.read_bytes()
    fold_journal(tmp_path, NOW.date())
    month.write_bytes(data)  # as if it had not been removed yet
    fold_journal(tmp_path, NOW.date())
    sums = json.loads(month.with_name(f"{month.name[:4]}.json").read_text())
    assert sums["used"] == {"a": 1}
    month.write_bytes(data + data)  # a clock that was behind has written there since
    fold_journal(tmp_path, date(2026, 8, 2))
    assert json.loads(month.with_name(f"{month.name[:4]}.json").read_text())["used"] == {"a": 3}
