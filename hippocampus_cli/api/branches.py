"""Two branches of a file, merged as git asks for it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.config import Config
from hippocampus_cli.errors import FileUnreadable, HippoError
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.merge import Merged, merge
from hippocampus_cli.maintenance.branches import root_of, setting, without_forgotten
from hippocampus_cli.markdown.diff3 import Labels, merge_lines, merge_log
from hippocampus_cli.markdown.lines import decode, encode, split_lines

if TYPE_CHECKING:
    from collections.abc import Sequence


class MergedFile(NamedTuple):
    """How many conflicts are marked in the file, and why it was merged by line, if it was."""

    conflicts: int
    notice: str = ""


def merge_files(
    files: tuple[Path, Path, Path],
    path: str,
    names: tuple[str, str] = ("ours", "theirs"),
    *,
    marker_size: int = 7,
    settings: Callable[[Path], Config],
    now: datetime,
) -> MergedFile:
    """Merge two versions of an index file or a daily log with their ancestor (base, ours, theirs) into ``ours``.

    ``path`` is the file's in the repository, whose top is the current folder; ``names`` are those of the sides
    in conflict marks; ``settings`` gives those of the workspace in a folder. Raises :class:`FileUnreadable`,
    :class:`FileUnwritable`.
    """
    from hippocampus_cli.workspace.atomic import replace_bytes

    try:
        texts = [decode(one.read_bytes()) for one in files]
    except OSError as error:
        raise FileUnreadable(path=str(error.filename), reason=error.strerror or "") from error
    merged, notice = _merged(texts, path, Labels(marker_size, *names), settings, now)
    replace_bytes(files[1], encode(merged.text), str(files[1]))
    return MergedFile(merged.conflicts, notice)


def _merged(
    texts: Sequence[str],
    path: str,
    labels: Labels,
    settings: Callable[[Path], Config],
    now: datetime,
) -> tuple[Merged, str]:
    """The merged text; by line where it cannot be merged by entry, for git must get something that holds both."""
    base, ours, theirs = texts
    folder = root_of(path)
    if folder is None:
        return Merged(*merge_log(base, ours, theirs, labels)), ""
    root = Path.cwd() / folder
    base, ours, theirs = without_forgotten(root, path[len(folder) :].lstrip("/"), texts)
    try:
        try:
            config = settings(root)
        except HippoError:  # a setting that is wrong keeps no merge back
            config = Config()
        return merge(base, ours, theirs, setting(root, config, now, path), labels), ""
    except Exception as error:
        lines = split_lines(base), split_lines(ours), split_lines(theirs)
        merged, count = merge_lines(*lines, labels)
        notice = f"merged by line ({type(error).__name__}: {error})"
        return Merged("".join(merged), max(1, count)), notice
