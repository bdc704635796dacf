"""One pointer looked at: whether it leads where it says, and if not, where to."""

from __future__ import annotations

from typing import NamedTuple

from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.maintenance.tracing.notes import moved
from hippocampus_cli.maintenance.tracing.sections import renamed
from hippocampus_cli.maintenance.tracing.traces import Destination, Traces
from hippocampus_cli.workspace.paths import is_absolute, normal
from hippocampus_cli.workspace.resolve import Status
from hippocampus_cli.workspace.sections import How


class Broken(NamedTuple):
    """A pointer that does not lead where it says, and where it probably ought to.

    ``gone`` says what is not there; it is empty where the pointer leads to a section with a name like it.
    """

    pointer: Pointer
    gone: str
    goes: Destination | None


def path_of(pointer: Pointer) -> str | None:
    """The path of a pointer from the workspace's root; ``None`` where it is none of upkeep's business."""
    if is_absolute(pointer.path):
        return None
    return normal(pointer.path.replace("\\", "/"))


def look(pointer: Pointer, snapshot: Snapshot, traces: Traces) -> Broken | None:
    """What is wrong with a pointer; ``None`` where it leads somewhere exactly, or is not to be touched."""
    path = path_of(pointer)
    if path is None or traces.leads(path, pointer.section):
        return None
    there = snapshot.follow(pointer)
    if there.status is Status.MISSING_FILE:
        return Broken(pointer, f"{pointer.path} is gone", moved(pointer, path, traces))
    if there.status is Status.MISSING_SECTION:
        gone = f"{pointer.path} has no section {pointer.section!r}"
        return Broken(pointer, gone, renamed(pointer, there.path, traces))
    if there.how is How.FUZZY:
        return Broken(pointer, "", renamed(pointer, there.path, traces))
    return None
