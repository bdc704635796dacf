"""Vectors of words and short phrases by all-MiniLM-L6-v2, in numpy alone."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float32]]

_LAYERS = 6
_HEADS = 12
_BATCH = 256


class Model:
    """The weights and the WordPiece vocabulary in ``folder``; the model works in lower case."""

    def __init__(self, folder: Path) -> None:
        lines = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
        self.pieces = {piece: at for at, piece in enumerate(lines) if piece}
        self._weights = _safetensors(folder / "model.safetensors")

    def vectors(self, texts: Sequence[str]) -> Array:
        """A row of length 1 for each text, so that a product is a cosine."""
        ids = [self._ids(text) for text in texts]
        order = sorted(range(len(texts)), key=lambda at: len(ids[at]))
        out = np.zeros((len(texts), 384), dtype=np.float32)
        for begin in range(0, len(order), _BATCH):
            rows = order[begin : begin + _BATCH]
            out[rows] = self._forward([ids[at] for at in rows])
        return out

    def _ids(self, text: str) -> list[int]:
        ids = [self.pieces["[CLS]"]]
        for word in text.lower().replace("-", " - ").split():
            ids += self._word_ids(word)
        return [*ids, self.pieces["[SEP]"]]

    def _word_ids(self, word: str) -> list[int]:
        ids: list[int] = []
        begin = 0
        while begin < len(word):
            prefix = "##" if begin else ""
            for end in range(len(word), begin, -1):
                if (piece := prefix + word[begin:end]) in self.pieces:
                    ids.append(self.pieces[piece])
                    begin = end
                    break
            else:
                return [self.pieces["[UNK]"]]
        return ids

    def _forward(self, batch: Sequence[Sequence[int]]) -> Array:
        longest = max(map(len, batch))
        ids = np.array([[*row, *[0] * (longest - len(row))] for row in batch])
        there = np.array([[1.0] * len(row) + [0.0] * (longest - len(row)) for row in batch])
        there = there.astype(np.float32)
        w = self._weights
        x = w["embeddings.word_embeddings.weight"][ids]
        x = x + w["embeddings.position_embeddings.weight"][:longest]
        x = x + w["embeddings.token_type_embeddings.weight"][0]
        x = self._norm(x, "embeddings.LayerNorm")
        for layer in range(_LAYERS):
            x = self._layer(x, there, f"encoder.layer.{layer}.")
        mean = (x * there[:, :, None]).sum(1) / there.sum(1, keepdims=True)
        return np.asarray(mean / np.linalg.norm(mean, axis=1, keepdims=True), dtype=np.float32)

    def _layer(self, x: Array, there: Array, at: str) -> Array:
        rows, longest, width = x.shape
        shape = rows, longest, _HEADS, width // _HEADS
        q, k, v = (
            self._dense(x, f"{at}attention.self.{name}").reshape(shape).transpose(0, 2, 1, 3)
            for name in ("query", "key", "value")
        )
        scores = q @ k.transpose(0, 1, 3, 2) / sqrt(width // _HEADS)
        scores = scores + (1.0 - there[:, None, None, :]) * -1e9
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ v
        mixed = mixed.transpose(0, 2, 1, 3).reshape(rows, longest, width)
        x = self._norm(
            x + self._dense(mixed, f"{at}attention.output.dense"), f"{at}attention.output.LayerNorm"
        )
        inner = _gelu(self._dense(x, f"{at}intermediate.dense"))
        return self._norm(x + self._dense(inner, f"{at}output.dense"), f"{at}output.LayerNorm")

    def _dense(self, x: Array, at: str) -> Array:
        return np.asarray(x @ self._weights[f"{at}.weight"].T + self._weights[f"{at}.bias"])

    def _norm(self, x: Array, at: str) -> Array:
        mean = x.mean(-1, keepdims=True)
        spread = np.sqrt(x.var(-1, keepdims=True) + 1e-12)
        return np.asarray(
            (x - mean) / spread * self._weights[f"{at}.weight"] + self._weights[f"{at}.bias"]
        )


def _gelu(x: Array) -> Array:
    # Abramowitz and Stegun 7.1.26: the error function to 1.5e-7
    z = np.abs(x) / sqrt(2.0)
    t = 1.0 / (1.0 + 0.3275911 * z)
    terms = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
    series = sum(a * t ** (n + 1) for n, a in enumerate(terms))
    erf = np.sign(x) * (1.0 - series * np.exp(-z * z))
    return np.asarray(0.5 * x * (1.0 + erf), dtype=np.float32)


def _safetensors(path: Path) -> dict[str, Array]:
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    out = {}
    for name, about in header.items():
        if name != "__metadata__" and about["dtype"] == "F32":
            begin, end = (8 + length + at for at in about["data_offsets"])
            out[name] = np.frombuffer(data[begin:end], dtype="<f4").reshape(about["shape"])
    return out
