"""A while after a failure in which nobody is asked again: a process that stays outlives a server's restart."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], float]
"""Seconds of a clock that only goes forward."""
SECONDS = 60.0


class Pause:
    """Begun by a failure, over a minute later by ``clock``. It knows of what: an outage that lasts is news once."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._until: float | None = None
        self._why = ""

    def begin(self, why: str = "") -> bool:
        """From now on; whether ``why`` is another failure than the last one, before which all was well again."""
        self._until = self._clock() + SECONDS
        known, self._why = self._why, why
        return why != known

    def end(self) -> None:
        """All is well again: it has answered somebody."""
        self._until, self._why = None, ""

    @property
    def holds(self) -> bool:
        """Whether it is not over yet."""
        return self._until is not None and self._clock() < self._until
