"""Milvus: embedded in a file (milvus-lite), or a cluster by URL, which machines may share."""

from __future__ import annotations

import contextlib
import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from hippocampus_cli.errors import ExtraMissing, NearestFailed

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Ids, Vectors

_AT_ONCE = 1_000
_LISTED_AT_ONCE = 10_000
_LOGGERS = ("pymilvus", "milvus_lite", "grpc")
_OF_CLUSTER = "see that it runs, or choose another: embedding.nearest"
_OF_FILE = "another process may have it open; if none has, delete it and run `hippo embed`"
_T = TypeVar("_T")
_open_files: Counter[str] = Counter()  # of this process: they share the server of a file


class Milvus:
    """A collection in Milvus (:class:`~hippocampus_cli.embedding.nearest.index.NearestIndex`).

    ``where`` is a file that ends in ``.db``, which one process can have open at a time, or a URL; ``collection`` is
    made by what is added first. A request takes ``seconds`` at most. Raises :class:`ExtraMissing` where pymilvus is
    not installed.
    """

    def __init__(
        self, where: str, collection: str, dimensions: int, token: str = "", seconds: float = 30.0
    ) -> None:
        try:
            from pymilvus import MilvusClient
        except ImportError as error:
            raise ExtraMissing(feature="the vector index Milvus", extra="milvus") from error
        self._where = where
        self._collection = collection
        self._dimensions = dimensions
        self._seconds = seconds
        self.shared = "://" in where
        if not self.shared:
            folder = Path(where).parent
            self._asked(partial(folder.mkdir, parents=True, exist_ok=True))
        self._client: Any = self._asked(lambda: MilvusClient(where, token=token, timeout=seconds))
        _open_files[where] += 1
        try:
            self._there = self._asked(self._found)
        except NearestFailed:
            self.close()
            raise

    @property
    def place(self) -> str:
        """Where it answers, and its collection; none where that is not there."""
        return f"milvus {self._where} {self._collection}" if self._there else ""

    def __len__(self) -> int:
        if not self._there:
            return 0
        told = self._ask("query", filter="", output_fields=["count(*)"])
        return int(told[0]["count(*)"])

    def add(self, ids: Ids, vectors: Vectors) -> None:
        """As the protocol says."""
        if not self._there:
            self._asked(self._make)
            self._there = True
        for at in range(0, len(ids), _AT_ONCE):
            part = slice(at, at + _AT_ONCE)
            rows = [
                {"id": one, "vector": row}
                for one, row in zip(ids[part].tolist(), vectors[part].tolist(), strict=True)
            ]
            self._ask("upsert", data=rows)

    def remove(self, ids: Ids) -> None:
        """As the protocol says."""
        for at in range(0, len(ids) if self._there else 0, _AT_ONCE):
            self._ask("delete", ids=ids[at : at + _AT_ONCE].tolist())

    def near(self, vector: Vectors, most: int) -> Ids:
        """As the protocol says."""
        if not most or not self._there:
            return np.empty(0, np.int64)
        (hits,) = self._ask("search", data=[vector.tolist()], limit=most)
        return np.array([hit["id"] for hit in hits], dtype=np.int64)

    def ids(self) -> Ids:
        """As the protocol says."""
        if not self._there:
            return np.empty(0, np.int64)
        return np.fromiter(self._asked(lambda: list(self._listed())), dtype=np.int64)

    def save(self) -> None:
        """Have it sort in what was added: milvus-lite compares one by one what it has not."""
        if self._there:
            self._ask("flush")

    def close(self) -> None:
        """Let go of the file, or of the connection."""
        self._asked(self._client.close)
        _open_files[self._where] -= 1
        if not self.shared and not _open_files[self._where]:
            self._asked(lambda: _release(self._where))

    def _listed(self) -> Iterator[int]:
        pages = self._client.query_iterator(
            self._collection,
            filter="",
            output_fields=["id"],
            batch_size=_LISTED_AT_ONCE,
            timeout=self._seconds,
        )
        with contextlib.closing(pages):
            while page := pages.next():
                yield from (row["id"] for row in page)

    def _found(self) -> bool:
        """Whether there is the collection, ready to be asked."""
        bounded = {"timeout": self._seconds}
        if not self._client.has_collection(self._collection, **bounded):
            return False
        told = self._client.describe_collection(self._collection, **bounded)
        if _sizes(told["fields"]) != [self._dimensions]:
            raise ValueError(f"its collection {self._collection} is of other vectors")
        self._client.load_collection(self._collection, **bounded)
        return True

    def _make(self) -> None:
        self._client.create_collection(
            self._collection,
            dimension=self._dimensions,
            primary_field_name="id",
            id_type="int",
            vector_field_name="vector",
            metric_type="COSINE",
            auto_id=False,
            consistency_level="Strong",  # what one process adds the next one finds
            timeout=self._seconds,
        )

    def _ask(self, name: str, **given: Any) -> Any:
        work = getattr(self._client, name)
        return self._asked(partial(work, self._collection, **given, timeout=self._seconds))

    def _asked(self, work: Callable[[], _T]) -> _T:
        """The result of ``work``, whatever goes wrong in it told as a failure of the index."""
        try:
            with _silent():
                return work()
        except Exception as error:  # pymilvus lets those of grpc and of its engine through as well
            raise NearestFailed(
                place=self._where,
                reason=_reason(error),
                advice=_OF_CLUSTER if self.shared else _OF_FILE,
            ) from None


def _sizes(fields: Sequence[Any]) -> list[int]:
    return [int(field["params"]["dim"]) for field in fields if field["name"] == "vector"]


def _reason(error: Exception) -> str:
    """What it says in words: pymilvus has them in ``message``, grpc behind ``details``."""
    details = getattr(error, "details", None)
    said = details() if callable(details) else getattr(error, "message", "")
    return " ".join(str(said or error).split())[:300] or type(error).__name__


def _release(file: str) -> None:
    """End the server that milvus-lite has in this process: until then no other process can open the file."""
    from milvus_lite.server_manager import server_manager_instance

    server_manager_instance.release_server(file)


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Without what they write to standard error, tracebacks too: what went wrong is told once, by who asked."""
    levels = {name: logging.getLogger(name).level for name in _LOGGERS}
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
