"""BERT's forward pass in numpy: token numbers to one vector a text.

Texts of any length go through together, their tokens one below the other in one matrix: nothing is
padded, so nothing has to be masked. Only attention, which stays within a text, sees where one ends.

Batches run side by side, each on one core: left alone, the matrix library splits every product over all cores and
waits in a loop for the slowest; on a machine that does something else as well, that took ten times the time of one.
GELU's error function, which numpy lacks, is Abramowitz and Stegun 7.1.26, off by 1.5e-7 at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from threadpoolctl import threadpool_limits

if TYPE_CHECKING:
    from numpy.typing import NDArray


_P = np.float32(0.3275911 / sqrt(2))
# The formula's coefficients, halved: what is wanted is erf(|x| / sqrt 2) / 2.
_FIRST, *_TERMS = (
    np.float32(a / 2) for a in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)
)
_HALF = np.float32(0.5)


def gelu(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """``values`` themselves, each times the share of a normal distribution that lies below it."""
    size = np.abs(values)
    near = size * _P
    near += 1
    np.reciprocal(near, out=near)
    share = near * _FIRST
    for term in _TERMS:
        share += term
        share *= near
    bell = np.multiply(values, values, out=near)
    bell *= -_HALF
    np.exp(bell, out=bell)
    share *= bell
    np.subtract(_HALF, share, out=share)
    share *= size
    values *= _HALF
    values += share
    return values


_T = TypeVar("_T")


def each_on_one_core(work: Callable[[_T], None], parts: Sequence[_T], threads: int) -> None:
    """Do ``work`` on each of ``parts``, on ``threads`` at a time at most; raises what it raises."""
    with threadpool_limits(limits=1, user_api="blas"):
        if len(parts) < 2 or threads < 2:
            for part in parts:
                work(part)
            return
        with ThreadPoolExecutor(min(threads, len(parts))) as pool:
            try:
                for _ in pool.map(work, parts):
                    pass
            except BaseException:  # an interrupt does not wait for what has not begun
                pool.shutdown(wait=False, cancel_futures=True)
                raise


if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hippocampus_cli.embedding.minilm.model import Weights

    Matrix = NDArray[np.float32]

_EPSILON = 1e-12
_BLOCK = 256  # rows that go through the wide layer together, so that they stay in the cache

_FEW = 64  # rows, such as a question has, go through in half the time the other way round


class _Dense(NamedTuple):
    weight: Matrix  # (out, in)
    bias: Matrix

    def __call__(self, rows: Matrix) -> Matrix:
        few = len(rows) < _FEW
        made: Matrix = (self.weight @ rows.T).T if few else rows @ self.weight.T
        made += self.bias
        return made


class _Norm(NamedTuple):
    weight: Matrix
    bias: Matrix

    def __call__(self, rows: Matrix) -> Matrix:
        """``rows`` themselves, each brought to mean 0 and variance 1, then scaled."""
        rows -= rows.mean(axis=1, keepdims=True)
        spread = np.einsum("ij,ij->i", rows, rows) / rows.shape[1]
        rows *= (1 / np.sqrt(spread + _EPSILON))[:, None]
        rows *= self.weight
        rows += self.bias
        return rows


class _Layer(NamedTuple):
    query: _Dense
    key: _Dense
    value: _Dense
    attended: _Dense
    attended_norm: _Norm
    widen: _Dense
    narrow: _Dense
    norm: _Norm


class Run(NamedTuple):
    """``texts`` texts of ``length`` tokens each, whose rows begin at ``start``."""

    start: int
    texts: int
    length: int


class Bert:
    """An encoder. Raises :class:`KeyError` where ``weights`` lack one that it needs."""

    def __init__(self, weights: Weights, heads: int) -> None:
        self._heads = heads
        self._words = weights["embeddings.word_embeddings.weight"]
        self._positions = weights["embeddings.position_embeddings.weight"]
        self._kind = weights["embeddings.token_type_embeddings.weight"][0]
        self._norm = _norm(weights, "embeddings.LayerNorm")
        self._layers = list(_layers(weights))

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return int(self._words.shape[1])

    def vectors(self, texts: Sequence[Sequence[int]]) -> Matrix:
        """The mean over each text's tokens, of length 1: shape ``(len(texts), dimensions)``.

        ``texts`` are token numbers, in order of length (equal lengths together suffice); none is empty.
        """
        runs = list(_runs(texts))
        rows = self._embedded(texts)
        for layer in self._layers:
            rows = self._through(layer, rows, runs)
        means = [_of(rows, run, (run.length, -1)).mean(axis=1) for run in runs]
        pooled = np.concatenate(means)
        pooled /= np.maximum(np.linalg.norm(pooled, axis=1, keepdims=True), _EPSILON)
        return pooled

    def _embedded(self, texts: Sequence[Sequence[int]]) -> Matrix:
        rows = self._words[np.concatenate([np.asarray(text) for text in texts])]
        rows += self._positions[np.concatenate([np.arange(len(text)) for text in texts])]
        rows += self._kind
        return self._norm(rows)

    def _through(self, layer: _Layer, rows: Matrix, runs: Sequence[Run]) -> Matrix:
        attended = layer.attended(self._attend(layer, rows, runs))
        attended += rows
        layer.attended_norm(attended)
        made = np.empty_like(attended)
        for at in range(0, len(attended), _BLOCK):
            block = attended[at : at + _BLOCK]
            made[at : at + _BLOCK] = layer.narrow(gelu(layer.widen(block)))
        made += attended
        return layer.norm(made)

    def _attend(self, layer: _Layer, rows: Matrix, runs: Sequence[Run]) -> Matrix:
        query, key, value = layer.query(rows), layer.key(rows), layer.value(rows)
        width = rows.shape[1] // self._heads
        query /= np.float32(sqrt(width))
        made = np.empty_like(rows)
        for run in runs:
            shape = (run.length, self._heads, width)
            queries = _of(query, run, shape).transpose(0, 2, 1, 3)
            keys = _of(key, run, shape).transpose(0, 2, 3, 1)
            values = _of(value, run, shape).transpose(0, 2, 1, 3)
            mixed = _softmax(queries @ keys) @ values
            _of(made, run, shape)[...] = mixed.transpose(0, 2, 1, 3)
        return made


def _runs(texts: Sequence[Sequence[int]]) -> Iterator[Run]:
    start = 0
    for length, alike in groupby(texts, key=len):
        count = sum(1 for _ in alike)
        yield Run(start, count, length)
        start += count * length


def _of(rows: Matrix, run: Run, shape: tuple[int, ...]) -> Matrix:
    """The rows of ``run``, a text at a time; a view."""
    return rows[run.start : run.start + run.texts * run.length].reshape(run.texts, *shape)


def _softmax(scores: Matrix) -> Matrix:
    """``scores`` themselves, as shares along the last axis."""
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


def _layers(weights: Weights) -> Iterator[_Layer]:
    at = 0
    while f"encoder.layer.{at}.attention.self.query.weight" in weights:
        name = f"encoder.layer.{at}"
        yield _Layer(
            query=_dense(weights, f"{name}.attention.self.query"),
            key=_dense(weights, f"{name}.attention.self.key"),
            value=_dense(weights, f"{name}.attention.self.value"),
            attended=_dense(weights, f"{name}.attention.output.dense"),
            attended_norm=_norm(weights, f"{name}.attention.output.LayerNorm"),
            widen=_dense(weights, f"{name}.intermediate.dense"),
            narrow=_dense(weights, f"{name}.output.dense"),
            norm=_norm(weights, f"{name}.output.LayerNorm"),
        )
        at += 1


def _dense(weights: Weights, name: str) -> _Dense:
    return _Dense(weights[f"{name}.weight"], weights[f"{name}.bias"])


def _norm(weights: Weights, name: str) -> _Norm:
    return _Norm(weights[f"{name}.weight"], weights[f"{name}.bias"])
