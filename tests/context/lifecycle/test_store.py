from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hippocampus_cli.config import Config
from hippocampus_cli.context.lifecycle import store as store_module
from hippocampus_cli.context.lifecycle.context_session import ContextSessions
from hippocampus_cli.context.lifecycle.session import ContextSession, digest_of
from hippocampus_cli.context.lifecycle.store import SessionChange, SessionDamaged, SessionStore
from hippocampus_cli.errors import (
    FileUnreadable,
    FileUnwritable,
    OutsideWorkspace,
    UsageError,
)

NEW = ContextSession("one", "2026-01-01T00:00:00+00:00", "2026-01-01T00:00:00+00:00")


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    made = SessionStore(tmp_path, 5.0)
    assert made.create(NEW)
    return made


def file(store: SessionStore) -> Path:
    return store.root / ".hippocampus/sessions/one/session.json"


def turned(session: ContextSession) -> tuple[SessionChange, str]:
    """A turn later, with a content."""
    return SessionChange(session._replace(turn=session.turn + 1), [b"new"]), "done"


def test_a_session_is_made_once(store: SessionStore) -> None:
    assert store.create(NEW._replace(turn=9)) is False
    assert store.read("one") == NEW
    assert store.ids() == ["one"]


@pytest.mark.parametrize(
    "key", ["", ".", "..", "../one", "a/b", "a\\b", "a.b", "-a", "a b", "é", "a\n", "x" * 81, "\0"]
)
def test_an_id_is_never_a_path(store: SessionStore, key: str) -> None:
    for act in (
        lambda: store.read(key),
        lambda: store.create(NEW._replace(id=key)),
        lambda: store.change(key, lambda session: (SessionChange(session), None)),
    ):
        with pytest.raises(UsageError):
            act()
    assert store.ids() == ["one"]


def test_a_change_is_written_with_its_contents(store: SessionStore) -> None:
    after, report = store.change("one", turned)
    assert (after.turn, report) == (1, "done")
    assert store.read("one") == after
    assert store.content("one", digest_of(b"new")) == b"new"


def test_a_failing_change_leaves_the_session_as_it_was(store: SessionStore) -> None:
    before = file(store).read_bytes()

    def fail(session: ContextSession) -> tuple[SessionChange, None]:
        raise UsageError(reason="no", advice="")

    with pytest.raises(UsageError):
        store.change("one", fail)
    assert file(store).read_bytes() == before


def test_a_writer_that_dies_between_content_and_session_loses_nothing(
    store: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = store_module.replace_bytes

    def die(path: Path, data: bytes, shown: str, mode: int) -> None:
        if path.name == "session.json":
            raise KeyboardInterrupt
        real(path, data, shown, mode=mode)

    monkeypatch.setattr(store_module, "replace_bytes", die)
    with pytest.raises(KeyboardInterrupt):
        store.change("one", turned)
    assert store.read("one") == NEW
    assert store.content("one", digest_of(b"new")) == b"new"
    monkeypatch.undo()
    assert store.change("one", turned)[0].turn == 1


def test_content_that_was_changed_or_lost_counts_as_lost_and_is_stored_again(
    store: SessionStore,
) -> None:
    store.change("one", lambda one: (SessionChange(one, [b"new"]), None))
    place = file(store).parent / "content" / digest_of(b"new")
    for spoil in (lambda: place.write_bytes(b"old"), place.unlink):
        spoil()
        assert store.content("one", digest_of(b"new")) is None
        store.change("one", lambda one: (SessionChange(one, [b"new"]), None))
        assert store.content("one", digest_of(b"new")) == b"new"


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"\xff\xfe", b"[]", b"null", b'{"version":1', b'{"version":2}', b"\0" * 99]
)
def test_a_damaged_session_is_named_and_left_alone(store: SessionStore, data: bytes) -> None:
    file(store).write_bytes(data)
    for act in (
        lambda: store.read("one"),
        lambda: store.change("one", lambda one: (SessionChange(one), None)),
    ):
        with pytest.raises(SessionDamaged) as caught:
            act()
        assert caught.value.path == ".hippocampus/sessions/one/session.json"
    with pytest.raises(SessionDamaged):
        store.open_sessions()
    assert store.create(NEW) is False
    assert file(store).read_bytes() == data


def test_a_session_that_may_not_be_looked_at_is_there_all_the_same(
    store: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a folder without permissions; those do not hold for root, who may run the tests."""
    path = file(store)
    real = Path.stat

    def stat(self: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if self == path:
            raise PermissionError(13, "Permission denied")
        return real(self, follow_symlinks=follow_symlinks)

    def forbidden(*_: object) -> bytes:
        raise FileUnreadable(path=str(path), reason="Permission denied")

    monkeypatch.setattr(Path, "stat", stat)
    monkeypatch.setattr(store_module, "read_file", forbidden)
    with pytest.raises(FileUnreadable, match="Permission denied"):
        store.read("one")


def test_a_session_copied_under_another_name_is_damaged(store: SessionStore) -> None:
    other = file(store).parent.with_name("two")
    other.mkdir()
    (other / "session.json").write_bytes(file(store).read_bytes())
    with pytest.raises(SessionDamaged, match="belongs to another"):
        store.read("two")


def test_a_hash_in_a_session_is_never_a_path(store: SessionStore) -> None:
    document = json.loads(file(store).read_bytes())
    document["entries"] = [{"earlier": ["../../../secret"]}]
    file(store).write_text(json.dumps(document))
    with pytest.raises(SessionDamaged):
        store.read("one")


@pytest.mark.skipif(os.name == "nt", reason="needs links")
@pytest.mark.parametrize(
    "place",
    [".hippocampus/sessions", ".hippocampus/sessions/one", ".hippocampus/sessions/one/content"],
)
def test_a_link_to_outside_is_not_followed(tmp_path: Path, place: str) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    outside.mkdir()
    link = inside / place
    link.parent.mkdir(parents=True)
    link.symlink_to(outside, target_is_directory=True)
    store = SessionStore(inside, 5.0)
    with pytest.raises((OutsideWorkspace, FileUnwritable)):
        store.create(NEW)
        store.change("one", lambda one: (SessionChange(one, [b"secret"]), None))
    assert not list(outside.iterdir())


def test_sessions_stay_out_of_version_control_in_old_workspaces_too(tmp_path: Path) -> None:
    ignore = tmp_path / ".hippocampus/.gitignore"
    SessionStore(tmp_path, 5.0).create(NEW)
    now = ignore.read_text()
    assert "sessions/\n" in now
    ignore.write_text(now.replace("sessions/\n", ""))
    SessionStore(tmp_path, 5.0).create(NEW._replace(id="two"))
    assert sorted(ignore.read_text().splitlines()) == sorted(now.splitlines())
    ignore.write_text("mine")
    SessionStore(tmp_path, 5.0).create(NEW._replace(id="three"))
    assert ignore.read_text().splitlines()[0] == "mine"
    assert "sessions/" in ignore.read_text().splitlines()


WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from hippocampus_cli.config import Config
from hippocampus_cli.context.lifecycle.context_session import ContextSessions

keeper = ContextSessions(Path(sys.argv[1]), Config(), datetime.now(UTC))
for number in range(int(sys.argv[3])):
    keeper.add("one", f"{sys.argv[2]} {number}".encode())
    keeper.turn("one")
    print(number, flush=True)
"""


def writer(root: Path, name: str, times: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", WRITER, str(root), name, str(times)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def test_four_writers_lose_nothing(store: SessionStore) -> None:
    writers = [writer(store.root, name, 10) for name in "abcd"]
    for one in writers:
        one.communicate(timeout=120)
    assert [one.returncode for one in writers] == [0] * 4
    session = store.read("one")
    assert session.turn == 40
    held = {store.content("one", one.content.sha256) for one in session.entries.values()}
    assert held == {f"{name} {number}".encode() for name in "abcd" for number in range(10)}


def kill_at_random(store: SessionStore, rounds: int, seed: int) -> None:
    dice = random.Random(seed)
    seen = 0
    for number in range(rounds):
        with writer(store.root, str(number), 100_000) as one:
            assert one.stdout
            one.stdout.readline()  # from its first entry on
            time.sleep(dice.random() * 0.1)
            one.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
            one.wait(timeout=30)
        entries = store.read("one").entries
        assert len(entries) >= seen
        seen = len(entries)
        for entry in entries.values():
            assert store.content("one", entry.content.sha256) is not None
    assert seen > 0
    with writer(store.root, "last", 1) as last:
        last.communicate(timeout=60)
        assert last.returncode == 0


def test_a_kill_at_any_moment_leaves_every_entry_with_its_content(store: SessionStore) -> None:
    kill_at_random(store, rounds=6, seed=1)


@pytest.mark.long
def test_a_hundred_kills(store: SessionStore) -> None:
    kill_at_random(store, rounds=100, seed=2)


NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
LATER = NOW + timedelta(days=31)


@pytest.fixture
def keeper(tmp_path: Path) -> ContextSessions:
    """A session that ended and one that is open, with an entry each."""
    made = ContextSessions(tmp_path, Config(), NOW)
    for key in ("ended", "open"):
        made.begin(key)
        made.add(key, b"\0some bytes")
    made.store.change("ended", lambda one: (SessionChange(one._replace(ended=made.stamp())), None))
    return made


def test_a_damaged_session_is_left_to_a_person(keeper: ContextSessions) -> None:
    damaged = keeper.root / ".hippocampus/sessions/open/session.json"
    damaged.write_bytes(b"{}")
    assert keeper.store.idle_sessions(LATER, 30) == []
    assert damaged.read_bytes() == b"{}"


def test_open_sessions_that_nobody_uses_are_named(keeper: ContextSessions) -> None:
    assert keeper.store.idle_sessions(LATER, 30) == ["open"]
    assert keeper.store.idle_sessions(NOW, 30) == []
