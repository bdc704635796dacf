"""Beliefs that weigh next to nothing leave the active store, for the archive; and come back from there."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.index.edit import add_entries, block_of
from hippocampus_cli.mind.beliefs import (
    ARCHIVED,
    Belief,
    BeliefStore,
    hours_since,
    removed,
    updated,
)
from hippocampus_cli.mind.errors import BeliefNotFound
from hippocampus_cli.mind.weighing import ARCHIVE_BELOW, decay

if TYPE_CHECKING:
    from hippocampus_cli.index.document import Document, Located


def is_faded(belief: Belief, now: datetime, rate: float) -> bool:
    """Whether it is to leave the active store."""
    hours = hours_since(belief.verified, now)
    return decay(belief.weight, hours, belief.significance, rate) < ARCHIVE_BELOW


def archive_faded(
    root: Path, now: datetime, timeout: float, rate: float, *, dry_run: bool = False
) -> list[Belief]:
    """Move what has faded to the archive; it is there before it is gone here."""
    store = BeliefStore(root, timeout)
    faded = [one for one in store.all() if is_faded(one, now, rate)]
    if faded and not dry_run:
        ids = {one.id for one in faded}
        _move(store, BeliefStore(root, timeout, ARCHIVED), ids)
    return faded


def restore(root: Path, id: str, now: datetime, timeout: float) -> Belief:
    """Bring a belief back, verified today. Raises :class:`BeliefNotFound`."""
    archive, store = BeliefStore(root, timeout, ARCHIVED), BeliefStore(root, timeout)
    found = next((one for one in archive.all() if one.id == id), None)
    if found is None:
        raise BeliefNotFound(id=id)
    _move(archive, store, {id})
    back = found.replaced(verified=now.date(), weight=max(found.weight, 0.5))
    store.change(lambda document: (updated(document, [back]), None))
    return back


def _move(source: BeliefStore, target: BeliefStore, ids: set[str]) -> None:
    entries = [one for one in source.document().entries if one.key in ids]
    target.change(lambda document: (_with(document, entries), None))
    source.change(lambda document: (removed(document, ids & document.by_key.keys()), None))


def _with(document: Document, entries: list[Located]) -> Document:
    new = [block_of(one.entry) for one in entries if one.key not in document.by_key]
    return add_entries(document, (), new) if new else document
