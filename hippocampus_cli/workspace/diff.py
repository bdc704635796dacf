"""What changed between what is known and what is on disk."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hippocampus_cli.workspace.scan import FileStat


@dataclass(frozen=True, slots=True)
class Diff:
    """Files by what happened to them, each sorted by path; ``removed`` holds what was known."""

    added: tuple[FileStat, ...]
    changed: tuple[FileStat, ...]
    removed: tuple[FileStat, ...]


def merge_diff(known: Iterable[FileStat], found: Iterable[FileStat]) -> Diff:
    """Compare two streams sorted by path in one pass."""
    added: list[FileStat] = []
    changed: list[FileStat] = []
    removed: list[FileStat] = []
    olds, news = iter(known), iter(found)
    old, new = next(olds, None), next(news, None)
    while old or new:
        if new is None or (old is not None and old.path < new.path):
            assert old is not None
            removed.append(old)
            old = next(olds, None)
        elif old is None or new.path < old.path:
            added.append(new)
            new = next(news, None)
        else:
            if old != new:
                changed.append(new)
            old, new = next(olds, None), next(news, None)
    return Diff(tuple(added), tuple(changed), tuple(removed))
