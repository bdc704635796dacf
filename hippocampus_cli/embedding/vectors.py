"""The vector cache: a text is embedded once, and again only when it, or the model, is another.

Vectors are kept as 16-bit floats: half the bytes to write and to read, and a cosine is off by less than
0.0005, far below what tells one text from another.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from hippocampus_cli.embedding import vector_file

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Embedder, Vectors

_T = TypeVar("_T")
_STORED = np.dtype("<f2")
_BATCH = 128  # texts embedded between two commits: what an interrupt can cost
_DIGEST_BYTES = 16
_ASKED_AT_ONCE = 20_000
_WANTED = "SELECT digest, vector FROM vectors WHERE id IN (SELECT value FROM json_each(?))"

Progress = Callable[[int, int], None]


class VectorCache:
    """The vectors of one embedder. Processes may share a file; an object is one thread's at a time.

    A file that is damaged is begun anew, and where none can be kept the vectors are worked out each
    time: a cache never fails those who ask it.
    """

    def __init__(self, path: Path | None, embedder: Embedder) -> None:
        self._path = path
        self._embedder = embedder
        self._seed = f"{embedder.name}\0{embedder.dimensions}\0".encode()
        self._connection = vector_file.open_best(path)
        self._keeps = True

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    @property
    def former_model(self) -> str | None:
        """The model that last wrote here, where it was another: then every text is embedded anew."""
        row = self._healed(_last_model)
        return None if row is None or row[0] == self._embedder.name else str(row[0])

    def missing(self, texts: Iterable[str]) -> int:
        """How many different ones of ``texts`` would have to be embedded."""
        keys = {self._key(text) for text in texts}
        return len(keys) - len(self._kept(sorted(keys)))

    def vectors(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """One row of length 1 for each of ``texts``, as :meth:`Embedder.embed` would give them.

        What is missing is embedded and kept a batch at a time, so that an interrupted run goes on where
        it stopped; ``progress`` is told how many of how many are done. Raises what the embedder raises.
        """
        keys = [self._key(text) for text in texts]
        known = self._kept(sorted(set(keys)))
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        known |= self._embed(missing, progress)
        joined = b"".join([known[key] for key in keys])
        made = np.frombuffer(joined, _STORED).astype(np.float32)
        return made.reshape(len(keys), self._embedder.dimensions)

    def prune(self, keep: Iterable[str]) -> int:
        """Forget every vector but this model's of the texts ``keep``; returns how many are gone."""
        kept = json.dumps([_id(self._key(text)) for text in keep])
        query = "DELETE FROM vectors WHERE id NOT IN (SELECT value FROM json_each(?))"
        return self._healed(lambda db: db.execute(query, (kept,)).rowcount)

    def _key(self, text: str) -> bytes:
        # surrogatepass: a note's bytes that were not UTF-8 are lone surrogates here
        data = self._seed + text.encode("utf-8", "surrogatepass")
        return blake2b(data, digest_size=_DIGEST_BYTES).digest()

    def _kept(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The vectors that are there, as they are stored."""
        size = self._embedder.dimensions * _STORED.itemsize
        found: dict[bytes, bytes] = {}
        for at in range(0, len(keys), _ASKED_AT_ONCE):
            rows = self._healed(partial(_rows, keys=keys[at : at + _ASKED_AT_ONCE]))
            found |= {digest: vector for digest, vector in rows if len(vector) == size}
        return found

    def _embed(self, missing: dict[bytes, str], progress: Progress | None) -> dict[bytes, bytes]:
        made: dict[bytes, bytes] = {}
        left = iter(missing.items())
        while batch := list(islice(left, _BATCH)):
            vectors = self._embedder.embed([text for _, text in batch]).astype(_STORED)
            rows = {key: row.tobytes() for (key, _), row in zip(batch, vectors, strict=True)}
            self._keep(rows)
            made |= rows
            if progress is not None:
                progress(len(made), len(missing))
        return made

    def _keep(self, rows: dict[bytes, bytes]) -> None:
        if not self._keeps:
            return
        try:
            self._healed(partial(_write, rows=rows, model=self._embedder.name))
        except (
            sqlite3.OperationalError
        ):  # locked for long, full, read-only: not to be waited for again
            self._keeps = False

    def _healed(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """``work`` done on the database; on a new one if the file turns out to be damaged."""
        try:
            return work(self._connection)
        except (sqlite3.ProgrammingError, sqlite3.OperationalError):
            raise
        except sqlite3.DatabaseError:
            self._connection.close()
            kept = self._path is not None and vector_file.discard(self._path)
            self._connection = vector_file.open_best(self._path if kept else None)
            return work(self._connection)


def _write(db: sqlite3.Connection, rows: dict[bytes, bytes], model: str) -> None:
    values = [(_id(key), key, vector) for key, vector in rows.items()]
    with vector_file.transaction(db):
        db.executemany("INSERT OR REPLACE INTO vectors VALUES(?, ?, ?)", values)
        db.execute("INSERT OR REPLACE INTO meta VALUES('model', ?)", (model,))


def _rows(db: sqlite3.Connection, keys: Sequence[bytes]) -> list[tuple[bytes, bytes]]:
    return db.execute(_WANTED, (json.dumps(list(map(_id, keys))),)).fetchall()


def _last_model(db: sqlite3.Connection) -> tuple[str] | None:
    row: tuple[str] | None = db.execute("SELECT value FROM meta WHERE key = 'model'").fetchone()
    return row


def _id(key: bytes) -> int:
    return int.from_bytes(key[:8], "big", signed=True)
