"""A watch as it runs, with real notifications, on a thread of its own; the work is a notebook's."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hippocampus_cli.errors import Busy, IndexNotFound, IndexRefused, WorkspaceGone
from hippocampus_cli.watch import observe, pace
from hippocampus_cli.watch import watch as module
from hippocampus_cli.watch.events import CHANGED, CYCLE, GONE, NOTICE, REFUSED, WatchEvent
from tests.watch.notebook import INDEX, SECONDS
from tests.watch.running import Running

linux = pytest.mark.skipif(
    sys.platform != "linux", reason="other systems tell late, and of the past"
)


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "SETTLE", 0.6)
    monkeypatch.setattr(pace, "RETRY", 0.1)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    (tmp_path / "HIPPOCAMPUS.md").write_text(INDEX)
    made = Running(tmp_path)
    yield made
    made.end()


@linux
def test_a_burst_is_one_sync(running: Running) -> None:
    running.start()
    began = time.monotonic()
    for number in range(500):
        running.write(f"memory/{number}.md")
    bursts = 1 + (time.monotonic() - began) // pace.LIMIT  # a slow machine takes longer than one
    missing = {f"memory/{number}.md" for number in range(500)}
    while missing:
        missing.discard(running.next().path)
    status = running.end().status
    assert status and 1 <= status.syncs <= 1 + bursts


@linux
def test_what_it_writes_itself_stirs_nothing(running: Running) -> None:
    running.start()
    running.write("a.md")
    assert [len(running.synced()), len(running.synced())] == [1, 0]
    _, first, settling = running.notebook.began
    assert settling - first >= pace.SETTLE  # its own writes would have called for one at once
    running.write("b.md")
    assert running.synced() == [WatchEvent(CHANGED, "b.md", None, "")]


def test_what_happens_to_notes_is_told(running: Running) -> None:
    running.start()
    running.write("a.md")
    assert running.next() == WatchEvent(CHANGED, "a.md", None, "")
    (running.root / "a.md").rename(running.root / "b.md")
    assert {running.next()[:2], running.next()[:2]} == {(CHANGED, "b.md"), (GONE, "a.md")}
    running.write("b.md", "more of it")
    assert running.next() == WatchEvent(CHANGED, "b.md", None, "")
    (running.root / "b.md").unlink()
    assert running.next() == WatchEvent(GONE, "b.md", None, "")
    told = running.end()
    assert told.reason == "a test"
    assert told.status and told.status.counts == {CHANGED: 3, GONE: 2}


def test_an_editor_that_saves_by_renaming_is_followed(running: Running) -> None:
    running.write("a.md", "one")
    running.start()
    for text in ("second", "the third"):
        running.write(".a.md.tmp4711", text)
        (running.root / ".a.md.tmp4711").replace(running.root / "a.md")
        assert running.next() == WatchEvent(CHANGED, "a.md", None, "")


def test_folders_come_go_and_move(
    running: Running, tmp_path_factory: pytest.TempPathFactory
) -> None:
    running.start()
    outside = tmp_path_factory.mktemp("outside")
    (outside / "moved/in").mkdir(parents=True)
    (outside / "moved/in/a.md").write_text("a")
    (outside / "moved").rename(running.root / "moved")
    assert running.next() == WatchEvent(CHANGED, "moved/in/a.md", None, "")
    (running.root / "moved").rename(running.root / "renamed")
    pair = {running.next()[:2], running.next()[:2]}
    assert pair == {(CHANGED, "renamed/in/a.md"), (GONE, "moved/in/a.md")}
    running.write("renamed/in/a.md", "and more")
    assert running.next() == WatchEvent(CHANGED, "renamed/in/a.md", None, "")
    (running.root / "renamed").rename(outside / "away")
    assert running.next() == WatchEvent(GONE, "renamed/in/a.md", None, "")
    running.write("new/deep/er/b.md")
    assert running.next() == WatchEvent(CHANGED, "new/deep/er/b.md", None, "")
    running.write("new/deep/er/b.md", "and more")
    assert running.next() == WatchEvent(CHANGED, "new/deep/er/b.md", None, "")


def test_polling_sees_the_same(tmp_path: Path) -> None:
    (tmp_path / "HIPPOCAMPUS.md").write_text(INDEX)
    running = Running(tmp_path, poll=0.2).start()
    try:
        running.write("deep/a.md")
        assert running.next() == WatchEvent(CHANGED, "deep/a.md", None, "")
        (tmp_path / "deep/a.md").rename(tmp_path / "b.md")
        assert {running.next()[:2], running.next()[:2]} == {(CHANGED, "b.md"), (GONE, "deep/a.md")}
    finally:
        running.end()


@linux
def test_when_the_limit_is_reached_it_says_so_and_looks(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **more: object) -> object:
        raise OSError(28, "limit reached")

    monkeypatch.setattr("watchdog.observers.api.BaseObserver.schedule", refuse)
    monkeypatch.setattr(observe, "POLL_SECONDS", 0.2)
    running.start()
    status = running.told.status
    assert status and "fs.inotify.max_user_watches" in status.backend.explanation
    running.write("new/b.md")
    assert running.next() == WatchEvent(CHANGED, "new/b.md", None, "")


@linux
def test_a_change_that_the_system_does_not_report_is_seen_when_it_looks(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observe._Handler, "on_any_event", lambda self, event: None)
    monkeypatch.setattr(module, "IDLE", 0.2)
    running.start()
    running.write("a.md")
    assert running.next() == WatchEvent(CHANGED, "a.md", None, "")


@linux
def test_when_notifications_end_it_says_so_and_looks(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "IDLE", 0.2)
    monkeypatch.setattr(observe, "POLL_SECONDS", 0.2)
    running.start()
    running.watch._observer.close()
    notice = running.next()
    assert notice.kind == NOTICE
    assert notice.detail == "the system reports no changes any more; scanning every 0.2 s"
    running.write("a.md")
    assert running.next() == WatchEvent(CHANGED, "a.md", None, "")


def test_a_refusal_is_told_once_and_tried_again(running: Running) -> None:
    running.start()
    running.notebook.refuse = [Busy(seconds=10), Busy(seconds=10)]
    running.write("a.md")
    assert running.next().kind == REFUSED
    assert running.next() == WatchEvent(CHANGED, "a.md", None, "")
    running.notebook.refuse = [IndexRefused(path="HIPPOCAMPUS.md", line=3, reason="it is odd")]
    running.write("b.md")
    refused = running.next()
    assert (refused.kind, refused.path) == (REFUSED, "HIPPOCAMPUS.md:3")
    assert "it is odd; look at the line named" in refused.detail
    assert running.next() == WatchEvent(CHANGED, "b.md", None, "")


def test_cycles_run_when_due_and_only_if_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CYCLE_SECONDS", 0.05)
    (tmp_path / "HIPPOCAMPUS.md").write_text(INDEX)
    running = Running(tmp_path, maintain=True)
    running.notebook.cycles = ["daily", "weekly"]
    running.start()
    assert [running.next().detail, running.next().detail] == ["daily", "weekly"]
    running.notebook.refuse = [IndexRefused(path="HIPPOCAMPUS.md", line=3, reason="too much")]
    assert running.next().kind == REFUSED
    running.notebook.cycles = ["monthly"]
    assert running.next() == WatchEvent(CYCLE, "", None, "monthly")
    running.end()
    running = Running(tmp_path)
    running.notebook.cycles = ["daily"]
    running.start()
    running.write("a.md")
    running.next()
    running.end()
    assert running.notebook.cycles == ["daily"]


def test_a_workspace_that_vanishes_ends_it(tmp_path: Path) -> None:
    root = tmp_path / "agent"
    root.mkdir()
    (root / "HIPPOCAMPUS.md").write_text(INDEX)
    running = Running(root, poll=0.2).start()
    root.rename(tmp_path / "elsewhere")
    running.ended()
    assert isinstance(running.error, WorkspaceGone)
    assert running.error.exit_code == 3 and str(root) in running.error.message
    assert not root.exists()


def test_without_an_index_it_does_not_begin(tmp_path: Path) -> None:
    running = Running(tmp_path)
    with pytest.raises(IndexNotFound):
        running.watch.run()
    assert list(tmp_path.iterdir()) == []


def test_a_stop_in_the_middle_of_a_sync_lets_it_finish(running: Running) -> None:
    running.start()
    running.notebook.hold = threading.Event()
    running.write("a.md")
    assert running.notebook.held.wait(SECONDS)
    running.watch.stop("a signal")
    running.notebook.hold.set()
    running.ended()
    assert running.next() == WatchEvent(CHANGED, "a.md", None, "")
    assert running.told.reason == "a signal"
