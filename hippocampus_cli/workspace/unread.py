"""The notes that cannot be read: no search finds them, so the user has to be told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.read import BINARY, SNIFF, is_binary
from hippocampus_cli.workspace.regular import read_regular, reason_of
from hippocampus_cli.workspace.scan import Reason, Scan

_REASONS = {
    Reason.TOO_LARGE: "larger than scan.max_file_bytes; split it, or raise that setting",
    Reason.UNREADABLE: "not readable",
}


class Unread(NamedTuple):
    """A note that could not be read, and why; the path of a folder, with all below it, ends in ``/``."""

    path: str
    reason: str


def unread_notes(root: Path, found: Scan) -> list[Unread]:
    """Every note of a scan that cannot be read, in path order. Of each file the beginning is read."""
    left = (Unread(path, _REASONS[why]) for path, why in found.skipped if why in _REASONS)
    return sorted([*left, *_refused(root, found.files)])


def _refused(root: Path, files: Iterable[FileStat]) -> Iterator[Unread]:
    for stat in files:
        try:
            if is_binary(read_regular(root / stat.path, SNIFF)):
                yield Unread(stat.path, BINARY)
        except OSError as error:
            yield Unread(stat.path, reason_of(error))
