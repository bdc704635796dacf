from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from hippocampus_cli.config import Config
from hippocampus_cli.context.lifecycle.context_session import ContextSessions
from hippocampus_cli.errors import FileUnwritable
from hippocampus_cli.maintenance import end_session as ending
from hippocampus_cli.maintenance.end_session import Ended, end_session, tidy_sessions
from hippocampus_cli.workspace.note import Note

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
MEMORY = "\ufeff# Memory\r\n\r\nOld words.  \r\n\r\n## People\r\n\r\nAda\t\r\n"
INDEX = "# HIPPOCAMPUS.md\n\n## By Topic\n"
RULE = b"Never deploy on a Friday."


@pytest.fixture
def keeper(tmp_path: Path) -> ContextSessions:
    (tmp_path / "MEMORY.md").write_bytes(MEMORY.encode())
    (tmp_path / "HIPPOCAMPUS.md").write_text(INDEX)
    made = ContextSessions(tmp_path, Config(), NOW)
    made.begin("one")
    return made


def add(keeper: ContextSessions, content: bytes, **wish: Any) -> str:
    return keeper.add("one", content, **{"type": "message", **wish})[1].entry.id


def memory(keeper: ContextSessions) -> str:
    return (keeper.root / "MEMORY.md").read_bytes().decode()


def end(keeper: ContextSessions, **more: bool) -> Ended:
    return end_session(keeper, "one", **more)


def test_what_persists_goes_to_memory_under_headings_of_its_own(keeper: ContextSessions) -> None:
    add(keeper, RULE)
    add(keeper, b"What time is it?")
    add(keeper, b"The port is 5433.\nAsk Grace.", type="state", persist=True)
    done = end(keeper)
    assert [(one.id, one.section) for one in done.kept] == [
        ("ctx_001", "Never deploy on a Friday (2026-03-01)"),
        ("ctx_003", "The port is 5433 (2026-03-01)"),
    ]
    assert (done.faded, done.rest) == ((), 1)
    assert memory(keeper) == MEMORY + (
        "\r\n## Never deploy on a Friday (2026-03-01)\r\n\r\nNever deploy on a Friday.\r\n"
        "\r\n## The port is 5433 (2026-03-01)\r\n\r\nThe port is 5433.\r\nAsk Grace.\r\n"
    )


def test_what_has_faded_is_named_and_stays_in_the_session(keeper: ContextSessions) -> None:
    key = add(keeper, b"A detail.", persist=True)
    keeper.turn("one", 100)
    done = end(keeper)
    assert (done.kept, done.faded, done.rest) == ((), (key,), 1)
    assert keeper.get("one", key).data == b"A detail."


@pytest.mark.parametrize("step", ["indexed", "_close"])
def test_cut_short_it_writes_nothing_twice(
    keeper: ContextSessions, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def die(*args: object) -> None:
        raise KeyboardInterrupt

    add(keeper, RULE)
    monkeypatch.setattr(ending, step, die)
    with pytest.raises(KeyboardInterrupt):
        end(keeper)
    monkeypatch.undo()
    (kept,) = end(keeper).kept
    assert kept.new is False
    assert memory(keeper).count("## Never deploy on a Friday") == 1
    index = (keeper.root / "HIPPOCAMPUS.md").read_text()
    assert index.count("→ MEMORY.md") == 1
    assert kept.entry is not None


def test_what_stands_there_already_is_not_written_again(keeper: ContextSessions) -> None:
    add(keeper, RULE)
    add(keeper, b"Never  deploy\non a Friday.")
    assert [one.new for one in end(keeper).kept] == [True, False]
    keeper.begin("two")
    keeper.add("two", RULE, type="message")
    assert [one.new for one in end_session(keeper, "two").kept] == [False]
    assert memory(keeper).count("\n## Never") == 1


def test_entries_that_come_meanwhile_are_kept_too(
    keeper: ContextSessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(keeper, RULE)
    real = ending._close
    late = [b"Always tag the release."]

    def close(*args: Any) -> bool:
        if late:
            add(keeper, late.pop())
        return real(*args)

    monkeypatch.setattr(ending, "_close", close)
    assert [one.new for one in end(keeper).kept] == [False, True]
    assert memory(keeper).count("\n## ") == 3


@pytest.mark.parametrize(
    "content",
    [
        b"Always\n# take\n## care",
        b"never ```\nopen a fence\n```sh\n",
        b"important <!-- hidden",
        b"always \xff\xfe bytes",
        b"remember \x1b[31m red",
        b"never\n---\nunderline",
    ],
)
def test_whatever_a_memory_says_it_stays_one_section(
    keeper: ContextSessions, content: bytes
) -> None:
    before = Note("MEMORY.md", MEMORY).sections
    add(keeper, content, persist=True, priority="critical")
    assert len(end(keeper).kept) == 1
    after = Note("MEMORY.md", memory(keeper)).sections
    assert [one.title for one in after[:-1]] == [one.title for one in before]


def test_a_long_content_leaves_its_summary(keeper: ContextSessions) -> None:
    add(keeper, b"Never deploy. " + b"More words. " * 3_000)
    end(keeper)
    assert "Never deploy." in memory(keeper)
    assert len(memory(keeper)) < len(MEMORY) + 1_500


@pytest.mark.skipif(os.name == "nt", reason="needs links")
def test_a_memory_that_leads_outside_is_not_written_and_the_session_stays_open(
    keeper: ContextSessions, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "MEMORY.md"
    outside.write_text("theirs")
    (keeper.root / "MEMORY.md").unlink()
    (keeper.root / "MEMORY.md").symlink_to(outside)
    add(keeper, RULE)
    with pytest.raises(FileUnwritable):
        end(keeper)
    assert outside.read_text() == "theirs"
    assert keeper.chosen("one").ended is None


def test_a_monthly_tidying_ends_what_is_idle(keeper: ContextSessions) -> None:
    add(keeper, RULE)
    later = ContextSessions(keeper.root, keeper.config, NOW + timedelta(days=31))
    assert tidy_sessions(later) == ["one"]
    assert "Never deploy" in memory(keeper)
    assert tidy_sessions(later) == []
