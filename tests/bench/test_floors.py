"""A floor under what is reached on LoCoMo, a hundredth below it: every sixth question of the file there is.

The fixture's floors are in ``test_quality.py``. The data is not part of hippo (CC BY-NC 4.0).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bench.comparison import run
from bench.locomo import read_locomo
from bench.methods import RANKINGS
from hippocampus_cli.config import Config

BESIDE = Path(__file__).parents[3] / "shared/data/locomo/locomo-dev.json"
FILE = Path(os.environ.get("LOCOMO") or BESIDE)
EVERY = 6
FLOORS = {
    "hybrid": {"files_at_5": 0.875, "any_at_5": 0.926, "turns_at_10": 0.811, "cov_1000": 0.874},
    "hybrid-anchors": {"any_at_5": 0.910, "turns_at_10": 0.816},
}


@pytest.mark.skipif(not FILE.is_file(), reason="the LoCoMo data is not here (LOCOMO=FILE names it)")
def test_the_right_turns_are_found() -> None:
    dataset = read_locomo(FILE)
    asked = sum(dataset.counts.values()) // EVERY
    methods = [one for one in RANKINGS if one.key in FLOORS]
    rows = run(dataset.limited(asked), methods, Config()).rows
    reached = {row.method: {key: one.value for key, one in row.figures.items()} for row in rows}
    below = {
        (method, key): reached[method][key]
        for method, floors in FLOORS.items()
        for key, floor in floors.items()
        if reached[method][key] < floor
    }
    assert not below
