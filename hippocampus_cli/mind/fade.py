"""Beliefs of very low weight move to the archive, and can be restored."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.index.edit import add_entries, block_of, free_id
from hippocampus_cli.index.metadata import write_text
from hippocampus_cli.mind.beliefs import (
    ARCHIVED,
    Belief,
    BeliefStore,
    hours_since,
    removed,
    updated,
)
from hippocampus_cli.mind.weighing import ARCHIVE_BELOW, decay

if TYPE_CHECKING:
    from hippocampus_cli.index.document import Document, Located


def is_faded(belief: Belief, now: datetime, rate: float) -> bool:
    """Whether it is due for the archive."""
    hours = hours_since(belief.verified, now)
    return decay(belief.weight, hours, belief.significance, rate) < ARCHIVE_BELOW


def archive_faded(
    root: Path, now: datetime, timeout: float, rate: float, *, dry_run: bool = False
) -> list[Belief]:
    """Move faded beliefs to the archive: they are there before they are gone here. Returns their ids there."""
    store = BeliefStore(root, timeout)
    faded = [one for one in store.all() if is_faded(one, now, rate)]
    if dry_run or not faded:
        return faded
    ids = _move(store, BeliefStore(root, timeout, ARCHIVED), [one.id for one in faded])
    return [one.replaced(id=ids.get(one.id, one.id)) for one in faded]


def restore(root: Path, id: str, now: datetime, timeout: float) -> Belief:
    """Bring a belief back, verified today. Raises :class:`BeliefNotFound`."""
    archive, store = BeliefStore(root, timeout, ARCHIVED), BeliefStore(root, timeout)
    found = archive.get(id)
    ids = _move(archive, store, [id])
    back = found.replaced(id=ids.get(id, id), verified=now.date(), weight=max(found.weight, 0.5))
    store.change(lambda document: (updated(document, [back]), None))
    return back


def _move(source: BeliefStore, target: BeliefStore, ids: Sequence[str]) -> dict[str, str]:
    """Move entries; the new ids, by the old ones, of those whose id stands for another entry there."""
    entries = [one for one in source.document().entries if one.key in ids]
    renamed = target.change(lambda document: _with(document, entries))
    source.change(lambda document: (removed(document, document.by_key.keys() & ids), None))
    return renamed


def _with(document: Document, entries: Sequence[Located]) -> tuple[Document, dict[str, str]]:
    """The document with these entries, except those it has: after a kill between the two writes they are in both
    files."""
    taken = {*document.by_key, *(one.key for one in entries)}
    renamed: dict[str, str] = {}
    blocks: list[str] = []
    for one in entries:
        there = document.by_key.get(one.key)
        if there is not None and there.entry.raw.split() == one.entry.raw.split():
            continue
        entry = one.entry
        if there is not None:
            renamed[one.key] = free_id(one.key, taken)
            entry = entry.with_values({"id": write_text(renamed[one.key])})
            taken.add(renamed[one.key])
        blocks.append(block_of(entry))
    return add_entries(document, (), blocks) if blocks else document, renamed
