"""Files that a scheduler reads, changed together or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from hippocampus_cli.errors import ScheduleRefused
from hippocampus_cli.workspace import changes
from hippocampus_cli.workspace.changes import Change


def difference(path: Path, after: str) -> list[Change]:
    """The change that makes the file ``after``; none where it is that already. Raises ScheduleRefused."""
    return changes.difference(path, after, _refused)


def made(planned: Sequence[Change]) -> AbstractContextManager[None]:
    """Within, the files are changed; whatever is raised puts them back. Raises ScheduleRefused."""
    return changes.made(planned, _refused)


def _refused(path: str, reason: str) -> ScheduleRefused:
    return ScheduleRefused(path=path, reason=reason, advice="see to that file, then try again")
