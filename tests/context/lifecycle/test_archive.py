from __future__ import annotations

import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hippocampus_cli.config import Config
from hippocampus_cli.context.lifecycle import store as archive_module
from hippocampus_cli.context.lifecycle.context_session import Keeper
from hippocampus_cli.context.lifecycle.ingest import AddRequest
from hippocampus_cli.context.lifecycle.store import Change, archive_sessions, idle_sessions
from hippocampus_cli.errors import SessionNotFound

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
LATER = NOW + timedelta(days=31)


@pytest.fixture
def keeper(tmp_path: Path) -> Keeper:
    """A session that ended and one that is open, with an entry each."""
    made = Keeper(tmp_path, Config(), NOW)
    for key in ("ended", "open"):
        made.begin(key)
        made.add(key, b"\0some bytes", AddRequest())
    made.store.change("ended", lambda one: (Change(one._replace(ended=made.stamp())), None))
    return made


def archive(keeper: Keeper, now: datetime = LATER, dry_run: bool = False) -> list[str]:
    done = archive_sessions(keeper.root, 5.0, now, 30, dry_run=dry_run)
    return [one.id for one in done]


def folder(keeper: Keeper) -> Path:
    return keeper.root / ".hippocampus/sessions/ended"


def held(path: Path) -> set[bytes]:
    with zipfile.ZipFile(path) as archive:
        return {archive.read(name) for name in archive.namelist()}


def test_what_ended_long_ago_becomes_one_file(keeper: Keeper) -> None:
    files = {path.read_bytes() for path in folder(keeper).rglob("*") if path.is_file()}
    (done,) = archive_sessions(keeper.root, 5.0, LATER, 30)
    assert (done.id, done.entries) == ("ended", 1)
    assert held(keeper.root / done.path) == files
    assert keeper.store.ids() == ["open"]
    assert archive(keeper) == []


def test_what_ended_lately_and_what_is_open_stay(keeper: Keeper) -> None:
    assert archive(keeper, NOW + timedelta(days=29)) == []
    assert keeper.store.ids() == ["ended", "open"]


def test_a_dry_run_changes_nothing(keeper: Keeper) -> None:
    assert archive(keeper, dry_run=True) == ["ended"]
    assert keeper.store.ids() == ["ended", "open"]


def test_an_archived_session_is_named_and_its_id_stays_taken(keeper: Keeper) -> None:
    archive(keeper)
    with pytest.raises(SessionNotFound) as caught:
        keeper.chosen("ended")
    assert caught.value.advice == "its contents are in .hippocampus/sessions/ended.zip"
    with pytest.raises(SessionNotFound):
        keeper.begin("ended")


@pytest.mark.parametrize("step", ["rename", "rmtree"])
def test_cut_short_it_is_finished_the_next_time(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    files = {path.read_bytes() for path in folder(keeper).rglob("*") if path.is_file()}

    def die(*args: object, **more: object) -> None:
        raise KeyboardInterrupt

    target = Path if step == "rename" else archive_module.shutil
    monkeypatch.setattr(target, step, die)
    with pytest.raises(KeyboardInterrupt):
        archive(keeper)
    monkeypatch.undo()
    archive(keeper)
    sessions = folder(keeper).parent
    assert held(sessions / "ended.zip") == files
    assert sorted(path.name for path in sessions.iterdir()) == ["ended.zip", "open"]


def test_a_damaged_session_is_left_to_a_person(keeper: Keeper) -> None:
    damaged = folder(keeper).with_name("open") / "session.json"
    damaged.write_bytes(b"{}")
    assert idle_sessions(keeper.root, 5.0, LATER, 30) == []
    assert archive(keeper) == ["ended"]
    assert damaged.read_bytes() == b"{}"


def test_open_sessions_that_nobody_uses_are_named(keeper: Keeper) -> None:
    assert idle_sessions(keeper.root, 5.0, LATER, 30) == ["open"]
    assert idle_sessions(keeper.root, 5.0, NOW, 30) == []
