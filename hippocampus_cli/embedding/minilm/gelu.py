"""GELU in numpy, which has no error function: Abramowitz and Stegun 7.1.26, off by 1.5e-7 at most."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

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
