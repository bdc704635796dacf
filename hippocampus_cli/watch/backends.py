"""Which backend observes a workspace, why, and what is observed at this moment.

By which way a workspace is observed, and why. Pure.

What of a workspace is observed at this moment, and by which way.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli.config.settings import Scan as ScanSettings
from hippocampus_cli.watch.mounts import Mount, mounts_of, remote_mount
from hippocampus_cli.watch.relevance import Relevance, Stir
from hippocampus_cli.workspace.scan import Scan, scan

if TYPE_CHECKING:
    from hippocampus_cli.watch.observers import Observing


POLL_SECONDS = 2.0
INOTIFY, FSEVENTS, WINDOWS, POLLING = "inotify", "fsevents", "windows", "polling"
_OWN = {"linux": INOTIFY, "darwin": FSEVENTS, "win32": WINDOWS}
_RAISE = {
    errno.ENOSPC: ("max_user_watches", 524_288, "folders that may be observed"),
    errno.EMFILE: ("max_user_instances", 512, "programs that may observe folders"),
}


class Way(NamedTuple):
    """``kind`` is the system's own notification, or ``polling`` every so many ``seconds``.

    ``because`` says why it is polling, and ``advice`` what to do about it; both may be empty.
    """

    kind: str
    seconds: float = 0.0
    because: str = ""
    advice: str = ""

    @property
    def polls(self) -> bool:
        """Whether the watch looks by itself."""
        return self.kind == POLLING

    @property
    def explanation(self) -> str:
        """Why it is polling, how often, and what to do about it; empty where it is not."""
        if not self.polls:
            return ""
        parts = (self.because, f"looking every {self.seconds:g} s", self.advice)
        return "; ".join(part for part in parts if part)


def choose(platform: str, asked: float | None, remote: Mount | None) -> Way:
    """The way for ``platform`` (as in ``sys.platform``), with ``asked`` seconds of polling, on ``remote``."""
    if asked is not None:
        return Way(POLLING, asked, "asked for with --poll")
    if remote is not None:
        because = (
            f"{remote.place} is a {remote.kind} mount, whose changes the system does not report"
        )
        return Way(POLLING, POLL_SECONDS, because)
    own = _OWN.get(platform)
    return Way(own) if own else Way(POLLING, POLL_SECONDS, f"{platform} does not report changes")


def after_failure(error: Exception, limit: Callable[[str], int]) -> Way:
    """What is left when the system's notification could not be set up, or no further folder was accepted.

    ``limit`` gives the present value of ``fs.inotify.NAME``, 0 where it cannot be known.
    """
    code = error.errno if isinstance(error, OSError) else None
    if code in _RAISE:
        name, enough, what = _RAISE[code]
        because = f"the system's limit of {what} is reached (fs.inotify.{name})"
        setting = f"fs.inotify.{name}={max(enough, 2 * limit(name))}"
        advice = f"raise it: sudo sysctl {setting}; for good, in a file of /etc/sysctl.d"
        return Way(POLLING, POLL_SECONDS, because, advice)
    said = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return Way(POLLING, POLL_SECONDS, f"the system refused to report changes: {said}")


_ROUNDS = (
    10  # of a tree that grows faster than it can be observed; what it does next begins another
)
_LIMITS = Path("/proc/sys/fs/inotify")
Touch = Callable[[str | None], None]
"""Called, on any thread, when a note stirred (``None``) or the ground did (at this path)."""


class WatchPlan:
    """The observed folders of one workspace. Not for two threads at once."""

    def __init__(self, root: Path, settings: ScanSettings, touch: Touch) -> None:
        self.way = Way(POLLING)
        self.found = Scan([], [])
        self._root = os.fspath(root)
        # macOS tells of paths with every link resolved.
        self._bases = [
            f"{base.rstrip(os.sep)}{os.sep}" for base in (self._root, os.path.realpath(root))
        ]
        self._settings = settings
        self._touch = touch
        self._relevance = Relevance(settings)
        self._observing: Observing | None = None

    def open(self, platform: str, poll: float | None) -> None:
        """Begin, with ``poll`` seconds of polling if asked for. Raises :class:`FileUnreadable`."""
        real = os.path.realpath(self._root)
        self.way = choose(platform, poll, remote_mount(real, mounts_of(platform, real)))
        if not self.way.polls:
            self._attempt(self._observe)
        self.renew()

    def renew(self, stale: Iterable[str] = ()) -> None:
        """See which folders there are now, and observe those; ones below a ``stale`` path are begun anew.

        Raises :class:`FileUnreadable` where the root cannot be listed.
        """
        anew = [f"{path}/" if path else "" for path in stale]
        for _ in range(_ROUNDS):
            self._scan()
            if not self._attempt(partial(self._cover, anew)):
                return
            anew = []  # what came into a new folder before it was observed shows in the next scan

    def look(self) -> bool:
        """Whether the notes are otherwise than at the last look. Raises :class:`FileUnreadable`."""
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

        if self.way.kind == INOTIFY:
            self._observing = FolderByFolder(self._root, self._stirred)
        else:
            tells = self.way.kind != WINDOWS
            self._observing = WholeTree(self._root, self._stirred, tells_folders=tells)
        return True

    def _cover(self, stale: Iterable[str]) -> bool:
        return self._observing is not None and self._observing.cover(self.found.folders, stale)

    def _attempt(self, work: Callable[[], bool]) -> bool:
        """Do what the system may refuse; after that it is polling."""
        try:
            return work()
        except (OSError, RuntimeError) as error:  # RuntimeError: no further thread
            self.close()
            self.way = after_failure(error, _limit)
            return False

    def _stirred(self, path: str, folder: bool | None) -> None:
        relative = self._relative(path)
        stir = self._relevance.of(relative, folder=folder)
        if stir is Stir.GROUND:
            self._touch(relative)
        elif stir is Stir.NOTE:
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
