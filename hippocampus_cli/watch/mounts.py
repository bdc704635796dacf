"""Which file system a folder is on, by the system's list of mounts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

_MOUNTINFO = "/proc/self/mountinfo"
_OCTAL = re.compile(r"\\([0-7]{3})")
_MACOS_LINE = re.compile(r"(?:(?! on /).)*+ on (?P<place>/.*) \((?P<kind>[^,()]++)[^()]*+\)")
_SECONDS = 5.0

# File systems that another machine may change without a notification of this one's kernel.
_REMOTE = frozenset(
    (
        *("nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "ncpfs", "afs", "afpfs", "coda"),
        *("9p", "vboxsf", "vmhgfs", "prl_fs", "virtiofs", "drvfs", "davfs", "webdav", "ftp"),
        *("ceph", "lustre", "gpfs", "beegfs", "orangefs", "ocfs2", "gfs2", "macfuse", "osxfuse"),
        *("fuse", "remote"),
    )
)
# In user space, but on a disk of this machine: the kernel sees each write.
_LOCAL_FUSE = frozenset(
    (
        *("fuse.gocryptfs", "fuse.encfs", "fuse.cryfs", "fuse.securefs", "fuse.mergerfs"),
        *("fuse.bindfs", "fuse.ntfs-3g", "fuse.exfat", "fuse.fuse-overlayfs"),
    )
)


class Mount(NamedTuple):
    """A file system of type ``kind`` mounted at ``place``, an absolute path."""

    place: str
    kind: str

    @property
    def remote(self) -> bool:
        """Whether something other than this machine may write to it."""
        fuse = self.kind.startswith("fuse.") and self.kind not in _LOCAL_FUSE
        return fuse or self.kind in _REMOTE


def read_mountinfo(text: str) -> list[Mount]:
    """The mounts of Linux's ``/proc/self/mountinfo``; of several at one place the last one counts."""
    found: dict[str, Mount] = {}
    for line in text.splitlines():
        before, _, after = line.partition(" - ")
        fields, kinds = before.split(" "), after.split(" ")
        if len(fields) > 4 and kinds[0]:
            place = _OCTAL.sub(lambda code: chr(int(code[1], 8)), fields[4])
            found.pop(place, None)
            found[place] = Mount(place, kinds[0].lower())
    return list(found.values())


def read_mount_command(text: str) -> list[Mount]:
    """The mounts as macOS's ``mount`` prints them: ``//ann@nas/notes on /Volumes/notes (smbfs, nodev)``."""
    lines = map(_MACOS_LINE.fullmatch, text.splitlines())
    return [Mount(line["place"], line["kind"].strip().lower()) for line in lines if line]


def remote_mount(root: str, mounts: Iterable[Mount]) -> Mount | None:
    """The remote file system that ``root`` is on, or else one that is mounted below it."""
    known = list(mounts)
    around = [mount for mount in known if _is_in(root, mount.place)]
    nearest = max(around, key=lambda mount: len(mount.place), default=None)
    if nearest is not None and nearest.remote:
        return nearest
    return next((mount for mount in known if mount.remote and _is_in(mount.place, root)), None)


def mounts_of(platform: str, root: str) -> Sequence[Mount]:
    """The mounts of this machine; none where they are not known. ``platform`` as in ``sys.platform``."""
    try:
        if platform == "darwin":
            return read_mount_command(_run_mount())
        if platform == "win32":
            return _windows_drive(root)
        return read_mountinfo(Path(_MOUNTINFO).read_text("utf-8", "surrogateescape"))
    except (OSError, ValueError):
        return ()


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(
        folder.rstrip("/\\") + ("\\" if "\\" in folder else "/")
    )


def _run_mount() -> str:
    import subprocess

    try:
        done = subprocess.run(
            ["/sbin/mount"], capture_output=True, check=True, timeout=_SECONDS, text=True
        )
    except subprocess.SubprocessError as error:
        raise OSError(str(error)) from error
    return done.stdout


def _windows_drive(root: str) -> list[Mount]:
    """The drive of ``root``: ``remote`` for one of another machine."""
    import ctypes
    import ntpath

    drive = ntpath.splitdrive(root)[0] + "\\"
    remote = 4  # DRIVE_REMOTE of GetDriveTypeW
    is_remote = drive.startswith("\\\\") or ctypes.windll.kernel32.GetDriveTypeW(drive) == remote  # type: ignore[attr-defined]
    return [Mount(drive, "remote" if is_remote else "local")]
