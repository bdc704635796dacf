"""Trees as data: what LightGBM says, said in plain Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.fit.boosting import document
from hippocampus_cli.search.ranker import Model, Trees, model, probability

TREE = Trees([0], [0, 1], [0.5, 2.0], [-1, -2], [1, -3], [1.0, 2.0, 3.0])
CONSTANT = Trees(roots=[-1], leaves=[0.25])
BOTH = TREE._replace(roots=[0, -4], leaves=[*TREE.leaves, 0.25])


def test_a_row_goes_down_each_tree_and_odds_become_a_probability() -> None:
    assert list(map(BOTH.value, ([0.5, 0.0], [0.6, 2.0], [0.6, 2.1]))) == [1.25, 2.25, 3.25]
    assert Trees().value([1.0]) == 0.0
    assert probability(Trees(), [0.0]) == 0.5
    assert probability(Trees(roots=[-1], leaves=[1e9]), [0.0]) == pytest.approx(1.0)


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "model.txt"
    written = Model(TREE, CONSTANT, Trees(), CONSTANT, TREE, "fitted on nothing")
    file.write_text(document(written[:-1], written.about, 2), encoding="utf-8")
    read = model(2, file)
    assert read and read.about == "fitted on nothing"
    assert read.rank.value([0.6, 2.1]) == 3.0
    assert model(3, file) is None
    changed = tmp_path / "changed.txt"
    changed.write_text(
        document(written[:-1], written.about, 2).replace("0.5", "0.7"), encoding="utf-8"
    )
    assert model(2, changed) is None


@pytest.mark.parametrize("text", ["", "{}", "a b c d\n", "hippo-trees-1 2 0 about\n", "\x00"])
def test_a_damaged_file_is_none(tmp_path: Path, text: str) -> None:
    file = tmp_path / "model.txt"
    file.write_text(text, encoding="utf-8")
    assert model(2, file) is None
