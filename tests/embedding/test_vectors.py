"""The vector cache: each text is embedded once, and no file is ever the reason that none is."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

np = pytest.importorskip("numpy", reason="the extra `semantic` is not installed")

from hippocampus_cli.embedding.digests import digest_of  # noqa: E402
from hippocampus_cli.embedding.vectors import VectorCache  # noqa: E402
from hippocampus_cli.workspace import database  # noqa: E402


class Counted:
    """An embedder by hash that remembers what it was asked."""

    def __init__(self, name: str = "one", dimensions: int = 8) -> None:
        self.name = name
        self.dimensions = dimensions
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Any:
        self.asked += texts
        rows = [self._row(text) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(texts), self.dimensions)

    def _row(self, text: str) -> Any:
        seed = sha256(f"{self.name}{text}".encode("utf-8", "surrogatepass")).digest()
        row = np.frombuffer(seed, np.uint8)[: self.dimensions].astype(np.float32) + 1
        return row / np.linalg.norm(row)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "vectors.db"


def close(a: Any, b: Any) -> bool:
    return a.shape == b.shape and a.dtype == np.float32 and bool(np.all(np.abs(a - b) < 1e-3))


def vectors(cache: VectorCache, texts: Sequence[str]) -> Any:
    """One row for each of ``texts``, embedded where the cache lacks it."""
    digests = [digest_of(text) for text in texts]
    lacking = cache.lacking(digests)
    pairs = {digest: text for digest, text in zip(digests, texts, strict=True) if digest in lacking}
    cache.add(pairs, cache._embedder.embed(list(pairs.values())))
    rows = cache.kept(digests)
    kept = [rows[digest] for digest in digests if digest in rows]
    return np.stack(kept) if kept else np.empty((0, 8), np.float32)


def missing(cache: VectorCache, texts: Sequence[str]) -> int:
    return len(cache.lacking(map(digest_of, texts)))


def test_a_text_is_embedded_once(path: Path) -> None:
    embedder = Counted()
    cache = VectorCache(path, embedder)
    texts = ["a", "b", "a", "", "\udc80"]
    first = vectors(cache, texts)
    assert close(first, Counted().embed(texts))
    assert sorted(embedder.asked) == sorted({"a", "b", "", "\udc80"})
    cache.close()
    again = VectorCache(path, embedder)
    assert missing(again, texts) == 0 and missing(again, ["a", "c", "c"]) == 1
    assert np.array_equal(vectors(again, texts), first)
    assert len(embedder.asked) == 4


def test_another_model_embeds_anew_and_the_cache_says_so(path: Path) -> None:
    vectors(VectorCache(path, Counted("one")), ["a"])
    assert VectorCache(path, Counted("one")).former_model is None
    other = Counted("two")
    cache = VectorCache(path, other)
    assert cache.former_model == "one"
    assert close(vectors(cache, ["a"]), Counted("two").embed(["a"]))
    assert other.asked == ["a"] and cache.former_model is None
    wider = Counted("two", 16)
    assert vectors(VectorCache(path, wider), ["a"]).shape == (1, 16)


def test_prune_keeps_what_is_named_and_nothing_else(path: Path) -> None:
    vectors(VectorCache(path, Counted("other")), ["a", "b"])
    embedder = Counted()
    cache = VectorCache(path, embedder)
    vectors(cache, ["a", "b", "c"])
    assert cache.keep(list(map(digest_of, ["a", "c", "never seen"]))) == 3
    assert missing(cache, ["a", "b", "c"]) == 1
    assert missing(VectorCache(path, Counted("other")), ["a"]) == 1


def _garble(path: Path) -> None:
    path.write_bytes(b"no database at all" * 500)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5_000])


def _foreign(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 77")


def _shorten(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("UPDATE vectors SET vector = x'00'")


@pytest.mark.parametrize("harm", [_garble, _cut, _foreign, _shorten])
def test_a_damaged_file_is_begun_anew(path: Path, harm: Callable[[Path], None]) -> None:
    texts = [str(number) for number in range(300)]
    cache = VectorCache(path, Counted())
    vectors(cache, texts)
    cache.close()
    harm(path)
    embedder = Counted()
    cache = VectorCache(path, embedder)
    assert close(vectors(cache, texts), Counted().embed(texts))
    assert len(embedder.asked) == 300
    cache.close()
    assert missing(VectorCache(path, embedder), texts) == 0


def test_a_file_that_is_damaged_while_it_is_open(path: Path) -> None:
    texts = [str(number) for number in range(300)]
    vectors(VectorCache(path, Counted()), texts)
    cache = VectorCache(path, Counted())
    for name in (path, path.with_name(path.name + "-wal")):
        if name.exists():
            name.write_bytes(b"\xff" * max(name.stat().st_size, 20_000))
    assert close(vectors(cache, texts), Counted().embed(texts))


def test_where_no_file_can_be(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    cache = VectorCache(tmp_path / "cache/vectors.db", Counted())
    assert vectors(cache, ["a", "b"]).shape == (2, 8)
    assert missing(cache, ["a"]) == 0


def test_a_file_that_can_only_be_read_is_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = VectorCache(path, Counted())
    vectors(first, ["a"])
    first.close()
    before = path.read_bytes()
    monkeypatch.setattr(os, "access", lambda *_: False)  # permissions do not hold for root
    embedder = Counted()
    cache = VectorCache(path, embedder)
    assert close(vectors(cache, ["a", "b"]), Counted().embed(["a"]))
    assert embedder.asked == ["b"]
    cache.close()
    assert path.read_bytes() == before


def test_a_locked_file_costs_time_and_nothing_else(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database.connect, "__defaults__", (0.01,))  # seconds
    vectors(VectorCache(path, Counted()), ["a"])
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    embedder = Counted()
    cache = VectorCache(path, embedder)
    assert close(vectors(cache, ["a", "b"]), Counted().embed(["a"]))
    assert embedder.asked == ["b"]
    holder.execute("ROLLBACK")
    holder.close()


def _fill(path: Path, first: int) -> None:
    texts = [str(number) for number in range(first, first + 400)]
    assert close(vectors(VectorCache(path, Counted()), texts), Counted().embed(texts))


def test_processes_share_it(path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_fill, args=(path, 200 * at)) for at in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0]
    assert missing(VectorCache(path, Counted()), map(str, range(600))) == 0


@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), max_size=4))
def test_it_gives_what_the_embedder_gives(asked: list[list[str]]) -> None:
    embedder = Counted()
    cache = VectorCache(None, embedder)
    for texts in asked:
        assert close(vectors(cache, texts), Counted().embed(texts))
    assert len(embedder.asked) == len(set(embedder.asked))


@pytest.mark.parametrize("at", [0, 7, 15])
def test_a_flipped_bit_in_a_vector_costs_that_vector_alone(path: Path, at: int) -> None:
    texts = [str(number) for number in range(20)]
    cache = VectorCache(path, Counted())
    vectors(cache, texts)
    cache.keep([digest_of(text) for text in texts])
    cache.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        id_, vector = db.execute("SELECT id, vector FROM vectors LIMIT 1").fetchone()
        flipped = bytes([*vector[:at], vector[at] ^ 1, *vector[at + 1 :]])
        db.execute("UPDATE vectors SET vector = ? WHERE id = ?", (flipped, id_))
    cache = VectorCache(path, Counted())
    assert len(cache.kept([digest_of(text) for text in texts])) == 19
    assert missing(cache, texts) == 1
    assert close(vectors(cache, texts), Counted().embed(texts))
    cache.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE signs SET bits = zeroblob(length(bits))")
    assert VectorCache(path, Counted()).ready is None


def test_a_view_in_the_place_of_a_table_is_never_asked(path: Path) -> None:
    cache = VectorCache(path, Counted())
    vectors(cache, ["a"])
    cache.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("DROP TABLE meta")
        endless = (
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x, x FROM n"
        )
        db.execute(f"CREATE VIEW meta(key, value) AS {endless}")
    cache = VectorCache(path, Counted())
    assert cache.former_model is None
    assert missing(cache, ["a"]) == 1
