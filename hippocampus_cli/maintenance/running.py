"""One cycle at a time: a lock of its own, beside the one for writing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from hippocampus_cli.errors import Busy, UpkeepBusy
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import RUNNING


@contextmanager
def alone(root: Path, timeout: float) -> Iterator[None]:
    """Hold the lock of upkeep. Raises :class:`UpkeepBusy` where another cycle runs for ``timeout`` seconds more."""
    with ExitStack() as held:
        try:
            held.enter_context(locked(root, timeout, RUNNING))
        except Busy as busy:
            raise UpkeepBusy(path=RUNNING) from busy
        yield
