"""The forward pass against one that is worked out a number at a time."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the extra `semantic` is not installed")

from hippocampus_cli.embedding.minilm.bert import (  # noqa: E402
    Bert,
    gelu,
)
from hippocampus_cli.embedding.minilm.model import WeightsDamaged, read_weights  # noqa: E402
from tests.embedding import tiny  # noqa: E402

TEXTS = [[1], [7, 9], [3, 3], [4, 5, 6], [39, 0, 2, 2, 8, 11, 30, 1, 4], list(range(24))]


def test_it_gives_what_the_definition_gives() -> None:
    made = tiny.weights()
    vectors = Bert(made, tiny.HEADS).vectors(TEXTS)
    truth = np.array([tiny.slowly(made, text) for text in TEXTS])
    assert vectors.dtype == np.float32
    assert np.abs(vectors - truth).max() < 2e-6
    assert np.abs(np.linalg.norm(vectors, axis=1) - 1).max() < 1e-6


def test_a_text_s_vector_does_not_depend_on_its_neighbours() -> None:
    bert = Bert(tiny.weights(), tiny.HEADS)
    many = sorted(TEXTS * 40, key=len)  # more rows than one block of the wide layer
    together = bert.vectors(many)
    for text in TEXTS:
        alone = bert.vectors([text])[0]
        assert np.abs(together[many.index(text)] - alone).max() < 1e-6


def test_the_weights_are_left_alone(tmp_path: Path) -> None:
    tiny.write_safetensors(tmp_path / "w", tiny.weights())
    mapped = read_weights(tmp_path / "w")  # read-only: a write would raise
    first = Bert(mapped, tiny.HEADS).vectors(TEXTS)
    assert np.array_equal(first, Bert(mapped, tiny.HEADS).vectors(TEXTS))


def test_gelu_over_all_that_can_come() -> None:
    values = np.linspace(-12, 12, 5_001, dtype=np.float32)
    truth = [x * 0.5 * math.erfc(-x / math.sqrt(2)) for x in values.tolist()]
    assert np.abs(gelu(values.copy()) - truth).max() < 1e-6
    assert gelu(np.array([-1e18, 1e18], dtype=np.float32)).tolist() == [0, np.float32(1e18)]


def test_weights_come_back_as_they_were_written(tmp_path: Path) -> None:
    made = tiny.weights() | {"ids": np.arange(3)}
    tiny.write_safetensors(tmp_path / "w", made)
    read = read_weights(tmp_path / "w")
    assert set(made) - set(read) == {"ids"}
    assert all(np.array_equal(read[name], made[name]) for name in read)


@pytest.mark.parametrize("cut", [0, 4, 8, 100, -1])
def test_a_file_that_ends_too_soon_is_damaged(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "w"
    tiny.write_safetensors(path, tiny.weights())
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(WeightsDamaged):
        read_weights(path)


@pytest.mark.parametrize(
    "header",
    [
        b"[]",
        b"nonsense",
        b'{"w": 1}',
        b'{"w": {"dtype": "F32"}}',
        b'{"w": {"dtype": "F32", "shape": [2], "data_offsets": [-8, 0]}}',
        b'{"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}}',
        b'{"w": {"dtype": "F32", "shape": ["x"], "data_offsets": [0, 4]}}',
        b'{"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4, 5]}}',
        b'{"w": {"dtype": "F32", "shape": [1], "data_offsets": [0.0, 4.0]}}',
    ],
)
def test_a_header_that_lies_is_refused(tmp_path: Path, header: bytes) -> None:
    path = tmp_path / "w"
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(8))
    with pytest.raises(WeightsDamaged):
        read_weights(path)
