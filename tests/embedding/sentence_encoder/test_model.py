"""The forward pass with weights of our own, and the real model where it is installed."""

from __future__ import annotations

import os
import struct
from array import array
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the extra `semantic` is not installed")
pytest.importorskip("threadpoolctl", reason="the extra `semantic` is not installed")

from hippocampus_cli.embedding.models.places import models_folder  # noqa: E402
from hippocampus_cli.embedding.sentence_encoder import pinned, unpacked  # noqa: E402
from hippocampus_cli.embedding.sentence_encoder.encoder import (  # noqa: E402
    GROUPS,
    NUMBERS,
    WIDTH,
    Encoder,
    weights_in,
)
from hippocampus_cli.embedding.sentence_encoder.model import SentenceEncoder  # noqa: E402
from hippocampus_cli.embedding.sentence_encoder.pieces import Pieces  # noqa: E402
from hippocampus_cli.errors import ModelMissing  # noqa: E402

FOLDER = models_folder(os.environ, Path("~").expanduser()) / pinned.FOLDER
installed = pytest.mark.skipif(
    not (FOLDER / pinned.WEIGHTS.name).exists(), reason="the model is not installed"
)
WORDS = ["<unk>", "<s>", "</s>", "▁", *"abcdefgh"]


def made_up(threads: int = 1) -> SentenceEncoder:
    draw = np.random.default_rng(3)
    weights = weights_in(draw.standard_normal(NUMBERS).astype(np.float32) * np.float32(0.05))
    table = draw.integers(0, 64, (len(WORDS) + GROUPS, WIDTH), np.uint8)
    scores = array("f", [-float(at) for at in range(len(WORDS))])
    return SentenceEncoder(Encoder(table, weights), Pieces(WORDS, scores), threads)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_text_has_one_vector_whatever_stands_beside_it(threads: int) -> None:
    model = made_up(threads)
    texts = ["abc", "", "h", "gfedcba " * 30, "abc", *(f"{'ab' * at} h" for at in range(60))]
    vectors = model.embed(texts)
    alone = np.concatenate([model.embed([text]) for text in texts])
    assert vectors.shape == (len(texts), pinned.DIMENSIONS)
    assert np.abs(vectors - alone).max() < 1e-5
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.array_equal(vectors[0], vectors[4]) or np.abs(vectors[0] - vectors[4]).max() < 1e-6
    assert np.abs(vectors[0] - vectors[2]).max() > 1e-3
    assert model.embed([]).shape == (0, pinned.DIMENSIONS)


def test_the_order_of_words_counts_within_five_pieces() -> None:
    vectors = made_up().embed(["ab cd", "cd ab"])
    assert np.abs(vectors[0] - vectors[1]).max() > 1e-3


def test_the_vocabulary_s_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def field(number: int, kind: int, body: bytes) -> bytes:
        return bytes([number << 3 | kind]) + body

    def piece(text: str, score: float) -> bytes:
        told = text.encode()
        inner = field(1, 2, bytes([len(told)]) + told) + field(2, 5, struct.pack("<f", score))
        inner += field(3, 0, b"\x96\x01")  # its kind: a number, of no use here
        return field(1, 2, bytes([len(inner)]) + inner)

    (tmp_path / pinned.VOCABULARY.name).write_bytes(piece("▁a", -1.5) + piece("bc", -2.0))
    unpacked._convert_vocabulary(tmp_path)
    assert (tmp_path / pinned.PIECES.name).read_text(encoding="utf-8").split("\n") == ["▁a", "bc"]
    assert array("f", (tmp_path / pinned.SCORES.name).read_bytes()).tolist() == [-1.5, -2.0]


@pytest.mark.parametrize("name", [None, pinned.TABLE.name])
def test_a_model_that_is_not_whole(tmp_path: Path, name: str | None) -> None:
    for member in pinned.MEMBERS if name else ():
        (tmp_path / member.name).touch()
    with pytest.raises(ModelMissing):
        SentenceEncoder.open(tmp_path)


@installed
def test_the_same_in_other_words_and_languages_is_near() -> None:
    model = SentenceEncoder.open(FOLDER)
    vectors = model.embed(
        [
            "How do we split the heating costs?",
            "Wie teilen wir die Heizkosten?",
            "我们怎么分摊取暖费？",
            "The frog sings at night.",
        ]
    )
    cosines = vectors @ vectors[0]
    assert cosines[1] > 0.6 and cosines[2] > 0.6 and cosines[3] < 0.3
