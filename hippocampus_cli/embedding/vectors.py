"""The vector cache: a text is embedded once, and again only when it, or the model, is another.

Vectors are kept as 16-bit floats: half the bytes to write and to read, and a cosine is off by less than
0.0005, far below what tells one text from another. They go by the digest of their text, so that who knows the
digests needs no texts.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from hippocampus_cli.embedding.binary_vectors import WORD, BinaryVectors
from hippocampus_cli.embedding.digests import BYTES
from hippocampus_cli.workspace.database import Connection, Database, Schema, transaction

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Embedder, Ids, Vectors

_T = TypeVar("_T")
_STORED = np.dtype("<f2")
_SIGNED_AT_ONCE = 20_000
_LOOKED_AT = 512  # vectors with the likest signs, of which the nearest are chosen
_WANTED = "SELECT digest, vector FROM vectors WHERE id IN (SELECT value FROM json_each(?))"
_THERE = (
    "SELECT digest FROM vectors WHERE id IN (SELECT value FROM json_each(?)) AND length(vector) = ?"
)

# `id` is the beginning of `digest`: rows lie in the order of their keys, and no second tree finds them. `signs` has
# one row, of one model. Each row is checked when it is read, so a file is not looked at in whole.
_SCHEMA = Schema(
    """
CREATE TABLE vectors(id INTEGER PRIMARY KEY, digest BLOB NOT NULL, vector BLOB NOT NULL);
CREATE TABLE signs(key TEXT PRIMARY KEY, ids BLOB NOT NULL, bits BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
""",
    version=4,
    believed=True,
)
_KEEP_FACT = "INSERT OR REPLACE INTO meta VALUES(?, ?)"


class VectorCache:
    """The vectors of one embedder. Processes may share a file; an object is one thread's at a time.

    A file that is damaged is begun anew, and where none can be kept the vectors are worked out each
    time: a cache never fails those who ask it.
    """

    def __init__(self, path: Path | None, embedder: Embedder) -> None:
        self._embedder = embedder
        self._database = Database(path, _SCHEMA)
        self._unwritten = ""  # why nothing is written any more
        self._signs: tuple[tuple[int, int], BinaryVectors] | None = None

    @property
    def problem(self) -> str:
        """Why what is embedded now is lost with this object; empty where it is kept."""
        return self._unwritten or self._database.problem

    @cached_property
    def _model(self) -> int:
        """What every key is made with. Not at once: a server may have to be asked how long its vectors are."""
        seed = f"{self._embedder.name}\0{self._embedder.dimensions}\0".encode()
        return int.from_bytes(blake2b(seed, digest_size=BYTES).digest(), "big")

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    @property
    def former_model(self) -> str | None:
        """The model that last wrote here, where it was another: then every text is embedded anew."""
        model = self._fact("model")
        return None if model == self._embedder.name else model

    def lacking(self, digests: Iterable[bytes]) -> set[bytes]:
        """Those of ``digests`` whose texts would have to be embedded."""
        wanted = {self._key(digest): digest for digest in digests}
        size = self._embedder.dimensions * _STORED.itemsize
        for (key,) in self._asked(_THERE, json.dumps(list(map(_id, wanted))), size):
            wanted.pop(key[:BYTES], None)
        return set(wanted.values())

    def kept(self, digests: Collection[bytes]) -> dict[bytes, Vectors]:
        """The vectors that are there, each of length 1, by the digests of their texts."""
        keys = {self._key(digest): digest for digest in digests}
        found = self._read(list(map(_id, keys)))
        return {keys[key]: vector for key, vector in found.items() if key in keys}

    def cosines(self, digests: Collection[bytes], vectors: Vectors) -> dict[bytes, list[float]]:
        """The cosines of each of ``vectors`` with those that are there, by the digests of their texts."""
        kept = self.kept(digests)
        return {digest: (vectors @ vector).tolist() for digest, vector in kept.items()}

    def near(self, vector: Vectors, most: int) -> list[bytes]:
        """The digests of at most so many texts whose vectors are the nearest, nearest first."""
        signs = self._signs_kept
        found = {} if signs is None else self._read(signs.near(vector, _LOOKED_AT).tolist())
        if not found:
            return []
        cosines = np.stack(list(found.values())) @ vector
        keys = list(found)
        return [self._key(keys[at]) for at in np.argsort(-cosines, kind="stable")[:most]]

    def add(self, digests: Iterable[bytes], vectors: Vectors) -> None:
        """Keep a vector for each of ``digests``."""
        rows = []
        for digest, vector in zip(digests, vectors.astype(_STORED), strict=True):
            key, data = self._key(digest), vector.tobytes()
            rows.append((_id(key), key + _check(key, data), data))

        def write(db: Connection) -> None:
            with transaction(db):
                db.executemany("INSERT OR REPLACE INTO vectors VALUES(?, ?, ?)", rows)
                db.execute(_KEEP_FACT, ("model", self._embedder.name))

        self._try(write)

    def keep(self, digests: Collection[bytes], *, signed: bool = True) -> int:
        """Forget every vector but this model's of the texts with these digests, which can then be found by
        :meth:`near`; returns how many are gone. ``signed``: some are new."""
        kept = json.dumps([_id(self._key(digest)) for digest in digests])
        query = "DELETE FROM vectors WHERE id NOT IN (SELECT value FROM json_each(?))"
        gone = self._try(lambda db: db.execute(query, (kept,)).rowcount) or 0
        if signed or gone or self._signs_kept is None:
            self._sign(digests)
        return gone

    @property
    def ready(self) -> bool | None:
        """Whether there is a vector that :meth:`near` looks at; ``None`` where nothing was kept with this model."""
        return None if self._signs_kept is None else len(self._signs_kept.ids) > 0

    @property
    def _signs_kept(self) -> BinaryVectors | None:
        """The signs as of the last :meth:`keep`; ``None`` where there are none of this model."""
        state = self._state()
        if self._signs is None or self._signs[0] != state:
            self._signs, key = None, f"{self._model:x}"
            for ids, bits in self._asked("SELECT ids, bits FROM signs WHERE key = ?", key):
                if self._fact("signs") == _check(ids, bits).hex():
                    rows = np.frombuffer(bits, np.uint64)
                    rows = rows.reshape(-1, -(-self._embedder.dimensions // WORD))
                    self._signs = state, BinaryVectors(np.frombuffer(ids, np.int64), rows)
        return self._signs[1] if self._signs else None

    def _sign(self, digests: Collection[bytes]) -> None:
        signs = BinaryVectors.of(self._blocks(sorted(set(digests))), self._embedder.dimensions)
        ids, bits = signs.ids.tobytes(), signs.bits.tobytes()

        def write(db: Connection) -> None:
            with transaction(db):
                db.execute("DELETE FROM signs")
                db.execute("INSERT INTO signs VALUES(?, ?, ?)", (f"{self._model:x}", ids, bits))
                db.execute(_KEEP_FACT, ("signs", _check(ids, bits).hex()))

        self._try(write)
        self._signs = None

    def _blocks(self, digests: Sequence[bytes]) -> Iterator[tuple[Ids, Vectors]]:
        for at in range(0, len(digests), _SIGNED_AT_ONCE):
            found = self.kept(digests[at : at + _SIGNED_AT_ONCE])
            if found:
                ids = np.array([_id(self._key(digest)) for digest in found], np.int64)
                yield ids, np.stack(list(found.values()))

    def _fact(self, key: str) -> str | None:
        rows = self._asked("SELECT value FROM meta WHERE key = ?", key)
        return str(rows[0][0]) if rows else None

    def _asked(self, query: str, *values: object) -> list[Any]:
        return self._database.healed(lambda db: db.execute(query, values).fetchall())

    def _state(self) -> tuple[int, int]:
        """Something else whenever another process has written here."""
        version = self._database.healed(lambda db: db.execute("PRAGMA data_version").fetchone()[0])
        return self._database.generation, int(version)

    def _read(self, ids: Sequence[int]) -> dict[bytes, Vectors]:
        """The vectors of these ids that are as they were written, by their keys; the others are taken away, and
        embedded anew."""
        found: dict[bytes, bytes] = {}
        damaged = []
        for digest, vector in self._asked(_WANTED, json.dumps(ids)):
            if digest[BYTES:] != _check(digest[:BYTES], vector):
                damaged.append((_id(digest),))
            else:
                found[digest[:BYTES]] = vector
        if damaged:
            delete = "DELETE FROM vectors WHERE id = ?"
            self._try(lambda db: db.executemany(delete, damaged))
        numbers = np.frombuffer(b"".join(found.values()), _STORED).astype(np.float32)
        return dict(zip(found, numbers.reshape(-1, self._embedder.dimensions), strict=True))

    def _key(self, digest: bytes) -> bytes:
        """The key of a digest, and the digest of a key."""
        return (int.from_bytes(digest, "big") ^ self._model).to_bytes(BYTES, "big")

    def _try(self, work: Callable[[Connection], _T]) -> _T | None:
        """``work`` done, unless nothing can be written here."""
        if self._unwritten:
            return None
        try:
            return self._database.healed(work)
        except sqlite3.OperationalError as error:  # locked for long, full: not waited for again
            self._unwritten = str(error)
            return None


def _check(*parts: bytes) -> bytes:
    """What shows that a row is as it was written; kept behind its digest."""
    return zlib.crc32(b"".join(parts)).to_bytes(4, "big")


def _id(key: bytes) -> int:
    return int.from_bytes(key[:8], "big", signed=True)
