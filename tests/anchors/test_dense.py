from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

np = pytest.importorskip("numpy", reason="numpy is not installed")

from hippocampus_cli.anchors.anchor import Anchor  # noqa: E402
from hippocampus_cli.anchors.dense import (  # noqa: E402
    ByVectors,
    blobs,
    expansion_threshold,
    packed,
    rows,
    unpacked,
)


def units(count: int, seed: int) -> np.ndarray:
    found = np.random.default_rng(seed).standard_normal((count, 8)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def anchors(count: int) -> list[Anchor]:
    return [Anchor(f"a{n}", "word", {}, {}) for n in range(count)]


@given(st.integers(1, 300), st.integers(1, 40), st.integers(1, 10), st.floats(0, 0.9))
def test_the_best_are_those_that_a_plain_loop_finds(count: int, chunks: int, most: int, least: float) -> None:
    named, meant = units(count, 1), units(chunks, 2)
    likeness = ByVectors("fake", named, meant)
    for row, best in zip(named, likeness.best(anchors(count), most, least), strict=True):
        scores = [round(float(one), 4) for one in (meant @ row).clip(0, 1)]
        wanted = sorted((-score, n) for n, score in enumerate(scores) if score >= least + 1e-4)
        got = [(-one.score, one.chunk) for one in best if one.score >= least + 1e-4]
        assert [n for _, n in got] == pytest.approx([n for _, n in wanted][:most])
        assert [s for s, _ in got] == pytest.approx([s for s, _ in wanted][:most], abs=2e-4)


def test_a_sample_is_the_same_scores() -> None:
    likeness = ByVectors("fake", units(3, 1), units(4, 2))
    whole = {(n, one.chunk): one.score for n, best in enumerate(likeness.best(anchors(3), 4, 0.0)) for one in best}
    pairs = [(a, c) for a in range(3) for c in range(4)]
    assert likeness.sample(anchors(3), pairs) == pytest.approx([whole[pair] for pair in pairs], abs=2e-4)


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
