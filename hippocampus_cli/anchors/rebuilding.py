"""A build carried out: the notes read, the index worked out, its files and its twin replaced."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from hippocampus_cli.anchors import files, opening
from hippocampus_cli.anchors.building import Built, Progress, ReadNote, build
from hippocampus_cli.anchors.index import AnchorIndexed
from hippocampus_cli.anchors.notebook import Notebook
from hippocampus_cli.anchors.terms import INDEX, Term, named
from hippocampus_cli.anchors.twin import Twin
from hippocampus_cli.errors import HippoError
from hippocampus_cli.workspace.database import transaction
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import ANCHORS_LOCK
from hippocampus_cli.workspace.store import IndexStore


def built(book: Notebook, now: datetime, progress: Progress | None) -> Built:
    """The index of the notes as they are. Raises :class:`FileUnreadable` where the folder cannot be listed."""
    stats = book.stats(book.scan().files)
    notes = (ReadNote(*read) for stat in stats.values() if (read := book.read(stat)) is not None)
    settings = book.config.anchors
    return build(
        notes, names(book), settings, book.vectoriser, now.isoformat("T", "seconds"), progress
    )


def names(book: Notebook) -> Iterator[Term]:
    """The topics and tags of the index, where there is one that can be read."""
    try:
        entries = (
            IndexStore(book.root, book.config.lock.timeout_seconds, book.config.upkeep.loss_limit)
            .read()
            .entries
        )
    except HippoError:
        return
    for one in entries:
        for text in (one.entry.topic, *one.entry.tags):
            yield from named(text, INDEX)


def differs(root: Path, new: Built) -> bool:
    """Whether the files on disk say something else, moments apart, or cannot be read."""
    try:
        before = files.parsed(files.read(root))
    except HippoError:
        return True
    return _timeless(before) != _timeless(new.whole)


def put(root: Path, twin: Twin, new: Built, timeout: float) -> None:
    """Write the files, then fill the twin. Raises :class:`FileUnwritable`, :class:`Busy`.

    A twin that cannot be written is left behind: with the files the build is done, and whoever needs the twin next
    makes it from them, in memory if need be.
    """
    stored = files.stored(new.whole, new.embeds)
    with locked(root, timeout, ANCHORS_LOCK):
        files.write(root, stored)
        with contextlib.suppress(sqlite3.OperationalError), transaction(twin.connection):
            twin.fill(new.whole, new.texts)
            with_vectors = new.embeds is not None
            digest = files.digest_of(stored)
            opening.describe(twin, new.whole, digest, with_vectors=with_vectors)
            opening.seal(root, twin)


def _timeless(index: AnchorIndexed) -> tuple[object, ...]:
    facts = index.facts._replace(built_at="", updated_at=None)
    settled = {path: one._replace(updated=False) for path, one in index.files.items()}
    return facts, settled, dict(index.anchors), dict(index.lists)
