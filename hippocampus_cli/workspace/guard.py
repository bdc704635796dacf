"""What keeps a loss from being made permanent: the ids that the index had when hippo last wrote it or saw it whole.

``.hippocampus/snapshots/ids.json`` holds them. It is rewritten only where the ids changed, beside the snapshots of
the files themselves (:mod:`snapshots`); without it nothing is guarded until the next write.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from hippocampus_cli.errors import MergeUnresolved
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.conflicts import conflict_lines
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.markdown.lines import decode
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.own_files import KNOWN_IDS, SNAPSHOTS
from hippocampus_cli.workspace.state import IF_SENSIBLE, read_state, write_state

_DUE_NS = 3_600_000_000_000


class KnownIds(NamedTuple):
    """The ids of the living and of the archived entries."""

    living: frozenset[str] = frozenset()
    archived: frozenset[str] = frozenset()


class Loss(NamedTuple):
    """``ids`` are gone of ``total`` that were known."""

    ids: frozenset[str]
    total: int


def read_known(root: Path) -> KnownIds | None:
    """What was known last; ``None`` where there is nothing, or nothing that can be read."""
    with IF_SENSIBLE:
        state = read_state(root, KNOWN_IDS)
        return KnownIds(*(frozenset(state[name]) for name in KnownIds._fields))
    return None


def write_known(root: Path, known: KnownIds) -> None:
    """Keep what is known. The caller holds the lock; a disk that refuses costs the guard, never the change."""
    write_state(root, KNOWN_IDS, {name: sorted(ids) for name, ids in known._asdict().items()})


def known_of(index: Hierarchy, known: KnownIds | None, *, archive: bool) -> KnownIds:
    """What is to be known of an index that is as it should be; ``archive`` says whether it was read with it."""
    if archive:
        return KnownIds(index.ids, frozenset(located.entry.id for located in index.archived))
    return KnownIds(index.ids, known.archived - index.ids if known else frozenset())


def is_snapshot_due(root: Path) -> bool:
    """Whether the index was changed more than an hour after the folder of snapshots was, or there is none."""
    try:
        kept, index = (FileStat.of(os.stat(root / name)) for name in (SNAPSHOTS, MASTER))
    except OSError:
        return True
    return index.mtime_ns - kept.mtime_ns > _DUE_NS


def loss_of(known: KnownIds, index: Hierarchy, limit: float, *, archive: bool) -> Loss | None:
    """What an index lacks of what is known, where that is more than ``limit`` (``upkeep.loss_limit``).

    Living and archived entries count apart; without its archive, ``index`` is asked for the living ones alone, and
    what went to the archive seems gone. One entry is always allowed, unless nothing is left at all.
    """
    if limit >= 1 or (not archive and known.living <= index.ids):  # nearly always
        return None
    there = index.ids.union(located.entry.id for located in index.archived)
    for expected in (known.living, known.archived) if archive else (known.living,):
        gone = expected - there
        if gone:
            gone -= {alias for located in index.entries for alias in located.entry.aka}
        allowed = max(limit * len(expected), 1 if limit else 0)
        if gone and (len(gone) > allowed or not index.master.text.strip()):
            return Loss(gone, len(expected))
    return None


def refuse_conflicts(files: Mapping[str, bytes | None]) -> None:
    """Raises :class:`MergeUnresolved` at the first line that a merge left behind."""
    for path, data in files.items():
        if not data or (b"<<<<<<<" not in data and b">>>>>>>" not in data):  # nearly every file
            continue
        if lines := conflict_lines(decode(data)):
            listed = ", ".join(map(str, lines[:6])) + (", …" if len(lines) > 6 else "")
            raise MergeUnresolved(path=path, line=lines[0], lines=listed)
