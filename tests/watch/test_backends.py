"""Which backend observes a workspace, which folders, and which changes matter."""

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
from hippocampus_cli.watch.backends import Change, Relevance, WatchPlan, after_failure, choose
from hippocampus_cli.watch.mounts import (
    Mount,
    mounts_of,
    read_mount_command,
    read_mountinfo,
    remote_mount,
)
from hippocampus_cli.watch.observers import FolderByFolder
from hippocampus_cli.workspace.scan import Reason, scan
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


LINUX = r"""
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 259:1 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p1 rw
41 27 0:40 / /home/ann/nas rw,relatime shared:9 master:2 - nfs4 nas:/export rw,vers=4.2
42 27 0:41 / /home/ann/two\040words rw - cifs //nas/notes rw
43 27 0:42 / /home/ann/laptop rw,nosuid - fuse.sshfs ann@laptop: rw
44 27 0:43 / /home/ann/safe rw,nosuid - fuse.gocryptfs /home/ann/.safe rw
45 27 0:44 / /media/usb rw - fuseblk /dev/sdb1 rw
46 27 0:45 / /mnt/c rw - 9p C:\134 rw
47 41 0:46 / /home/ann/nas/local rw - xfs /dev/sdc1 rw
48 27 0:47 / /over rw - ext4 /dev/a rw
49 48 0:48 / /over rw - nfs b:/ rw
"""
MACOS = """\
/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)
//ann@nas._smb._tcp.local/notes on /Volumes/notes (mine) (smbfs, nodev, nosuid, mounted by ann)
nas:/export on /Volumes/export (nfs, nodev, nosuid, mounted by ann)
"""


@pytest.mark.parametrize(
    ("root", "kind"),
    [
        ("/home/ann/agent", None),
        ("/home/ann/nas", "nfs4"),
        ("/home/ann/nas/agent", "nfs4"),
        ("/home/ann/nas2", None),
        ("/home/ann/nas/local/agent", None),
        ("/home/ann/two words/agent", "cifs"),
        ("/home/ann/laptop/agent", "fuse.sshfs"),
        ("/home/ann/safe/agent", None),
        ("/media/usb", None),
        ("/mnt/c/agent", "9p"),
        ("/over/agent", "nfs"),
        ("/home/ann", "nfs4"),
    ],
)
def test_the_mount_that_counts_on_linux(root: str, kind: str | None) -> None:
    found = remote_mount(root, read_mountinfo(LINUX))
    assert (found.kind if found else None) == kind


@pytest.mark.parametrize(
    ("root", "kind"),
    [
        ("/Users/ann", None),
        ("/Volumes/notes (mine)/agent", "smbfs"),
        ("/Volumes/export", "nfs"),
        ("/Volumes/other", None),
    ],
)
def test_the_mount_that_counts_on_macos(root: str, kind: str | None) -> None:
    found = remote_mount(root, read_mount_command(MACOS))
    assert (found.kind if found else None) == kind


def test_the_drive_that_counts_on_windows() -> None:
    assert remote_mount(r"\\nas\notes\agent", [Mount("\\\\nas\\notes\\", "remote")])
    assert not remote_mount(r"C:\agent", [Mount("C:\\", "local")])


def test_nonsense_is_no_mount() -> None:
    assert read_mountinfo("a b c\n - \n1 2 3 4 5 6\n1 2 3 4 /x - \n") == []
    assert read_mount_command("hello\n\n") == []


def test_the_mounts_of_this_machine_can_be_read() -> None:
    assert mounts_of(sys.platform, "C:\\" if sys.platform == "win32" else "/")


@pytest.mark.parametrize(
    ("platform", "kind"),
    [("linux", "inotify"), ("darwin", "fsevents"), ("win32", "windows"), ("freebsd14", "polling")],
)
def test_each_system_has_its_way(platform: str, kind: str) -> None:
    way = choose(platform, None, None)
    assert way.kind == kind
    assert bool(way.explanation) == (kind == "polling")


def test_a_remote_mount_is_polled_and_says_so() -> None:
    way = choose("linux", None, Mount("/mnt/nas", "nfs4"))
    assert way.polls and way.seconds == 2
    assert "/mnt/nas is a nfs4 mount" in way.explanation and "every 2 s" in way.explanation


def test_polling_can_be_asked_for() -> None:
    way = choose("linux", 0.5, Mount("/mnt/nas", "nfs4"))
    assert (way.kind, way.seconds, way.because) == ("polling", 0.5, "requested with --poll")


def test_a_limit_says_how_to_raise_it() -> None:
    way = after_failure(
        OSError(errno.ENOSPC, "inotify watch limit reached"),
        {"max_user_watches": 8_192}.__getitem__,
    )
    assert "fs.inotify.max_user_watches=524288" in way.explanation
    way = after_failure(OSError(errno.ENOSPC, "x"), {"max_user_watches": 600_000}.__getitem__)
    assert "fs.inotify.max_user_watches=1200000" in way.explanation
    way = after_failure(OSError(errno.EMFILE, "x"), {"max_user_instances": 128}.__getitem__)
    assert "fs.inotify.max_user_instances=512" in way.explanation and way.polls


def test_any_other_failure_is_named() -> None:
    assert "no more of that" in after_failure(OSError(5, "no more of that"), int).explanation
    way = after_failure(RuntimeError("can't start new thread"), int)
    assert way.polls and "can't start new thread" in way.explanation and not way.advice


FIXTURE = Path(__file__).parents[2] / "fixtures/workspace"
NOTHING, NOTE, GROUND = Change.NONE, Change.NOTE, Change.FOLDERS


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("notes.md", NOTE),
        ("memory/2026-01-01.MD", NOTE),
        ("a/b/c/d.txt", NOTE),
        (".gitignore", GROUND),
        ("a/.gitignore", GROUND),
        (".hippoignore", GROUND),
        ("a/.hippoignore", NOTHING),
        ("node_modules/.gitignore", NOTHING),
        ("HIPPOCAMPUS.md", NOTHING),
        ("sub/HIPPOCAMPUS.md", NOTE),
        (".HIPPOCAMPUS.md.4711.hippo-tmp", NOTHING),
        ("memory/.2026-01-01.md.4711.hippo-tmp", NOTHING),
        (".hippocampus/lock", NOTHING),
        (".hippocampus/topics/kelpie.md", NOTHING),
        ("nested/.hippocampus/topics/kelpie.md", NOTHING),
        (".notes.md.swp", NOTHING),
        (".hidden.md", NOTHING),
        (".hidden/a.md", NOTHING),
        ("a/node_modules/b/readme.md", NOTHING),
        ("a.png", NOTHING),
        ("4913", NOTHING),
        ("notes.md~", NOTHING),
    ],
)
def test_what_a_file_means(path: str, expected: Change) -> None:
    assert Relevance(ScanSettings()).of(path, folder=False) is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", GROUND),
        ("memory", GROUND),
        ("a/b", GROUND),
        ("notes.md", GROUND),
        (".hippocampus", NOTHING),
        (".git", NOTHING),
        ("a/node_modules", NOTHING),
        ("a/node_modules/b", NOTHING),
    ],
)
def test_what_a_folder_means(path: str, expected: Change) -> None:
    assert Relevance(ScanSettings()).of(path, folder=True) is expected


def test_what_is_gone_may_have_been_a_folder() -> None:
    rules = Relevance(ScanSettings())
    assert rules.of("memory", folder=None) is GROUND
    assert rules.of("a.md", folder=None) is NOTE
    assert rules.of(".git", folder=None) is NOTHING


def test_the_settings_are_heard() -> None:
    rules = Relevance(ScanSettings(extensions=("adoc",), include_hidden=True, skip_folders=("x",)))
    assert rules.of("a.adoc", folder=False) is NOTE
    assert rules.of(".a.adoc", folder=False) is NOTE
    assert rules.of(".dreams/a.adoc", folder=False) is NOTE
    assert rules.of("node_modules/a.adoc", folder=False) is NOTE
    assert rules.of("x/a.adoc", folder=False) is NOTHING
    assert rules.of("a.md", folder=False) is NOTHING
    assert rules.of(".hippocampus/a.adoc", folder=False) is NOTHING


def test_what_the_last_scan_found_ignored_means_nothing(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("logs/\n*.json\n")
    (tmp_path / "logs/old").mkdir(parents=True)
    (tmp_path / "state.json").write_text("{}")
    rules = Relevance(ScanSettings(), scan(tmp_path))
    assert rules.of("state.json", folder=False) is NOTHING
    assert rules.of("logs/a.md", folder=False) is NOTHING
    assert rules.of("logs/old/a.md", folder=False) is NOTHING
    assert rules.of("logs", folder=True) is NOTHING
    assert rules.of("logs2", folder=True) is GROUND
    assert rules.of("a.md", folder=False) is NOTE


def test_no_note_of_a_workspace_goes_unnoticed() -> None:
    found = scan(FIXTURE)
    rules = Relevance(ScanSettings(), found)
    assert {rules.of(one.path, folder=False) for one in found.files} == {NOTE}
    assert {rules.of(path.rstrip("/"), folder=True) for path in found.folders} == {GROUND}
    passed = [one for one in found.skipped if one.reason in (Reason.HIDDEN, Reason.IGNORED)]
    stirs = {rules.of(one.path.rstrip("/"), folder=one.path.endswith("/")) for one in passed}
    assert passed and stirs == {NOTHING}
