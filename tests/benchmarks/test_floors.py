"""A floor under what is reached on LoCoMo, a little below it: every fourth question of the file there is.

The fixture's floors are in ``test_quality.py``. The data is not part of hippo (CC BY-NC 4.0).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hippocampus_cli.benchmarks.locomo.choosing import choose
from hippocampus_cli.benchmarks.locomo.reading import read_conversations
from hippocampus_cli.benchmarks.locomo.run import run
from hippocampus_cli.benchmarks.rankings import RANKINGS
from hippocampus_cli.config import Config

BESIDE = Path(__file__).parents[3] / "shared/data/locomo/locomo-dev.json"
FILE = Path(os.environ.get("LOCOMO") or BESIDE)
EVERY = 4
FLOORS = {"files_at_5": 0.849, "any_at_5": 0.911, "turns_at_10": 0.767, "cov_1000": 0.829}


@pytest.mark.skipif(not FILE.is_file(), reason="the LoCoMo data is not here (LOCOMO=FILE names it)")
def test_the_right_turns_are_found() -> None:
    conversations = read_conversations(FILE)
    asked = sum(map(len, choose(conversations).questions)) // EVERY
    (row,) = run(
        conversations, [one for one in RANKINGS if one.key == "hybrid"], Config(), limit=asked
    ).rows
    below = {
        key: row.figures[key].value
        for key, floor in FLOORS.items()
        if row.figures[key].value < floor
    }
    assert not below
