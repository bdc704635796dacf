"""A progress bar for work that takes longer than a second."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TextIO

from hippocampus_cli.cli.render.output import Advance

_DELAY_SECONDS = 1.0


@contextmanager
def bar(stream: TextIO, label: str) -> Iterator[Advance]:
    """An :class:`Advance` that draws on ``stream`` from the second second on, and leaves nothing behind."""
    shown = _Bar(stream, label)
    try:
        yield shown
    finally:
        shown.close()


class _Bar(Advance):
    def __init__(self, stream: TextIO, label: str) -> None:
        from rich.console import Console
        from rich.progress import Progress

        self._progress = Progress(console=Console(file=stream), transient=True)
        self._task = self._progress.add_task(label, total=None)
        self._due = monotonic() + _DELAY_SECONDS
        self._running = False

    def __call__(self, done: int, total: int) -> None:
        if not self._running and monotonic() >= self._due:
            self._progress.start()
            self._running = True
        if self._running:
            self._progress.update(self._task, completed=done, total=total)

    def close(self) -> None:
        if self._running:
            self._progress.stop()
