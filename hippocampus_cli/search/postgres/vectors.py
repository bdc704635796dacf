"""The vectors of a workspace beside its passages: pgvector finds the nearest."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from hippocampus_cli.search.postgres.tables import told

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Embedder, Vectors
    from hippocampus_cli.search.postgres.engine import PostgresEngine
    from hippocampus_cli.search.postgres.tables import PostgresTables

_MODEL = "model"  # the name that was kept last, in the workspace's facts
_HEAD = 4  # bytes before the numbers of a vector as pgvector sends it
_FEW = 20_000  # passages of a workspace whose vectors are all compared


class PostgresVectors:
    """The vectors of one embedder, as a :class:`~hippocampus_cli.embedding.vectors.VectorCache` has them. Raises
    :class:`StoreUnavailable`."""

    problem = ""

    def __init__(self, engine: PostgresEngine, embedder: Embedder) -> None:
        self._engine = engine
        self._embedder = embedder

    @property
    def former_model(self) -> str | None:
        """The model that last wrote here, where it was another."""
        with told():
            model = self._tables.get_meta(_MODEL)
        return None if model == self._model else model and model.rpartition(" ")[0]

    @property
    def ready(self) -> bool | None:
        """Whether there is a vector; ``None`` where nothing was kept with this model."""
        query = (
            "SELECT EXISTS(SELECT FROM hippo.vectors v"
            " WHERE v.workspace = m.workspace AND model = convert_from(m.value, 'UTF8'))"
            " FROM hippo.meta m WHERE workspace = %s AND key = 'model' AND value = %s"
        )
        rows = self._rows(query, self._model.encode())
        return bool(rows[0][0]) if rows else None

    def lacking(self, digests: Iterable[bytes]) -> set[bytes]:
        """Those of ``digests`` whose texts would have to be embedded."""
        wanted = set(digests)
        query = (
            "SELECT digest FROM hippo.vectors"
            " WHERE workspace = %s AND model = %s AND digest = ANY(%s)"
        )
        return wanted.difference(row[0] for row in self._rows(query, self._model, list(wanted)))

    def kept(self, digests: Collection[bytes]) -> dict[bytes, Vectors]:
        """The vectors that are there, by the digests of their texts."""
        query = (
            "SELECT digest, vector FROM hippo.vectors"
            " WHERE workspace = %s AND model = %s AND digest = ANY(%s)"
        )
        import numpy as np

        return {
            digest: np.frombuffer(vector[_HEAD:], ">f2").astype(np.float32)
            for digest, vector in self._rows(query, self._model, list(digests))
        }

    def near(self, vector: Vectors, most: int) -> list[bytes]:
        """The digests of at most so many texts whose vectors are the nearest, nearest first."""
        length = self._embedder.dimensions
        # an index of all workspaces would pass over nearly all of them for a small one
        exact = " + 0" if self._tables.totals().passages <= _FEW else ""
        query = (
            "SELECT digest FROM hippo.vectors"
            f" WHERE workspace = %s AND model = %s AND dimensions = {length:d}"
            f" ORDER BY (vector::halfvec({length:d}) <#> %s::halfvec({length:d})){exact} LIMIT %s"
        )
        return [row[0] for row in self._rows(query, self._model, literal(vector), most)]

    def add(self, digests: Iterable[bytes], vectors: Vectors) -> None:
        """Keep a vector for each of ``digests``."""
        query = (
            "INSERT INTO hippo.vectors(workspace, model, dimensions, digest, vector)"
            " SELECT %s, %s, %s, digest, vector::halfvec"
            " FROM unnest(%s::bytea[], %s::text[]) AS made(digest, vector) ON CONFLICT DO NOTHING"
        )
        rows = list(digests), list(map(literal, vectors))
        with told():
            self._run(query, self._model, self._embedder.dimensions, *rows)

    def keep(self, digests: Collection[bytes], *, signed: bool = True) -> int:
        """Forget every vector but this model's of the texts with these digests; returns how many are gone."""
        query = (
            "DELETE FROM hippo.vectors WHERE workspace = %s"
            " AND NOT (model = %s AND digest = ANY(%s))"
        )
        with told():
            gone = self._run(query, self._model, list(digests))
            self._tables.set_meta(_MODEL, self._model)
            return int(gone.rowcount)

    def close(self) -> None:
        """Nothing: the connection is the store's."""

    @property
    def _model(self) -> str:
        return f"{self._embedder.name} {self._embedder.dimensions}"

    @property
    def _tables(self) -> PostgresTables:
        return self._engine.shared()

    def _rows(self, query: str, *values: object) -> Sequence[Any]:
        with told():
            rows: list[Any] = self._run(query, *values).fetchall()
            return rows

    def _run(self, query: str, *values: object) -> Any:
        """What becomes of a statement whose first value is the workspace."""
        tables = self._tables
        return tables.connection.execute(query, (tables.id, *values), binary=True)


def literal(vector: Vectors) -> str:
    """A vector as pgvector reads it."""
    return str(vector.tolist())
