"""How a workspace is observed, and which changes matter."""

from __future__ import annotations

import errno
import queue
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from watchdog.events import DirCreatedEvent, FileDeletedEvent, FileModifiedEvent, FileMovedEvent

from hippocampus_cli.config.settings import Scan
from hippocampus_cli.watch.observe import FolderObserver
from tests.watch.notebook import SECONDS

linux = pytest.mark.skipif(sys.platform != "linux", reason="of inotify")


class Observed:
    """A folder that is observed, and how often a change was reported."""

    def __init__(self, root: Path, settings: Scan | None = None) -> None:
        self.root = root
        self.reports: queue.Queue[None] = queue.Queue()
        settings = settings or Scan()
        self.observer = FolderObserver(root, settings, lambda: self.reports.put(None))

    def write(self, path: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text("x")

    def matters(self, path: str, *, folder: bool = False) -> bool:
        """Whether a change of ``path`` is reported."""
        event = DirCreatedEvent if folder else FileModifiedEvent
        self.observer._handler.on_any_event(event(str(self.root / path)))
        return self.reported()

    def reported(self) -> bool:
        try:
            self.reports.get_nowait()
        except queue.Empty:
            return False
        return True


@pytest.fixture
def observed(tmp_path: Path) -> Iterator[Observed]:
    made = Observed(tmp_path)
    yield made
    made.observer.close()


def test_a_note_that_is_written_is_reported(observed: Observed) -> None:
    observed.observer.open(sys.platform, None)
    assert observed.observer.backend.explanation == ""
    observed.write("new/a.md")
    observed.reports.get(timeout=SECONDS)
    observed.observer.close()
    observed.observer.renew()
    assert observed.observer.backend.because == "the system reports no changes any more"


@linux
def test_a_folder_that_watchdog_lost_is_observed_anew(observed: Observed) -> None:
    observed.observer.open(sys.platform, None)
    (emitter,) = observed.observer._observer.emitters
    emitter._inotify._active_callbacks_by_path.clear()  # type: ignore[attr-defined]
    observed.observer._handler.folders_changed = True
    observed.observer.renew()
    observed.write("a.md")
    observed.reports.get(timeout=SECONDS)


@linux
def test_changes_elsewhere_are_not_reported(observed: Observed) -> None:
    for folder in (".git", "node_modules/b", ".hippocampus"):
        (observed.root / folder).mkdir(parents=True)
    observed.observer.open(sys.platform, None)
    for path in (
        "HIPPOCAMPUS.md",
        ".HIPPOCAMPUS.md.1.hippo-tmp",
        "a.png",
        ".a.md.swp",
        ".git/a.md",
        "node_modules/b/a.md",
        ".hippocampus/x.md",
    ):
        observed.write(path)
    list(observed.root.iterdir())
    observed.write("sentinel.md")
    observed.reports.get(timeout=SECONDS)
    assert observed.reports.qsize() < 3  # created, written, closed: those of the last note alone


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("notes.md", True),
        ("memory/2026-01-01.MD", True),
        ("a/b/c/d.txt", True),
        (".gitignore", True),
        ("a/.gitignore", True),
        (".hippoignore", True),
        ("a/.hippoignore", False),
        ("node_modules/.gitignore", False),
        ("HIPPOCAMPUS.md", False),
        ("sub/HIPPOCAMPUS.md", True),
        ("memory/.2026-01-01.md.4711.hippo-tmp", False),
        (".hippocampus/topics/kelpie.md", False),
        ("nested/.hippocampus/topics/kelpie.md", False),
        (".hidden.md", False),
        (".hidden/a.md", False),
        ("a/node_modules/b/readme.md", False),
        ("a.png", False),
        ("4913", False),
        ("notes.md~", False),
    ],
)
def test_which_files_matter(observed: Observed, path: str, expected: bool) -> None:
    assert observed.matters(path) is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("memory", True),
        ("a/b", True),
        ("notes.md", True),
        (".hippocampus", False),
        (".git", False),
        ("a/node_modules", False),
        ("a/node_modules/b", False),
    ],
)
def test_which_folders_matter(observed: Observed, path: str, expected: bool) -> None:
    assert observed.matters(path, folder=True) is expected


def test_what_is_gone_may_have_been_a_folder(observed: Observed) -> None:
    handler, root = observed.observer._handler, str(observed.root)
    handler.on_any_event(FileDeletedEvent(f"{root}/memory"))
    assert observed.reported()
    handler.on_any_event(FileMovedEvent(f"{root}/.hidden/a.md", f"{root}/a.md"))
    assert observed.reported()
    handler.on_any_event(FileMovedEvent(f"{root}/.HIPPOCAMPUS.md.x", f"{root}/HIPPOCAMPUS.md"))
    handler.on_any_event(FileDeletedEvent(f"{root}/.git"))
    assert not observed.reported()


def test_the_settings_are_followed(tmp_path: Path) -> None:
    settings = Scan(extensions=("adoc",), include_hidden=True, skip_folders=("x",))
    observed = Observed(tmp_path, settings)
    for path in ("a.adoc", ".a.adoc", ".dreams/a.adoc", "node_modules/a.adoc"):
        assert observed.matters(path)
    for path in ("x/a.adoc", "a.md", ".hippocampus/a.adoc"):
        assert not observed.matters(path)


@linux
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EMFILE, errno.EIO])
def test_what_the_system_refuses_is_polled(
    observed: Observed, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def schedule(*args: object, **more: object) -> object:
        raise OSError(code, "no more of that")

    monkeypatch.setattr("watchdog.observers.api.BaseObserver.schedule", schedule)
    observed.observer.open(sys.platform, None)
    backend = observed.observer.backend
    assert (backend.kind, backend.seconds) == ("polling", 2.0)
    words = {errno.ENOSPC: "fs.inotify.max_user_watches", errno.EMFILE: "max_user_instances"}
    assert words.get(code, "no more of that") in backend.explanation


def test_polling_can_be_asked_for(observed: Observed) -> None:
    observed.observer.open(sys.platform, 0.5)
    backend = observed.observer.backend
    assert (backend.kind, backend.seconds) == ("polling", 0.5)
    assert backend.explanation == "requested with --poll; scanning every 0.5 s"
    observed.observer.open("freebsd14", None)
    assert observed.observer.backend.because == "freebsd14 does not report changes"
