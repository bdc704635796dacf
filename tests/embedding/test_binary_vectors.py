"""Signs of vectors: they find who may be nearest, and survive being written down."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

np = pytest.importorskip("numpy", reason="the extra `semantic` is not installed")

from hippocampus_cli.embedding.binary_vectors import BinaryVectors, packed  # noqa: E402
from hippocampus_cli.embedding.digests import digest_of  # noqa: E402
from hippocampus_cli.embedding.vectors import VectorCache  # noqa: E402
from tests.support.concepts import Concepts  # noqa: E402

rng = np.random.default_rng(7)


def rows(count: int, dimensions: int) -> np.ndarray:
    made = rng.standard_normal((count, dimensions)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


@given(st.integers(1, 200), st.integers(1, 9))
def test_a_bit_stands_for_each_number(dimensions: int, count: int) -> None:
    vectors = rows(count, dimensions)
    bits = packed(vectors)
    assert bits.shape == (count, -(-dimensions // 64)) and bits.dtype == np.uint64
    assert np.array_equal(np.bitwise_count(bits).sum(axis=1), (vectors > 0).sum(axis=1))


def test_what_is_near_has_like_signs() -> None:
    vectors = rows(5_000, 384)
    blocks = [(np.arange(2_000), vectors[:2_000]), (np.arange(2_000, 5_000), vectors[2_000:])]
    signs = BinaryVectors.of(blocks, 384)
    found = 0
    for at in range(0, 5_000, 100):
        question = vectors[at] + 1.5 * rows(1, 384)[0]  # a cosine of about .55
        found += at in signs.near(question, 64)
    assert found >= 49


def test_few_vectors_are_all_near() -> None:
    signs = BinaryVectors.of([(np.array([5, 9]), rows(2, 16))], 16)
    assert sorted(signs.near(rows(1, 16)[0], 3)) == [5, 9]
    assert list(BinaryVectors.of([], 16).near(rows(1, 16)[0], 3)) == []


def test_the_cache_finds_the_nearest_of_what_it_keeps(tmp_path: Path) -> None:
    embedder = Concepts()
    cache = VectorCache(tmp_path / "vectors.db", embedder)
    texts = ["kelp", "heron", "bittern"]
    digests = [digest_of(text) for text in texts]
    expected = embedder.embed(texts)
    cache.add(digests, expected)
    assert cache.ready is None and cache.near(expected[0], 3) == []
    cache.keep(digests)
    assert cache.ready
    assert cache.near(expected[1], 1) == [digests[1]]
    assert sorted(cache.near(expected[1], 9)) == sorted(digests)
    other = VectorCache(tmp_path / "vectors.db", Concepts("concepts-2"))
    assert other.ready is None and other.lacking(digests) == set(digests)
    other.keep([])
    assert cache.ready is None  # another process has put its own in their place
