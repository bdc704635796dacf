from __future__ import annotations

import math

import pytest

from hippocampus_cli.cli.render.layout import strength_bar


@pytest.mark.parametrize(
    ("strength", "filled"),
    [
        (1.0, 5),
        (0.92, 4),
        (0.8, 4),
        (0.6, 3),
        (0.4, 2),
        (0.2, 1),
        (0.19, 0),
        (0.0, 0),
        (1.7, 5),
        (-3.0, 0),
        (math.nan, 0),
        (math.inf, 5),
    ],
)
def test_a_cell_for_each_whole_fifth(strength: float, filled: int) -> None:
    assert strength_bar(strength) == "▰" * filled + "▱" * (5 - filled)
