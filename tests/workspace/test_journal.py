from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.workspace.journal import Answered, Event, _event, drop_old_months, read, record
from hippocampus_cli.workspace.state import rows

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
GOOD = b'{"at":"2026-06-15T12:00:00+00:00","route":"index"}'


def write(root: Path, month: str, *lines: bytes) -> Path:
    path = root / f".hippocampus/journal/{month}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


def test_what_was_recorded_is_read_back(tmp_path: Path) -> None:
    event = {
        "query": "deploy \ud83d command",
        "route": "both",
        "results": [["TOOLS.md", "Deploy", "deploy"], ["a.md", None, None]],
        "used": ["deploy"],
    }
    record(tmp_path, NOW, event)
    results = (Answered("TOOLS.md", "Deploy", "deploy"), Answered("a.md", None, None))
    assert list(read(tmp_path, NOW)) == [
        Event(NOW, "deploy \ud83d command", "both", results, ("deploy",))
    ]


def test_only_what_is_not_older(tmp_path: Path) -> None:
    assert list(read(tmp_path, NOW)) == []
    for days in (400, 60, 30, 1, 0):
        record(tmp_path, NOW - timedelta(days=days), {"route": "index"})
    since = NOW - timedelta(days=30)
    assert [event.at for event in read(tmp_path, since)] == [since, NOW - timedelta(days=1), NOW]
    assert list(read(tmp_path, NOW + timedelta(days=400))) == []
    months = tmp_path / ".hippocampus/journal"
    assert (months / "2025-05.jsonl").exists()
    drop_old_months(tmp_path, NOW.date())
    assert sorted(path.stem for path in months.glob("*.jsonl")) == ["2026-04", "2026-05", "2026-06"]


def test_a_month_that_had_begun_elsewhere(tmp_path: Path) -> None:
    """A query at the last evening of May, west of here, is in the file of May and after its end here."""
    west = timezone(timedelta(hours=-8))
    record(tmp_path, datetime(2026, 5, 31, 20, tzinfo=west), {"route": "none"})
    assert len(list(read(tmp_path, datetime(2026, 6, 1, tzinfo=UTC)))) == 1


def test_broken_lines_are_passed_over(tmp_path: Path) -> None:
    write(
        tmp_path,
        "2026-06",
        GOOD,
        b"",
        b"{",
        b"\xff\xfe\0",
        b"null",
        b"[1]",
        b'"at"',
        b'{"at":7,"route":"index"}',
        b'{"at":"yesterday","route":"index"}',
        b'{"at":"2026-06-15T12:00:00+00:00","route":["index"]}',
        b'{"at":"2026-06-15T12:00:00+00:00","route":"magic"}',
        b'{"at":"2026-06-15T12:00:00+00:00","route":"index","results":[["a.md"]]}',
        b'{"at":"2026-06-15T12:00:00+00:00","route":"index","results":3}',
        b"[" * 100_000,
        GOOD[:-10],
        b'{"at":"2026-06-15T12:00:00","route":"search"}',
    )
    assert [event.route for event in read(tmp_path, LONG_AGO)] == ["index", "search"]


def test_other_files_are_no_journal(tmp_path: Path) -> None:
    write(tmp_path, "2026-06", GOOD)
    folder = tmp_path / ".hippocampus/journal"
    (folder / "2026-06.jsonl.bak").write_bytes(GOOD)
    (folder / "2026-07.jsonl").mkdir()
    assert len(list(read(tmp_path, LONG_AGO))) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
def test_a_link_that_leads_out_is_not_followed(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = write(tmp_path_factory.mktemp("elsewhere"), "2026-06", GOOD)
    folder = tmp_path / ".hippocampus/journal"
    folder.mkdir(parents=True)
    (folder / "2026-06.jsonl").symlink_to(elsewhere)
    assert list(read(tmp_path, LONG_AGO)) == []


_json = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
_events = st.fixed_dictionaries(
    {"at": _json | st.datetimes().map(str), "route": _json | st.just("index")},
    optional={"query": _json, "results": _json, "used": _json, "hits": _json},
)


@given(_events)
def test_no_event_is_too_odd_to_be_passed_over(raw: object) -> None:
    import json

    line = json.dumps(raw).encode()
    assert all(event.at.tzinfo is not None for event in rows([line], partial(_event, UTC)))
