"""What changed in the workspace since it was last looked at."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from hippocampus_cli.workspace.files import FileStat


class Diff(NamedTuple):
    """Files by what became of them, each sorted by path. ``changed`` and ``added`` hold what was found."""

    added: list[FileStat]
    changed: list[FileStat]
    removed: list[FileStat]

    def __bool__(self) -> bool:
        """Whether anything changed."""
        return bool(self.added or self.changed or self.removed)


def merge_diff(
    known: Iterable[FileStat], found: Iterable[FileStat], other: Collection[str] = ()
) -> Diff:
    """The difference between two streams sorted by path, in one pass.

    ``other`` are the paths of which it is known that their text is another one: that decides where only ``ctime_ns``
    is, which an edit changes whose time was set back, and other rights as well.

    Raises ``ValueError`` if a stream is not sorted: a silent disorder would report files as removed.
    """
    diff = Diff([], [], [])
    old_files, new_files = _sorted(known), _sorted(found)
    old, new = next(old_files, None), next(new_files, None)
    while old is not None or new is not None:
        if new is None or (old is not None and old.path < new.path):
            assert old is not None
            diff.removed.append(old)
            old = next(old_files, None)
        elif old is None or new.path < old.path:
            diff.added.append(new)
            new = next(new_files, None)
        else:
            if old[:3] != new[:3] or (old != new and new.path in other):
                diff.changed.append(new)
            old, new = next(old_files, None), next(new_files, None)
    return diff


def _sorted(files: Iterable[FileStat]) -> Iterator[FileStat]:
    last = ""
    for file in files:
        if file.path <= last and last:
            raise ValueError(f"not sorted by path: {file.path!r} after {last!r}")
        last = file.path
        yield file
