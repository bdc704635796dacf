"""The values of a scan: files found, things passed over and why."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from hippocampus_cli.light import NamedTuple
from hippocampus_cli.workspace.ignore import IgnoreDecisions


class Reason(StrEnum):
    """Why a file or a folder was passed over."""

    IGNORED = "ignored"  # by .gitignore or .hippoignore
    FORGOTTEN = "forgotten"  # by hippo forget
    HIDDEN = "hidden"  # its name begins with a dot
    FOLDER = "folder"  # a folder that never holds notes, such as node_modules
    KIND = "kind"  # not one of the extensions of notes, or not a regular file
    TOO_LARGE = "too-large"
    LINK = "link"  # leads to a place inside the workspace, which is met there
    LINK_OUTSIDE = "link-outside"
    UNREADABLE = "unreadable"


class FileStat(NamedTuple):
    """A note on disk: its path relative to the root, ``/``-separated; bytes; nanoseconds.

    ``ctime_ns`` tells of an edit after which the time of change was set back (``cp -p``, ``touch -r``); on Windows,
    which has none, it is the time of creation.
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int = 0


class Skipped(NamedTuple):
    """Something passed over, with all below it; a folder's ``path`` ends in ``/``."""

    path: str
    reason: Reason


class Scan(NamedTuple):
    """What a scan found, every list sorted by path, and the ignore verdicts to hand to the next scan.

    ``folders`` are those that were walked, the root (``""``) among them; any other ends in ``/``. ``linked`` says
    that one of the files has other names too (hard links). ``readers`` are the bits of 0o044 that every note has.
    """

    files: list[FileStat]
    skipped: list[Skipped]
    decisions: IgnoreDecisions = IgnoreDecisions()
    folders: Sequence[str] = ()
    linked: bool = False
    readers: int = 0o044

    @property
    def counts(self) -> dict[Reason, int]:
        """How many things were passed over, by reason; a skipped folder counts as one."""
        counts: dict[Reason, int] = {}
        for skipped in self.skipped:
            counts[skipped.reason] = counts.get(skipped.reason, 0) + 1
        return counts
