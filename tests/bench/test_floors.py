"""A floor under what is reached on every corpus, a hundredth below it: ``bench/floors.toml``.

The fixture and the workspaces that nothing was chosen on are measured each time, all others in the long tests, where
they are. Of LoCoMo (CC BY-NC 4.0, not part of hippo) every sixth question is asked.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bench.comparison import findings, run
from bench.corpora import CORPORA, data_folder
from bench.corpora.every import HIPPO, outside, read_floors
from bench.locomo import read_locomo
from bench.methods import RANKINGS
from hippocampus_cli.config import Config

BESIDE = Path(__file__).parents[3] / "shared/data/locomo/locomo-dev.json"
FILE = Path(os.environ.get("LOCOMO") or BESIDE)
EVERY = 6
FLOORS = {
    "hybrid": {"files_at_5": 0.863, "any_at_5": 0.903, "turns_at_10": 0.738, "cov_1000": 0.772}
}


@pytest.mark.long
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


OWN = [name for name in CORPORA if name in ("fixture", "unseen")]
OTHERS = [name for name in CORPORA if name not in OWN]


def below(name: str) -> list[str]:
    """What is outside the floors of a corpus, all of whose questions are asked."""
    dataset = CORPORA[name].read(data_folder(None, os.environ))
    if dataset is None:
        pytest.skip(f"the corpus {name} is not here (BENCH_DATA=FOLDER names it)")
    methods = [one for one in RANKINGS if one.key == HIPPO]
    assert dataset.scoring is not None
    found = findings(run(dataset, methods, Config()), dataset.scoring)
    return list(outside({name: found.document}))


@pytest.mark.parametrize("name", OWN)
def test_what_is_small_is_answered(name: str) -> None:
    assert below(name) == []


@pytest.mark.long
@pytest.mark.parametrize("name", OTHERS)
def test_what_others_ask_is_answered(name: str) -> None:
    assert below(name) == []


def test_a_floor_names_a_corpus_and_a_figure_of_it() -> None:
    for bound in read_floors():
        assert bound.corpus in CORPORA
        assert 0 <= bound.value <= 1


def test_what_is_below_a_floor_is_said() -> None:
    figures = {"first": {"value": 0.1, "low": 0.0, "high": 1.0}, "marked": None}
    document = {"fixture": {"rows": [{"method": HIPPO, "figures": figures}]}}
    (said,) = outside(document)
    assert said.startswith("fixture first: 0.100, less than 0.")
