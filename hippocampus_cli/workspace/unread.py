"""The notes that cannot be read, or that ``.gitignore`` leaves out of an agent's memory: no search finds them, so the
user has to be told."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.ignore import HIPPO_IGNORE, IgnoreFile
from hippocampus_cli.workspace.kinds import is_core
from hippocampus_cli.workspace.read import BINARY, SNIFF, is_binary
from hippocampus_cli.workspace.regular import read_regular, reason_of
from hippocampus_cli.workspace.scan import Reason, Scan, Skipped

_REASONS = {
    Reason.TOO_LARGE: "larger than scan.max_file_bytes; split it, or raise that setting",
    Reason.UNREADABLE: "not readable",
}
LEFT_OUT = "left out by .gitignore; the line !{0} in .hippoignore has it read, {0} keeps it out"


class Unread(NamedTuple):
    """A note that could not be read, and why; the path of a folder, with all below it, ends in ``/``."""

    path: str
    reason: str


def unread_notes(root: Path, found: Scan) -> tuple[Scan, tuple[Unread, ...]]:
    """A scan without the notes that cannot be read, which are skipped; and every note that is not read, also what is
    left out of the memory by oversight, in path order. Of each file the beginning is read."""
    refused = [*_refused(root, found.files)]
    gone = dict(refused)
    read = found._replace(
        files=[stat for stat in found.files if stat.path not in gone],
        skipped=found.skipped + [Skipped(path, Reason.UNREADABLE) for path in gone],
    )
    left = (Unread(path, _REASONS[why]) for path, why in found.skipped if why in _REASONS)
    return read, tuple(sorted([*left, *_left_out(root, found), *refused]))


def _left_out(root: Path, found: Scan) -> Iterator[Unread]:
    """The logs and core files that git is told to leave out, several of a folder as one. That keeps them out of a
    repository; whether the index may name them only the user knows, who says so in ``.hippoignore``."""
    last_word = IgnoreFile(os.fspath(root / HIPPO_IGNORE), "", "")
    folders: defaultdict[str, list[str]] = defaultdict(list)
    for path, why in found.skipped:
        is_memory = path.startswith("memory/") or ("/" not in path and is_core(path))
        if why is Reason.IGNORED and is_memory and last_word.verdict(path) is None:
            folders[path[: path.rfind("/") + 1]].append(path)
    for folder, paths in folders.items():
        for path in [folder] if folder and len(paths) > 1 else paths:
            yield Unread(path, LEFT_OUT.format(re.sub(r"([\[\]*?\\])", r"\\\1", path)))


def _refused(root: Path, files: Iterable[FileStat]) -> Iterator[Unread]:
    for stat in files:
        try:
            if is_binary(read_regular(root / stat.path, SNIFF)):
                yield Unread(stat.path, BINARY)
        except OSError as error:
            yield Unread(stat.path, reason_of(error))
