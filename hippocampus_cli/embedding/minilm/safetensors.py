"""Weights in the safetensors format, mapped and not read: only the pages that are used come from disk."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Weights = Mapping[str, NDArray[np.float32]]

_LENGTH_BYTES = 8
_MAX_HEADER = 100_000_000  # bytes; what the format allows


class WeightsDamaged(ValueError):
    """The file is not in the format, or ends too soon."""


def read_weights(path: Path) -> Weights:
    """Every tensor of 32-bit floats in ``path``, by name; others are left out. Read-only.

    Raises :class:`WeightsDamaged` and :class:`OSError`.
    """
    try:
        mapped = np.memmap(path, dtype=np.uint8, mode="r")
    except ValueError as error:  # an empty file cannot be mapped
        raise WeightsDamaged(str(error)) from None
    header, start = _header(mapped)
    try:
        return {
            name: _tensor(mapped[start:], told["shape"], told["data_offsets"])
            for name, told in header.items()
            if name != "__metadata__" and told["dtype"] == "F32"
        }
    except WeightsDamaged:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise WeightsDamaged(f"an entry of the header cannot be read: {error}") from None


def _header(mapped: NDArray[np.uint8]) -> tuple[dict[str, Any], int]:
    """What the header says of each tensor, and where their bytes begin."""
    length = int.from_bytes(mapped[:_LENGTH_BYTES].tobytes(), "little")
    start = _LENGTH_BYTES + length
    if length > _MAX_HEADER or start > len(mapped):
        raise WeightsDamaged("the header is longer than the file")
    try:
        header = json.loads(mapped[_LENGTH_BYTES:start].tobytes())
    except (ValueError, RecursionError):
        raise WeightsDamaged("the header is no JSON") from None
    if not isinstance(header, dict):
        raise WeightsDamaged("the header is no JSON object")
    return header, start


def _tensor(data: NDArray[np.uint8], shape: list[int], offsets: list[int]) -> NDArray[np.float32]:
    first, last = offsets
    if not 0 <= first <= last <= len(data) or last - first != 4 * math.prod(shape):
        raise WeightsDamaged("a tensor lies outside the file")
    return data[first:last].view("<f4").reshape(shape)
