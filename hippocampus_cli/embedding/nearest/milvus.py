"""Milvus: embedded in a file (milvus-lite), or a cluster by URL, which machines may share."""

from __future__ import annotations

import contextlib
import logging
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
_T = TypeVar("_T")


class Milvus:
    """A collection in Milvus (:class:`~hippocampus_cli.embedding.nearest.index.NearestIndex`).

    ``where`` is a file that ends in ``.db``, or a URL; ``collection`` is made where there is none. A request takes
    ``seconds`` at most, where a server answers. Raises :class:`ExtraMissing` where pymilvus is not installed.
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
        self._bounded = {"timeout": seconds}
        if "://" not in where:
            folder = Path(where).parent
            self._asked(partial(folder.mkdir, parents=True, exist_ok=True))
        self._client: Any = self._asked(lambda: MilvusClient(where, token=token, timeout=seconds))
        self._asked(lambda: self._prepare(dimensions))

    @property
    def place(self) -> str:
        """Where it answers, and its collection."""
        return f"milvus {self._where} {self._collection}"

    def __len__(self) -> int:
        def count() -> int:
            told = self._client.query(
                self._collection,
                filter="",
                output_fields=["count(*)"],
                consistency_level="Strong",
                **self._bounded,
            )
            return int(told[0]["count(*)"])

        return self._asked(count)

    def add(self, ids: Ids, vectors: Vectors) -> None:
        """As the protocol says."""
        for at in range(0, len(ids), _AT_ONCE):
            part = slice(at, at + _AT_ONCE)
            rows = [
                {"id": one, "vector": row}
                for one, row in zip(ids[part].tolist(), vectors[part].tolist(), strict=True)
            ]
            self._asked(partial(self._client.upsert, self._collection, rows))

    def remove(self, ids: Ids) -> None:
        """As the protocol says."""
        for at in range(0, len(ids), _AT_ONCE):
            part = ids[at : at + _AT_ONCE].tolist()
            self._asked(partial(self._client.delete, self._collection, ids=part))

    def near(self, vector: Vectors, most: int) -> Ids:
        """As the protocol says."""
        if not most:
            return np.empty(0, np.int64)
        (hits,) = self._asked(
            lambda: self._client.search(
                self._collection,
                data=[vector.tolist()],
                limit=most,
                consistency_level="Strong",
                **self._bounded,
            )
        )
        return np.array([hit["id"] for hit in hits], dtype=np.int64)

    def ids(self) -> Ids:
        """As the protocol says."""
        with _silent():
            return np.fromiter(self._asked(lambda: list(self._listed())), dtype=np.int64)

    def save(self) -> None:
        """Have it sort in what was added: milvus-lite compares one by one what it has not."""
        self._asked(lambda: self._client.flush(self._collection))

    def close(self) -> None:
        """Let go of the file, or of the connection."""
        self._asked(self._client.close)

    def _listed(self) -> Iterator[int]:
        pages = self._client.query_iterator(
            self._collection,
            filter="",
            output_fields=["id"],
            batch_size=_LISTED_AT_ONCE,
            consistency_level="Strong",
        )
        with contextlib.closing(pages):
            while page := pages.next():
                yield from (row["id"] for row in page)

    def _prepare(self, dimensions: int) -> None:
        if self._client.has_collection(self._collection, **self._bounded):
            told = self._client.describe_collection(self._collection)
            if _sizes(told["fields"]) != [dimensions]:
                raise ValueError(f"its collection {self._collection} is of other vectors")
            self._client.load_collection(self._collection)
            return
        self._client.create_collection(
            self._collection,
            dimension=dimensions,
            primary_field_name="id",
            id_type="int",
            vector_field_name="vector",
            metric_type="COSINE",
            auto_id=False,
        )

    def _asked(self, work: Callable[[], _T]) -> _T:
        """The result of ``work``, whatever goes wrong in it told as a failure of the index."""
        try:
            return work()
        except Exception as error:  # pymilvus lets those of grpc and of its engine through as well
            reason = " ".join(str(error).split())[:300]
            raise NearestFailed(
                place=self._where,
                reason=f"{type(error).__name__}: {reason}",
                advice="see that it runs, or choose another: embedding.nearest",
            ) from None


def _sizes(fields: Sequence[Any]) -> list[int]:
    return [int(field["params"]["dim"]) for field in fields if field["name"] == "vector"]


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """pymilvus warns on standard error that milvus-lite has no clock of its own to list by."""
    logger = logging.getLogger("pymilvus")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
