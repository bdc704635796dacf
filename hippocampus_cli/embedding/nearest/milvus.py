"""Milvus: embedded in a file (milvus-lite), or a cluster by URL. It keeps what it was given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from hippocampus_cli.embedding.nearest.brute import ranked
from hippocampus_cli.embedding.nearest.index import Found
from hippocampus_cli.errors import ExtraMissing, NearestFailed

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Vectors

FILE = "vectors.milvus.db"
_COLLECTION = "hippo"
_AT_ONCE = 1_000
_T = TypeVar("_T")


class Milvus:
    """A vector index that lasts (:class:`~hippocampus_cli.embedding.nearest.index.NearestIndex`).

    ``place`` is a file that ends in ``.db``, or a URL; ``collection`` is made where there is none, and made
    anew where it holds vectors of other ``dimensions``. Raises :class:`ExtraMissing` where pymilvus is not
    installed; everything raises :class:`NearestFailed` where Milvus does not do what it is asked.
    """

    def __init__(
        self, place: str, dimensions: int, token: str = "", collection: str = _COLLECTION
    ) -> None:
        try:
            from pymilvus import MilvusClient
        except ImportError as error:
            raise ExtraMissing(feature="the vector index Milvus", extra="milvus") from error
        self._place = place
        self._collection = collection
        if "://" not in place:
            folder = Path(place).parent
            self._asked(partial(folder.mkdir, parents=True, exist_ok=True))
        self._client: Any = self._asked(lambda: MilvusClient(place, token=token))
        self._asked(lambda: self._prepare(dimensions))

    def __len__(self) -> int:
        def count() -> int:
            told = self._client.query(
                self._collection, filter="", output_fields=["count(*)"], consistency_level="Strong"
            )
            return int(told[0]["count(*)"])

        return self._asked(count)

    def add(self, ids: Sequence[int], vectors: Vectors) -> None:
        """As the protocol says; of an id that is given twice the last counts."""
        last = {one: at for at, one in enumerate(ids)}
        rows = [{"id": one, "vector": vectors[at].tolist()} for one, at in last.items()]
        for at in range(0, len(rows), _AT_ONCE):
            part = rows[at : at + _AT_ONCE]
            self._asked(partial(self._client.upsert, self._collection, part))

    def remove(self, ids: Sequence[int]) -> None:
        """As the protocol says."""
        for at in range(0, len(ids), _AT_ONCE):
            part = list(ids[at : at + _AT_ONCE])
            self._asked(partial(self._client.delete, self._collection, ids=part))

    def search(self, vectors: Vectors, k: int) -> list[Found]:
        """As the protocol says."""
        if not k or not len(vectors):
            return [_found([], k) for _ in vectors]
        answers = self._asked(
            lambda: self._client.search(
                self._collection, data=vectors.tolist(), limit=k, consistency_level="Strong"
            )
        )
        return [_found(hits, k) for hits in answers]

    def close(self) -> None:
        """Let go of the file, or of the connection."""
        self._asked(self._client.close)

    def _prepare(self, dimensions: int) -> None:
        if self._client.has_collection(self._collection):
            told = self._client.describe_collection(self._collection)
            sizes = [
                field["params"]["dim"] for field in told["fields"] if field["name"] == "vector"
            ]
            if sizes == [dimensions]:
                self._client.load_collection(self._collection)
                return
            self._client.drop_collection(self._collection)
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
                place=self._place,
                reason=f"{type(error).__name__}: {reason}",
                advice="see that it runs, or choose another: embedding.nearest",
            ) from None


def _found(hits: Sequence[Any], k: int) -> Found:
    ids = np.array([hit["id"] for hit in hits], dtype=np.int64)
    cosines = np.array([hit["distance"] for hit in hits], dtype=np.float32)
    return ranked(ids, cosines, k)
