"""What keeps a loss from being made permanent: the names of the snapshots (:mod:`snapshots`), each of which says how
many entries the index had, living and archived. Only where there are fewer by now is one opened, to see which.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from hippocampus_cli.errors import MergeUnresolved
from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.index.conflicts import conflict_lines
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.own_files import SNAPSHOTS, files_in

# Older names say nothing of the archive, and end in a checksum.
_NAME = pattern(r"(\d{4,})-(\d+)(?:-(\d+))?(?:-[0-9a-f]{8})?\.zip")


class Snapshot(NamedTuple):
    """One copy of the index: how many living ``entries`` and ``archived`` ones it has, when it was made (UTC), its
    bytes, and its file from the workspace's root. One without entries says that whatever the index lacked then was
    accepted."""

    number: int
    entries: int
    archived: int
    at: datetime
    size: int
    path: str


class Loss(NamedTuple):
    """``ids`` are gone of ``total`` that were known."""

    ids: frozenset[str]
    total: int


def snapshots(root: Path) -> list[Snapshot]:
    """Those that are kept, the oldest first, as their names say; none is opened."""
    kept = []
    for path in files_in(root, SNAPSHOTS, "*.zip"):
        if name := _NAME.fullmatch(path.name):
            with contextlib.suppress(OSError):
                look = FileStat.of(path.stat())
                at = datetime.fromtimestamp(look.changed_at, UTC)
                number, living, archived = (int(digits or 0) for digits in name.groups())
                kept.append(
                    Snapshot(number, living, archived, at, look.size, f"{SNAPSHOTS}/{path.name}")
                )
    return sorted(kept, key=lambda snapshot: snapshot.number)


def latest(root: Path) -> Snapshot | None:
    """The one that was made last; ``None`` where nothing is known of the index."""
    return next(reversed(snapshots(root)), None)


def is_short(kept: Snapshot, index: Hierarchy, *, archive: bool) -> bool:
    """Whether an index, read with its ``archive`` or without it, has fewer entries than it had."""
    return len(index.entries) < kept.entries or (archive and len(index.archived) < kept.archived)


def is_due(root: Path, before: Hierarchy, after: Hierarchy) -> bool:
    """Whether an index that was written is to be copied: other entries live in it than in the newest copy."""
    kept = latest(root)
    return kept is None or before.ids != after.ids or len(after.entries) != kept.entries


def loss_of(known: Hierarchy, index: Hierarchy, limit: float, *, archive: bool) -> Loss | None:
    """What an index lacks of what is known, where that is more than ``limit`` (``upkeep.loss_limit``).

    Living and archived entries count apart; without its archive, ``index`` is asked for the living ones alone, and
    what went to the archive seems gone. One entry is always allowed, unless nothing is left at all.
    """
    there = index.ids.union(located.entry.id for located in index.archived)
    there |= {alias for located in index.entries for alias in located.entry.aka}
    resting = frozenset(located.entry.id for located in known.archived)
    for expected in (known.ids, resting) if archive else (known.ids,):
        gone = expected - there
        allowed = max(limit * len(expected), 1 if limit else 0)
        if gone and (len(gone) > allowed or not index.master.text.strip()):
            return Loss(frozenset(gone), len(expected))
    return None


def refuse_conflicts(texts: Mapping[str, str]) -> None:
    """Raises :class:`MergeUnresolved` at the first line that a merge left behind."""
    for path, text in texts.items():
        if lines := conflict_lines(text):
            raise MergeUnresolved(path=path, line=lines[0], lines=", ".join(map(str, lines[:6])))
