"""Strength as a small bar."""

from __future__ import annotations

CELLS = 5
BAND_STYLES = {
    "strong": "green",
    "moderate": "cyan",
    "weak": "yellow",
    "decaying": "magenta",
    "silent": "dim",
}


def strength_bar(strength: float) -> str:
    """Five cells, filled for each whole fifth of ``strength``: ``▰▰▰▰▱`` for 0.92."""
    if not strength > 0:  # nan included
        return "▱" * CELLS
    filled = int(min(strength, 1.0) * CELLS + 1e-9)
    return "▰" * filled + "▱" * (CELLS - filled)
