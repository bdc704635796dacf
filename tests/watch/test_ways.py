"""Which way a workspace is observed, from what the system says of its mounts."""

from __future__ import annotations

import errno
import sys

import pytest

from hippocampus_cli.watch.backends import after_failure, choose
from hippocampus_cli.watch.mounts import (
    Mount,
    mounts_of,
    read_mount_command,
    read_mountinfo,
    remote_mount,
)

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
