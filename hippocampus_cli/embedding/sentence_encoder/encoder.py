"""The encoder's forward pass in numpy: piece numbers to one vector a text.

A piece's vector, and what convolutions over two, three and five pieces make of it, are summed over the text and go
through a small residual network. The pieces of several texts lie one below the other in one matrix, with rows of
nothing between the texts, so that no convolution reaches from one into the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

WIDTH = 512
_INNER = 256
_ORDERS = (2, 3, 5)  # pieces that a convolution sees
_GAP = 2  # rows between texts: as far as the widest one reaches to each side
_EPSILON = 1e-12

PIECES, GROUPS = 128_010, 17  # rows of the table; every 17th has the same range of values
SHAPES: dict[str, tuple[int, ...]] = {
    "scale": (GROUPS,),
    "lo": (GROUPS,),
    **{
        name.format(order): shape
        for order in _ORDERS
        for name, shape in (
            ("proj{}", (WIDTH, _INNER)),
            ("proj_b{}", (_INNER,)),
            ("ln_g{}", (_INNER,)),
            ("ln_b{}", (_INNER,)),
            ("w1_{}", (order * _INNER, _INNER)),
            ("b1_{}", (_INNER,)),
            ("w2_{}", (order * _INNER, _INNER)),
            ("b2_{}", (_INNER,)),
        )
    },
    **dict.fromkeys(("ln_g", "ln_b"), (WIDTH + len(_ORDERS) * _INNER,)),
    "cnn_W": (WIDTH + len(_ORDERS) * _INNER, WIDTH),
    "cnn_b": (WIDTH,),
    "d0": (512, 320),
    "d1": (320, 320),
    "p1": (512, 320),
    "d2": (320, 512),
    "p3": (320, 512),
    "d3": (512, 512),
}
"""The weights, by the names and in the order in which they are kept."""
NUMBERS = sum(map(prod, SHAPES.values()))


def weights_in(numbers: Matrix) -> dict[str, Matrix]:
    """The weights of :data:`SHAPES` from ``NUMBERS`` numbers in a row."""
    made, at = {}, 0
    for name, shape in SHAPES.items():
        made[name] = numbers[at : at + prod(shape)].reshape(shape)
        at += prod(shape)
    return made


class Encoder:
    """``table`` has a row of bytes for each piece, shape ``(PIECES, WIDTH)``; ``weights`` are those of SHAPES."""

    def __init__(self, table: NDArray[np.uint8], weights: Mapping[str, Matrix]) -> None:
        self._table = table
        self._weights = weights

    def vectors(self, texts: Sequence[Sequence[int]]) -> Matrix:
        """One row of length 1 for each of ``texts``, shape ``(len(texts), WIDTH)``; none of them is empty."""
        of = self._weights
        lengths = np.array([len(text) for text in texts])
        starts = np.cumsum(lengths) - lengths
        pieces = np.concatenate([np.asarray(text) for text in texts])
        places = np.arange(len(pieces)) + _GAP * (1 + np.repeat(np.arange(len(texts)), lengths))
        rows = self._of_pieces(pieces)
        seen = [self._convolved(one, places, order) for order, one in self._projected(rows)]
        features = _norm(np.concatenate([rows, *seen], axis=1), of["ln_g"], of["ln_b"])
        counts = lengths[:, None].astype(np.float32)
        pooled = np.add.reduceat(features, starts, axis=0) @ of["cnn_W"] + counts * of["cnn_b"]
        return self._finished((pooled / np.sqrt(counts)).astype(np.float32))

    def _of_pieces(self, pieces: NDArray[np.int64]) -> Matrix:
        group = pieces % GROUPS
        rows = self._table[pieces].astype(np.float32)
        rows *= self._weights["scale"][group, None]
        rows += self._weights["lo"][group, None]
        return rows

    def _projected(self, rows: Matrix) -> Iterator[tuple[int, Matrix]]:
        """What each convolution starts from; brought to one scale all together."""
        of = self._weights
        made = np.concatenate([rows @ of[f"proj{n}"] + of[f"proj_b{n}"] for n in _ORDERS], axis=1)
        gain, bias = (
            np.concatenate([of[f"{name}{n}"] for n in _ORDERS]) for name in ("ln_g", "ln_b")
        )
        made = _norm(made, gain, bias)
        for at, order in enumerate(_ORDERS):
            yield order, made[:, at * _INNER : (at + 1) * _INNER]

    def _convolved(self, rows: Matrix, places: NDArray[np.int64], order: int) -> Matrix:
        of, made = self._weights, rows
        for layer in (1, 2):
            seen = _neighbours(made, places, order)
            made = made + _relu(seen @ of[f"w{layer}_{order}"] + of[f"b{layer}_{order}"])
        return made

    def _finished(self, pooled: Matrix) -> Matrix:
        of = self._weights
        first = _relu(_relu(pooled @ of["d0"]) @ of["d1"] + pooled @ of["p1"])
        second = _relu(first @ of["d2"]) @ of["d3"] + first @ of["p3"]
        made = np.tanh(second)
        made /= np.maximum(np.linalg.norm(made, axis=1, keepdims=True), _EPSILON)
        return made


def _neighbours(rows: Matrix, places: NDArray[np.int64], order: int) -> Matrix:
    """Beside each row those around it within its text, side by side, and nothing where a text ends."""
    spread = np.zeros((int(places[-1]) + _GAP + 1, rows.shape[1]), np.float32)
    spread[places] = rows
    before = (order - 1) // 2
    return np.concatenate([spread[places + step] for step in range(-before, order - before)], 1)


def _relu(rows: Matrix) -> Matrix:
    return np.maximum(rows, 0, out=rows)


def _norm(rows: Matrix, gain: Matrix, bias: Matrix) -> Matrix:
    rows -= rows.mean(axis=1, keepdims=True)
    spread = np.sqrt((rows * rows).mean(axis=1, keepdims=True) + np.float32(_EPSILON))
    rows /= spread
    rows *= gain
    rows += bias
    return rows
