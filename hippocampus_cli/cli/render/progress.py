"""A progress bar for work that takes longer than a second."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, TextIO

from hippocampus_cli.cli.render.output import Advance

if TYPE_CHECKING:
    from rich.progress import Progress

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
        self._stream = stream
        self._label = label
        self._due = monotonic() + _DELAY_SECONDS
        self._progress: Progress | None = None

    def __call__(self, done: int, total: int) -> None:
        if self._progress is None and monotonic() >= self._due:
            from rich.console import Console
            from rich.progress import Progress  # takes longer to load than most work takes

            self._progress = Progress(console=Console(file=self._stream), transient=True)
            self._task = self._progress.add_task(self._label, total=None)
            self._progress.start()
        if self._progress is not None:
            self._progress.update(self._task, completed=done, total=total)

    def close(self) -> None:
        if self._progress is not None:
            self._progress.stop()
