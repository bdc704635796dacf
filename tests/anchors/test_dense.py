from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

np = pytest.importorskip("numpy", reason="numpy is not installed")

from hippocampus_cli.anchors.chunks import Corpus, TokenizedChunk  # noqa: E402
from hippocampus_cli.anchors.dense import (  # noqa: E402
    ByVectors,
    blobs,
    expansion_threshold,
    packed,
    rows,
    unpacked,
)
from hippocampus_cli.anchors.extract import Anchor  # noqa: E402
from hippocampus_cli.anchors.similarity import ByWords  # noqa: E402


def units(count: int, seed: int) -> np.ndarray:
    found = np.random.default_rng(seed).standard_normal((count, 8)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def anchors(count: int) -> list[Anchor]:
    return [Anchor(f"a{n}", "word", {"a": 1.0}, {}) for n in range(count)]


def words(chunks: int) -> ByWords:
    """Chunks of which the first names every anchor."""
    return ByWords(Corpus([TokenizedChunk("a" if n == 0 else "b", "") for n in range(chunks)], 1.0))


def plainly(named: np.ndarray, meant: np.ndarray, by: ByWords, anchor: Anchor) -> list[float]:
    said = by.scores(anchor)
    cosines = (meant @ named).clip(0, 1)
    return [(float(one) + said.get(n, 0.0)) / 2 for n, one in enumerate(cosines)]


@given(st.integers(1, 300), st.integers(1, 40), st.integers(1, 10), st.floats(0, 0.9))
def test_the_best_are_those_that_a_plain_loop_finds(
    count: int, chunks: int, most: int, least: float
) -> None:
    named, meant, by = units(count, 1), units(chunks, 2), words(chunks)
    likeness = ByVectors("fake", named, meant, by)
    some = anchors(count)
    for row, anchor, best in zip(named, some, likeness.best(some, most, least), strict=True):
        scores = plainly(row, meant, by, anchor)
        wanted = sorted((one for one in scores if one >= least + 2e-4), reverse=True)[:most]
        assert [one.score for one in best][: len(wanted)] == pytest.approx(wanted, abs=2e-4)
        assert all(one.score >= least - 2e-4 for one in best) and len(best) <= most
        assert all(scores[one.chunk] == pytest.approx(one.score, abs=2e-4) for one in best)
        assert list(best) == sorted(best, key=lambda one: (-one.score, one.chunk))


def test_a_sample_is_the_same_scores() -> None:
    named, meant, by = units(3, 1), units(4, 2), words(4)
    pairs = [(a, c) for a in range(3) for c in range(4)]
    wanted = [plainly(named[a], meant, by, anchors(3)[a])[c] for a, c in pairs]
    sample = ByVectors("fake", named, meant, by).sample(anchors(3), pairs)
    assert sample == pytest.approx(wanted, abs=2e-4)


def test_a_message_has_about_five_anchors() -> None:
    named, messages = units(100, 1), units(50, 2)
    threshold = expansion_threshold(named, messages)
    met = ((messages @ named.T) >= threshold).sum(axis=1).mean()
    assert 4 <= met <= 6
    assert expansion_threshold(named[:0], messages) == 1.0


def test_vectors_survive_their_files() -> None:
    texts, vectors = unpacked(packed(["a", "b ü 部"], units(2, 1)))
    assert texts == ["a", "b ü 部"]
    assert np.array_equal(vectors, units(2, 1))
    assert np.allclose(rows(blobs(units(3, 4))), units(3, 4), atol=1e-3)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"\x93NUMPY", packed(["a"], units(2, 1))])
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError):
        unpacked(data)
