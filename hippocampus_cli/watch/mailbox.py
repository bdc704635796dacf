"""What other threads and signal handlers have to say to a watch."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from typing import NamedTuple

# seconds: a signal that comes just before waiting begins is looked at when it ends
_PULSE = 1.0


class Touched(NamedTuple):
    """Something stirred at ``at`` seconds: a note, or, at that path, which files are notes."""

    at: float
    ground: str | None


class Stop(NamedTuple):
    """The watch is to end."""

    reason: str


class Redraw(NamedTuple):
    """The screen has another size."""


Message = Touched | Stop | Redraw


class Mailbox:
    """Anyone may ``put`` at any time, a signal handler in the middle of a ``take`` too."""

    def __init__(self) -> None:
        self._messages: SimpleQueue[Message] = SimpleQueue()

    def put(self, message: Message) -> None:
        """Leave a message."""
        self._messages.put(message)

    def take(self, timeout: float | None) -> Message | None:
        """The next message; ``None`` where none came within ``timeout`` seconds (``None``: however long)."""
        left = timeout
        while True:
            pause = _PULSE if left is None else min(left, _PULSE)
            try:
                return self._messages.get(timeout=max(pause, 0.0))
            except Empty:
                if left is not None and (left := left - pause) <= 0:
                    return None
