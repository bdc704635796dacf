"""By which way a workspace is observed, and why. Pure."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import NamedTuple

from hippocampus_cli.watching.mounts import Mount

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
