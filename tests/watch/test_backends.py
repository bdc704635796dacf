"""Which folders are observed: with real notifications, waiting for them, never for a time."""

from __future__ import annotations

import errno
import queue
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hippocampus_cli.config.settings import Scan as ScanSettings
from hippocampus_cli.errors import FileUnreadable
from hippocampus_cli.watch import backends as module
from hippocampus_cli.watch.backends import WatchPlan
from hippocampus_cli.watch.mounts import Mount
from hippocampus_cli.watch.observers import FolderByFolder
from tests.watch.notebook import SECONDS

linux = pytest.mark.skipif(sys.platform != "linux", reason="of inotify")


class Eyes:
    """An outlook, and what it noticed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.noticed: queue.Queue[str | None] = queue.Queue()
        self.outlook = WatchPlan(root, ScanSettings(), self.noticed.put)

    def open(self, poll: float | None = None) -> WatchPlan:
        self.outlook.open(sys.platform, poll)
        return self.outlook

    def write(self, path: str, text: str = "x") -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def until(self, wanted: str | None) -> list[str | None]:
        """What was noticed up to ``wanted``."""
        before: list[str | None] = []
        while (found := self.noticed.get(timeout=SECONDS)) != wanted:
            before.append(found)
        return before

    @property
    def folders(self) -> set[str]:
        observing = self.outlook._observing
        assert isinstance(observing, FolderByFolder)
        return set(observing._watches)


@pytest.fixture
def eyes(tmp_path: Path) -> Iterator[Eyes]:
    made = Eyes(tmp_path)
    yield made
    made.outlook.close()


def test_a_note_that_is_written_is_noticed(eyes: Eyes) -> None:
    assert not eyes.open().backend.polls
    eyes.write("a.md")
    eyes.until(None)


@linux
def test_folders_that_are_skipped_are_not_observed(eyes: Eyes) -> None:
    for path in (".git/objects/a", "node_modules/b/c", ".hippocampus/x", "logs/x", "a/venv/x"):
        eyes.write(f"{path}.md")
    eyes.write("memory/archive/2026-01.md")
    eyes.write(".gitignore", "logs/\n")
    eyes.open()
    assert eyes.folders == {"", "a/", "memory/", "memory/archive/"}


@linux
def test_what_stirs_where_nothing_matters_is_not_noticed(eyes: Eyes) -> None:
    eyes.write("a.md")
    eyes.open()
    for path in ("HIPPOCAMPUS.md", ".HIPPOCAMPUS.md.1.hippo-tmp", "a.png", ".a.md.swp"):
        eyes.write(path)
    (eyes.root / "a.md").read_text()
    list(eyes.root.iterdir())
    (eyes.root / "sentinel").mkdir()
    assert eyes.until("sentinel") == []


@linux
def test_a_folder_that_came_with_folders_in_it_is_observed_whole(eyes: Eyes) -> None:
    eyes.open()
    eyes.write("a/b/c/deep.md")
    eyes.until("a")
    eyes.outlook.renew(["a"])
    assert eyes.folders == {"", "a/", "a/b/", "a/b/c/"}
    eyes.write("a/b/c/deep.md", "more")
    eyes.until(None)


@linux
def test_a_folder_of_the_same_name_is_another_one(eyes: Eyes) -> None:
    eyes.write("a/b/x.md")
    eyes.open()
    (eyes.root / "a").rename(eyes.root / "old")
    eyes.write("a/b/x.md")
    eyes.until("a")
    eyes.outlook.renew(["a", "old"])
    assert eyes.folders == {"", "a/", "a/b/", "old/", "old/b/"}
    (eyes.root / "sentinel").mkdir()
    eyes.until("sentinel")
    for place in ("a/b", "old/b"):
        eyes.write(f"{place}/x.md", place)
        eyes.until(None)


@linux
def test_a_changed_gitignore_changes_what_is_observed(eyes: Eyes) -> None:
    eyes.write("logs/x.md")
    eyes.open()
    assert eyes.folders == {"", "logs/"}
    eyes.write(".gitignore", "logs/\n")
    eyes.until(".gitignore")
    eyes.outlook.renew([".gitignore"])
    assert eyes.folders == {""}


@linux
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EMFILE])
def test_where_the_limit_is_reached_it_polls(
    eyes: Eyes, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    eyes.write("a/b/x.md")
    calls = []

    def schedule(*args: object, **more: object) -> object:
        calls.append(args)
        raise OSError(code, "limit reached")

    monkeypatch.setattr("watchdog.observers.api.BaseObserver.schedule", schedule)
    way = eyes.open().backend
    assert way.polls and "limit" in way.because and "sysctl" in way.advice
    assert len(calls) == 1 and eyes.outlook.found.folders == ["", "a/", "a/b/"]


@linux
def test_where_the_limit_is_reached_later_it_polls_from_then_on(
    eyes: Eyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **more: object) -> object:
        raise OSError(errno.ENOSPC, "limit reached")

    eyes.open()
    monkeypatch.setattr("watchdog.observers.api.BaseObserver.schedule", refuse)
    eyes.write("a/x.md")
    eyes.until("a")
    assert not eyes.outlook.backend.polls
    eyes.outlook.renew(["a"])
    assert eyes.outlook.backend.polls
    assert eyes.outlook.scan() is False
    eyes.write("a/y.md")
    assert eyes.outlook.scan() is True


def test_a_remote_mount_is_polled(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "mounts_of", lambda platform, root: [Mount(root, "nfs4")])
    assert eyes.open().backend.because.endswith("whose changes the system does not report")


def test_a_look_sees_what_changed_among_the_notes(eyes: Eyes) -> None:
    eyes.write("a.md", "one")
    outlook = eyes.open(poll=1)
    assert not outlook.scan()
    eyes.write("a.png")
    eyes.write(".git/a.md")
    assert not outlook.scan()
    eyes.write("a.md", "three")
    assert outlook.scan() and not outlook.scan()
    (eyes.root / "a.md").unlink()
    assert outlook.scan() and not outlook.scan()


def test_a_root_that_cannot_be_listed_is_an_error(eyes: Eyes) -> None:
    eyes.root.rmdir()
    with pytest.raises(FileUnreadable):
        eyes.open(poll=1)
    eyes.root.mkdir()
