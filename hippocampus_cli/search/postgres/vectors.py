"""The vectors of a workspace beside its passages: pgvector finds the nearest."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from hippocampus_cli.search.postgres.tables import told

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Embedder, Vectors
    from hippocampus_cli.search.postgres.engine import PostgresEngine
    from hippocampus_cli.search.postgres.tables import PostgresTables

_MODEL = "model"  # the name that was kept last, in the workspace's facts
_HEAD = 4  # bytes before the numbers of a vector as pgvector sends it
_THESE = "FROM hippo.vectors WHERE workspace = %s AND model = %s AND digest = ANY(%b::bytea[])"
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
            "SELECT 1 FROM hippo.vectors WHERE {own} AND model = convert_from(?, 'UTF8') LIMIT 1"
        )
        with told():
            if self._tables.get_meta(_MODEL) != self._model:
                return None
            return bool(self._tables.rows(query, self._model))

    def lacking(self, digests: Iterable[bytes]) -> set[bytes]:
        """Those of ``digests`` whose texts would have to be embedded."""
        wanted = set(digests)
        there = self._run(f"SELECT digest {_THESE}", list(wanted))
        return wanted.difference(digest for (digest,) in there)

    def kept(self, digests: Collection[bytes]) -> dict[bytes, Vectors]:
        """The vectors that are there, by the digests of their texts."""
        import numpy as np

        rows = self._run(f"SELECT digest, vector {_THESE}", list(digests))
        return {
            digest: np.frombuffer(vector[_HEAD:], ">f2").astype(np.float32)
            for digest, vector in rows
        }

    def cosines(self, digests: Collection[bytes], vectors: Vectors) -> dict[bytes, list[float]]:
        """The cosines of each of ``vectors`` with those that are there, by the digests of their texts."""
        each = ", -(kept <#> %s::vector)" * len(vectors)
        query = f"WITH these AS (SELECT digest, vector::vector AS kept {_THESE}) SELECT digest{each} FROM these"
        rows = self._run(query, list(digests), *map(literal, vectors))
        return {digest: cosines for digest, *cosines in rows}

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
        return [row[0] for row in self._run(query, literal(vector), most)]

    def add(self, digests: Iterable[bytes], vectors: Vectors) -> None:
        """Keep a vector for each of ``digests``."""
        query = (
            "INSERT INTO hippo.vectors(workspace, model, dimensions, digest, vector)"
            " SELECT %s, %s, %s, digest, vector::halfvec"
            " FROM unnest(%b::bytea[], %s::text[]) AS made(digest, vector) ON CONFLICT DO NOTHING"
        )
        self._run(query, self._embedder.dimensions, list(digests), list(map(literal, vectors)))

    def keep(self, digests: Collection[bytes], *, signed: bool = True) -> int:
        """Forget every vector but this model's of the texts with these digests; returns how many are gone."""
        query = (
            "DELETE FROM hippo.vectors WHERE workspace = %s"
            " AND NOT (model = %s AND digest = ANY(%b::bytea[]))"
        )
        with told(), self._tables.transaction():
            gone = self._run(query, list(digests))
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

    def _run(self, query: str, *values: object) -> Any:
        """What becomes of a statement whose first values are the workspace and the model."""
        tables = self._tables
        with told():
            return tables.connection.execute(query, (tables.id, self._model, *values), binary=True)


def literal(vector: Vectors) -> str:
    """A vector as pgvector reads it."""
    return str(vector.tolist())
