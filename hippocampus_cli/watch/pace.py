"""When changes become a sync: one for a burst, one every half second for a steady stream. Pure."""

from __future__ import annotations

from typing import NamedTuple

QUIET = 0.12
"""Seconds without a change after which a burst is over."""
LIMIT = 0.5
"""Seconds after the first change at which a stream that never ends is synced."""
SETTLE = 2.0
"""Seconds after a sync until one more, for what was missed: an event that the system dropped, a write within the
same tick of the file system's clock."""
IDLE = 60.0
"""Seconds after which it looks without having been told of a change: the system may have lost one."""
RETRY = 10.0
"""Seconds until a refused sync is tried again."""


class Pace(NamedTuple):
    """Which sync is due, and when. Times are seconds of a monotonic clock."""

    every: float = IDLE
    """Seconds between two syncs at most; where the system reports nothing, how often to look."""
    first: float | None = None
    """The first change that no sync has seen."""
    last: float = 0.0
    again_at: float | None = None
    """When a sync is due without a change."""
    settling: bool = False
    """Whether the running sync has one more to follow."""

    @property
    def due_at(self) -> float | None:
        """When the next sync is due; None where none is."""
        if self.first is None:
            return self.again_at
        due = min(self.last + QUIET, self.first + LIMIT)
        return due if self.again_at is None else min(due, self.again_at)

    def touched(self, at: float) -> Pace:
        """A note changed."""
        return self._replace(first=at if self.first is None else self.first, last=at)

    def begun(self) -> Pace:
        """A sync begins, which sees the changes so far."""
        return self._replace(
            first=None, again_at=None, settling=self.settling or self.first is not None
        )

    def done(self, at: float) -> Pace:
        """It is done; where a change caused it, one more follows soon."""
        wait = min(SETTLE, self.every) if self.settling else self.every
        return self._replace(again_at=at + wait, settling=False)

    def failed(self, at: float) -> Pace:
        """It was refused; it is tried again after a while, or with the next change."""
        return self._replace(again_at=at + RETRY)
