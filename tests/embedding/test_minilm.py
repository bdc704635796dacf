"""The real model, where it is installed, against vectors that torch gave (2.13, double precision)."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from hippocampus_cli.embedding.minilm import pinned
from hippocampus_cli.embedding.models.places import models_folder
from hippocampus_cli.errors import ModelMissing

np = pytest.importorskip("numpy", reason="the extra `semantic` is not installed")

pytest.importorskip("threadpoolctl", reason="the extra `semantic` is not installed")

from hippocampus_cli.embedding.minilm import model as module  # noqa: E402
from hippocampus_cli.embedding.minilm.bert import (  # noqa: E402
    Bert,
    each_on_one_core,
)
from hippocampus_cli.embedding.minilm.model import MiniLM  # noqa: E402
from hippocampus_cli.embedding.minilm.wordpiece import WordPiece  # noqa: E402
from tests.embedding import tiny  # noqa: E402

REFERENCE = Path(__file__).parent / "data/minilm.json"
# Read when the module is loaded: later every test has a home of its own.
FOLDER = models_folder(os.environ, sys.platform, Path("~").expanduser()) / pinned.FOLDER
installed = pytest.mark.skipif(
    not (FOLDER / pinned.WEIGHTS.name).exists(), reason="the model `minilm` is not installed"
)


@installed
def test_its_vectors_are_torch_s() -> None:
    known = json.loads(REFERENCE.read_text(encoding="utf-8"))
    model = MiniLM.open(FOLDER)
    vectors = model.embed([one["text"] for one in known])
    assert (model.name, model.dimensions) == ("minilm-l6-v2", 384)
    assert vectors.shape == (len(known), 384)
    firsts = np.array([one["first"] for one in known])
    assert np.abs(vectors[:, :6] - firsts).max() < 2e-6
    cosines = vectors @ vectors[1]
    assert np.abs(cosines - [one["cosine_to_siren"] for one in known]).max() < 2e-6


@installed
def test_the_order_of_texts_is_kept_and_none_is_none() -> None:
    model = MiniLM.open(FOLDER)
    texts = ["one two three", "a " * 300, "one", "b " * 200, "one two three"]
    vectors = model.embed(texts)
    assert np.abs(vectors - np.concatenate([model.embed([text]) for text in texts])).max() < 1e-6
    assert model.embed([]).shape == (0, 384)


@pytest.mark.parametrize("threads", [1, 3])
def test_many_texts_at_once(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BATCH_TOKENS", 20)
    pieces = WordPiece(["[UNK]", "[CLS]", "[SEP]", *"abcdefgh", "##a", "##b"], max_tokens=12)
    model = MiniLM(Bert(tiny.weights(), tiny.HEADS), pieces, "tiny", threads)
    texts = [" ".join("abcdefgh"[at % 8 :][: at % 5]) * (at % 3) for at in range(60)]
    vectors = model.embed(texts)
    for text, vector in zip(texts, vectors, strict=True):
        truth = tiny.slowly(tiny.weights(), pieces.tokens(text))
        assert np.abs(vector - truth).max() < 2e-6


@pytest.mark.parametrize("threads", [1, 3])
def test_what_goes_wrong_in_a_batch_comes_out(threads: int) -> None:
    done: list[int] = []

    def work(part: int) -> None:
        if part == 1:
            raise KeyboardInterrupt
        done.append(part)

    with pytest.raises(KeyboardInterrupt):
        each_on_one_core(work, list(range(200)), threads)
    assert len(done) < 199


@pytest.mark.parametrize("there", [(), (pinned.WEIGHTS.name,), ("model.safetensors", "vocab.txt")])
def test_what_is_not_whole_is_not_used(tmp_path: Path, there: tuple[str, ...]) -> None:
    for name in there:
        (tmp_path / name).write_bytes(b"half a download")
    with pytest.raises(ModelMissing) as raised:
        MiniLM.open(tmp_path)
    assert raised.value.exit_code == 19
    assert raised.value.advice == "install it: hippo models install minilm"
    assert ("damaged" if there else "not installed") in raised.value.message
