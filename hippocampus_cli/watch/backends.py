"""Which backend observes a workspace and why, which folders are observed, and which changes in them matter."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli.config.settings import Scan as ScanSettings
from hippocampus_cli.watch.mounts import Mount, mounts_of, remote_mount
from hippocampus_cli.workspace.ignore import GIT_IGNORE, HIPPO_IGNORE
from hippocampus_cli.workspace.own_files import FOLDER, INDEX
from hippocampus_cli.workspace.scan import Reason, Scan, scan

if TYPE_CHECKING:
    from hippocampus_cli.watch.observers import Observing


POLL_SECONDS = 2.0
INOTIFY, FSEVENTS, WINDOWS, POLLING = "inotify", "fsevents", "windows", "polling"
_OWN = {"linux": INOTIFY, "darwin": FSEVENTS, "win32": WINDOWS}
_RAISE = {
    errno.ENOSPC: ("max_user_watches", 524_288, "observed folders"),
    errno.EMFILE: ("max_user_instances", 512, "programs that observe folders"),
}


class Backend(NamedTuple):
    """``kind`` is the system's own notification, or ``polling`` every so many ``seconds``.

    ``because`` says why it polls, and ``advice`` what to do about it; both may be empty.
    """

    kind: str
    seconds: float = 0.0
    because: str = ""
    advice: str = ""

    @property
    def polls(self) -> bool:
        """Whether the watch scans the folders itself."""
        return self.kind == POLLING

    @property
    def explanation(self) -> str:
        """Why it polls, how often, and what to do about it; empty where it does not."""
        if not self.polls:
            return ""
        parts = (self.because, f"scanning every {self.seconds:g} s", self.advice)
        return "; ".join(part for part in parts if part)


def choose(platform: str, asked: float | None, remote: Mount | None) -> Backend:
    """The backend for ``platform`` (as in ``sys.platform``), with ``asked`` seconds of polling, on ``remote``."""
    if asked is not None:
        return Backend(POLLING, asked, "requested with --poll")
    if remote is not None:
        because = (
            f"{remote.place} is a {remote.kind} mount, whose changes the system does not report"
        )
        return Backend(POLLING, POLL_SECONDS, because)
    own = _OWN.get(platform)
    return (
        Backend(own)
        if own
        else Backend(POLLING, POLL_SECONDS, f"{platform} does not report changes")
    )


def after_failure(error: Exception, limit: Callable[[str], int]) -> Backend:
    """Polling, where the system's notification could not be set up, or no further folder was accepted.

    ``limit`` gives the present value of ``fs.inotify.NAME``, 0 where it cannot be known.
    """
    code = error.errno if isinstance(error, OSError) else None
    if code in _RAISE:
        name, enough, what = _RAISE[code]
        because = f"the system's limit of {what} is reached (fs.inotify.{name})"
        setting = f"fs.inotify.{name}={max(enough, 2 * limit(name))}"
        advice = f"raise it: sudo sysctl {setting}; permanently, in a file of /etc/sysctl.d"
        return Backend(POLLING, POLL_SECONDS, because, advice)
    said = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return Backend(POLLING, POLL_SECONDS, f"the system refused to report changes: {said}")


class Change(Enum):
    """What the change of a path can mean."""

    NONE = 0
    NOTE = 1
    FOLDERS = 2
    """Other files may be notes now: a folder was added or removed, or an ignore file changed."""


class Relevance:
    """The rules of the last scan, for one path. It may say yes too often, never no to a note."""

    def __init__(self, settings: ScanSettings, found: Scan | None = None) -> None:
        self._settings = settings
        self._endings = tuple(f".{extension.lower()}" for extension in settings.extensions)
        skipped = found.skipped if found else ()
        self._ignored = frozenset(one.path for one in skipped if one.reason is Reason.IGNORED)

    def of(self, path: str, *, folder: bool | None) -> Change:
        """What the change of ``path`` (relative, ``/``-separated, ``""`` for the root) means.

        ``folder`` is whether it is one; ``None`` if it is gone and the system does not say.
        """
        *above, name = path.split("/")
        if any(map(self._closed, above)) or self._inside_ignored(above):
            return Change.NONE
        if folder or (folder is None and not self._is_note(path, name)):
            closed = self._closed(name) or f"{path}/" in self._ignored
            return Change.NONE if closed else Change.FOLDERS
        if name == GIT_IGNORE or path == HIPPO_IGNORE:
            return Change.FOLDERS
        return Change.NOTE if self._is_note(path, name) else Change.NONE

    def _closed(self, name: str) -> bool:
        hidden = name.startswith(".") and not self._settings.include_hidden
        return hidden or name == FOLDER or name in self._settings.skip_folders

    def _inside_ignored(self, above: list[str]) -> bool:
        """Whether a folder above is ignored; those that a scan enters nevertheless are not among them."""
        if not self._ignored:
            return False
        return any(
            "/".join(above[:depth]) + "/" in self._ignored for depth in range(1, len(above) + 1)
        )

    def _is_note(self, path: str, name: str) -> bool:
        if path == INDEX or path in self._ignored:
            return False
        if name.startswith(".") and not self._settings.include_hidden:
            return False
        return name.lower().endswith(self._endings)


_ROUNDS = 10  # where a tree grows faster than it can be observed; its next change begins another
_LIMITS = Path("/proc/sys/fs/inotify")
Touch = Callable[[str | None], None]
"""Called, on any thread, for a change of a note (``None``) or of the folders (at this path)."""


class WatchPlan:
    """The observed folders of one workspace. Not for two threads at once."""

    def __init__(self, root: Path, settings: ScanSettings, touch: Touch) -> None:
        self.backend = Backend(POLLING)
        self.found = Scan([], [])
        self._root = os.fspath(root)
        # macOS reports paths with every link resolved.
        self._bases = [
            f"{base.rstrip(os.sep)}{os.sep}" for base in (self._root, os.path.realpath(root))
        ]
        self._settings = settings
        self._touch = touch
        self._relevance = Relevance(settings)
        self._observing: Observing | None = None

    def open(self, platform: str, poll: float | None) -> None:
        """Begin, with ``poll`` seconds of polling if requested. Raises :class:`FileUnreadable`."""
        real = os.path.realpath(self._root)
        self.backend = choose(platform, poll, remote_mount(real, mounts_of(platform, real)))
        if not self.backend.polls:
            self._attempt(self._observe)
        self.renew()

    def renew(self, stale: Iterable[str] = ()) -> None:
        """Scan for folders and observe them; those below a ``stale`` path are observed anew.

        Raises :class:`FileUnreadable` where the root cannot be listed.
        """
        anew = [f"{path}/" if path else "" for path in stale]
        for _ in range(_ROUNDS):
            self._scan()
            if not self._attempt(partial(self._cover, anew)):
                return
            anew = []  # what came into a new folder before it was observed shows in the next scan

    def scan(self) -> bool:
        """Whether the notes changed since the last scan. Raises :class:`FileUnreadable`."""
        before = self.found.files
        self._scan()
        return self.found.files != before

    def close(self) -> None:
        """End it."""
        if self._observing is not None:
            self._observing.close()
            self._observing = None

    def _scan(self) -> None:
        self.found = scan(Path(self._root), self._settings, self.found.decisions)
        self._relevance = Relevance(self._settings, self.found)

    def _observe(self) -> bool:
        from hippocampus_cli.watch.observers import FolderByFolder, WholeTree

        if self.backend.kind == INOTIFY:
            self._observing = FolderByFolder(self._root, self._changed)
        else:
            reports = self.backend.kind != WINDOWS
            self._observing = WholeTree(self._root, self._changed, reports_folders=reports)
        return True

    def _cover(self, stale: Iterable[str]) -> bool:
        return self._observing is not None and self._observing.cover(self.found.folders, stale)

    def _attempt(self, work: Callable[[], bool]) -> bool:
        """Do what the system may refuse; after a refusal it polls."""
        try:
            return work()
        except (OSError, RuntimeError) as error:  # RuntimeError: no further thread
            self.close()
            self.backend = after_failure(error, _limit)
            return False

    def _changed(self, path: str, folder: bool | None) -> None:
        relative = self._relative(path)
        change = self._relevance.of(relative, folder=folder)
        if change is Change.FOLDERS:
            self._touch(relative)
        elif change is Change.NOTE:
            self._touch(None)

    def _relative(self, path: str) -> str:
        for base in self._bases:
            if path.startswith(base):
                return path[len(base) :].replace(os.sep, "/")
        return ""


def _limit(name: str) -> int:
    try:
        return int((_LIMITS / name).read_text())
    except (OSError, ValueError):
        return 0
