"""When a write becomes a sync: a burst is one, a steady stream is one every so often, quiet is none. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

QUIET = 0.12
"""Seconds without a touch after which a burst is over."""
LIMIT = 0.5
"""Seconds after the first touch at which a stream that never ends is synced all the same."""
SETTLE = 2.0
"""Seconds after a sync until one more looks for what slipped through: an event that the system dropped, a
write within the same tick of the file system's clock."""
RETRIES = (1.0, 2.0, 5.0, 15.0, 60.0)
"""Seconds until a sync that was refused is tried again, the last for good."""


@dataclass(frozen=True, slots=True)
class Pace:
    """What is owed, and since when. Every time is in seconds of one clock that never goes back."""

    first: float | None = None
    """The first touch that no sync has seen."""
    last: float = 0.0
    again_at: float | None = None
    """A sync owed without a touch."""
    failures: int = 0
    settling: bool = False
    """Whether the running sync has one more to follow."""

    @property
    def due_at(self) -> float | None:
        """When the next sync is due; None where nothing is owed."""
        if self.first is None:
            return self.again_at
        due = min(self.last + QUIET, self.first + LIMIT)
        return due if self.again_at is None else min(due, self.again_at)

    def touched(self, at: float) -> Pace:
        """A note was touched."""
        return replace(self, first=at if self.first is None else self.first, last=at)

    def begun(self) -> Pace:
        """A sync begins, which sees what was touched so far."""
        settling = self.settling or self.first is not None
        return replace(self, first=None, again_at=None, settling=settling)

    def done(self, at: float) -> Pace:
        """It is done; where it was owed to a touch, one more follows."""
        again = at + SETTLE if self.settling else None
        return replace(self, again_at=again, failures=0, settling=False)

    def failed(self, at: float) -> Pace:
        """It was refused; it is tried again after a while, or with the next touch."""
        wait = RETRIES[min(self.failures, len(RETRIES) - 1)]
        return replace(self, again_at=at + wait, failures=self.failures + 1)
