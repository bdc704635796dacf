"""The lookup database held open from one call to the next, in step with the files it is made from."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hippocampus_cli.anchors import files, lookup_database
from hippocampus_cli.anchors.index import Facts
from hippocampus_cli.anchors.lookup import AnchorIndex, Bounds
from hippocampus_cli.anchors.lookup_database import LookupDatabase
from hippocampus_cli.anchors.notebook import Notebook
from hippocampus_cli.errors import AnchorsDamaged, AnchorsNotFound, FileUnwritable
from hippocampus_cli.workspace.database import Database, transaction
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import ANCHOR_EMBEDS, ANCHORS_LOCK, CACHE, cache_path

if TYPE_CHECKING:
    from hippocampus_cli.anchors.dense import Meaning
    from hippocampus_cli.anchors.index import AnchorIndexed


_T = TypeVar("_T")


class OpenDatabase:
    """The lookup database of the anchors at ``root``, opened when it is first needed."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._database: Database | None = None
        self._twin: LookupDatabase | None = None

    def close(self) -> None:
        """Let go of it."""
        if self._database is not None:
            self._database.close()
            self._database = self._twin = None

    def healed(self, work: Callable[[LookupDatabase], _T]) -> _T:
        """``work`` done on it; done again on another one where this one is of no use."""
        if self._database is None:
            self._database = lookup_database.open_database(cache_path(self._root, TWIN_FILE))
        try:
            return self._database.healed(lambda connection: work(self._over(connection)))
        except FileUnwritable as error:
            if error.path != ANCHORS_LOCK or not self._database.failure:
                raise
            # The disk that was too full for the twin is too full for the lock: the twin is what needs the room.
            raise FileUnwritable(path=TWIN_FILE, reason=self._database.failure) from error

    def _over(self, connection: sqlite3.Connection) -> LookupDatabase:
        if self._twin is None or self._twin.connection is not connection:
            self._twin = LookupDatabase(connection)
        return self._twin


def assembled(book: Notebook, twin: LookupDatabase) -> AnchorIndex:
    """The index over a twin that is in step. Raises :class:`AnchorsDamaged`, ``UsageError`` for a pattern."""
    settings, facts = book.config.anchors, facts_of(twin)
    allowed = None
    if settings.allow:
        from hippocampus_cli.search.filters import matcher

        allowed = matcher(settings.allow)
    bounds = Bounds(
        settings.max_chunks, settings.per_file, allowed, settings.deny, settings.project
    )
    return AnchorIndex(twin, facts.average, bounds, _meaning(book, twin, facts))


def _meaning(book: Notebook, twin: LookupDatabase, facts: Facts) -> Meaning | None:
    if book.vectoriser is None or not book.makes_vectors(facts.embedder):
        return None
    from hippocampus_cli.anchors.dense import Meaning

    embeds = files.read(book.root).embeds
    threshold = book.config.anchors.sem_theta or facts.sem_theta
    try:
        return Meaning(twin, embeds or b"", book.vectoriser, threshold)
    except ValueError as error:
        reason = "it does not hold the anchors' vectors"
        raise AnchorsDamaged(path=ANCHOR_EMBEDS, reason=reason) from error


TWIN_FILE = f"{CACHE}/anchors.sqlite"
_STAMP, _DIGEST, _FACTS, _VECTORS = "stamp", "digest", "facts", "vectors"


def in_step(root: Path, twin: LookupDatabase, book: Notebook) -> bool:
    """Whether ``twin`` says what the files say, as far as they tell from outside."""
    now = files.stamp(root)
    if now is None or files.is_half_done(root) or twin.fact(_STAMP) != _shown(now):
        return False
    return not _lacks_vectors(twin, book)


def catch_up(root: Path, twin: LookupDatabase, book: Notebook, timeout: float) -> None:
    """Make ``twin`` anew from the files where it is not in step. ``timeout`` is in seconds.

    Raises :class:`AnchorsNotFound`, :class:`AnchorsDamaged`.
    """
    if in_step(root, twin, book):
        return
    if not files.exists(root):
        raise AnchorsNotFound
    with _alone(root, timeout):
        refill(root, twin, book)


def refill(root: Path, twin: LookupDatabase, book: Notebook) -> None:
    """The same for a caller that holds the lock, or on a read-only medium."""
    with contextlib.suppress(FileUnwritable):
        files.settle(root)
    stamp = files.stamp(root)
    stored = files.read(root)
    digest = files.digest_of(stored)
    with transaction(twin.connection):
        if twin.fact(_DIGEST) != digest or _lacks_vectors(twin, book):
            index = files.parsed(stored)
            twin.fill(index, dict(book.texts(index)))
            describe(twin, index, digest, with_vectors=book.makes_vectors(index.facts.embedder))
        if stamp is not None:
            twin.keep(_STAMP, _shown(stamp))


def describe(
    twin: LookupDatabase, index: AnchorIndexed, digest: str, *, with_vectors: bool
) -> None:
    """Note in ``twin`` what it is the twin of."""
    twin.keep(_FACTS, json.dumps(index.facts._asdict()))
    twin.keep(_DIGEST, digest)
    without = f"without {index.facts.embedder}"
    twin.keep(_VECTORS, "with" if with_vectors else without)


def seal(root: Path, twin: LookupDatabase) -> None:
    """Note in ``twin`` that it is in step with the files as they are."""
    stamp = files.stamp(root)
    if stamp is not None:
        twin.keep(_STAMP, _shown(stamp))


def facts_of(twin: LookupDatabase) -> Facts:
    """The facts of the index that ``twin`` is the twin of."""
    kept: Mapping[str, object] = json.loads(twin.fact(_FACTS) or "{}")
    return Facts(**kept)  # type: ignore[arg-type]


def version_of(twin: LookupDatabase) -> str | None:
    """What two twins of the same files have in common."""
    return twin.fact(_DIGEST)


def _lacks_vectors(twin: LookupDatabase, book: Notebook) -> bool:
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
