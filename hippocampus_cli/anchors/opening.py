"""Opening the twin in step with the files it is made from; made anew where it is not."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.anchors import files, tables
from hippocampus_cli.anchors.index import Facts
from hippocampus_cli.anchors.twin import Twin
from hippocampus_cli.errors import AnchorsNotFound, FileUnwritable
from hippocampus_cli.workspace import database
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import ANCHORS_LOCK, CACHE, ensure_folder

if TYPE_CHECKING:
    from hippocampus_cli.anchors.index import AnchorIndexed
    from hippocampus_cli.anchors.notebook import Notebook

TWIN_FILE = f"{CACHE}/anchors.sqlite"
_STAMP, _DIGEST, _FACTS, _VECTORS = "stamp", "digest", "facts", "vectors"


def connect(root: Path) -> Twin:
    """The twin as it is on disk, empty for a new one; in memory where no file can be kept."""
    path: Path | None = None
    with contextlib.suppress(FileUnwritable):
        path = ensure_folder(root, TWIN_FILE)
    if path is not None:
        with contextlib.suppress(sqlite3.OperationalError, OSError):
            try:
                return Twin(tables.connect(path))
            except database.FAILURES as error:
                if not database.is_damage(error, path):  # locked for long, or a read-only medium
                    raise
                discard(root)
                return Twin(tables.connect(path))
    return in_memory()


def in_memory() -> Twin:
    """An empty twin that ends with this process."""
    return Twin(tables.connect(None))


def discard(root: Path) -> None:
    """Remove a damaged twin."""
    with contextlib.suppress(OSError):
        database.remove(root / TWIN_FILE)


def in_step(root: Path, twin: Twin, book: Notebook) -> bool:
    """Whether ``twin`` says what the files say, as far as they tell from outside."""
    now = files.stamp(root)
    if now is None or files.is_half_done(root) or twin.fact(_STAMP) != _shown(now):
        return False
    return not _lacks_vectors(twin, book)


def catch_up(root: Path, twin: Twin, book: Notebook, timeout: float) -> None:
    """Make ``twin`` anew from the files where it is not in step. ``timeout`` is in seconds.

    Raises :class:`AnchorsNotFound`, :class:`AnchorsDamaged`.
    """
    if in_step(root, twin, book):
        return
    if not files.exists(root):
        raise AnchorsNotFound
    with _alone(root, timeout):
        refill(root, twin, book)


def refill(root: Path, twin: Twin, book: Notebook) -> None:
    """The same for a caller that holds the lock, or on a read-only medium."""
    with contextlib.suppress(FileUnwritable):
        files.settle(root)
    stamp = files.stamp(root)
    stored = files.read(root)
    digest = files.digest_of(stored)
    with database.transaction(twin.connection):
        if twin.fact(_DIGEST) != digest or _lacks_vectors(twin, book):
            index = files.parsed(stored)
            twin.fill(index, dict(book.texts(index)))
            describe(twin, index, digest, with_vectors=book.makes_vectors(index.facts.embedder))
        if stamp is not None:
            twin.keep(_STAMP, _shown(stamp))


def describe(twin: Twin, index: AnchorIndexed, digest: str, *, with_vectors: bool) -> None:
    """Note in ``twin`` what it is the twin of."""
    twin.keep(_FACTS, json.dumps(index.facts._asdict()))
    twin.keep(_DIGEST, digest)
    without = f"without {index.facts.embedder}"
    twin.keep(_VECTORS, "with" if with_vectors else without)


def seal(root: Path, twin: Twin) -> None:
    """Note in ``twin`` that it is in step with the files as they are."""
    stamp = files.stamp(root)
    if stamp is not None:
        twin.keep(_STAMP, _shown(stamp))


def facts_of(twin: Twin) -> Facts:
    """The facts of the index that ``twin`` is the twin of."""
    kept: Mapping[str, object] = json.loads(twin.fact(_FACTS) or "{}")
    return Facts(**kept)  # type: ignore[arg-type]


def version_of(twin: Twin) -> str | None:
    """What two twins of the same files have in common."""
    return twin.fact(_DIGEST)


def _lacks_vectors(twin: Twin, book: Notebook) -> bool:
    return bool(book.embedder) and twin.fact(_VECTORS) == f"without {book.embedder}"


@contextlib.contextmanager
def _alone(root: Path, timeout: float) -> Iterator[None]:
    """The lock, where one can be had: a medium that cannot be written has no writers either."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(FileUnwritable):
            stack.enter_context(locked(root, timeout, ANCHORS_LOCK))
        yield


def _shown(stamp: files.Stamp) -> str:
    return json.dumps(stamp)
