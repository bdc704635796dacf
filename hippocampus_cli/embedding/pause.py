"""A while after a failure in which nobody is asked again: a process that stays outlives a server's restart."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], float]
"""Seconds of a clock that only goes forward."""
SECONDS = 60.0


class Pause:
    """Begun by a failure, over a minute later by ``clock``."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._until: float | None = None

    def begin(self) -> None:
        """From now on."""
        self._until = self._clock() + SECONDS

    def end(self) -> None:
        """Before its time: it has answered somebody."""
        self._until = None

    @property
    def holds(self) -> bool:
        """Whether it is not over yet."""
        return self._until is not None and self._clock() < self._until
