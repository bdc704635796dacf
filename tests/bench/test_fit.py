"""Fitting: trees as data say what LightGBM says; a small workspace asks about what is not there, too."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from bench.corpora import workspaces
from bench.samples import ABSENT, few_notes, plainly, samples_of
from hippocampus_cli.search.features import FEATURES
from hippocampus_cli.search.ranker import FILE, model


def test_trees_are_what_lightgbm_predicts() -> None:
    lightgbm: Any = pytest.importorskip("lightgbm")
    numpy: Any = pytest.importorskip("numpy")
    from bench.fit.boosting import trees_of

    dice = random.Random(1)
    rows = numpy.array([[dice.random() for _ in range(5)] for _ in range(400)])
    data = lightgbm.Dataset(rows, (rows[:, 0] + rows[:, 1] > 1).astype(int))
    booster = lightgbm.train({"objective": "binary", "verbose": -1, "num_leaves": 8}, data, 10)
    said = list(map(trees_of(booster).value, rows.tolist()))
    assert said == pytest.approx(booster.predict(rows, raw_score=True).tolist())


def test_the_model_of_the_package_is_of_these_features() -> None:
    learned = model(len(FEATURES))
    assert learned is not None
    assert learned.rank and learned.any and learned.first
    assert "fitted on questions of real" in learned.about
    assert FILE.stat().st_size < 100_000


def test_a_sample_has_a_row_for_each_candidate(tmp_path: Path) -> None:
    dataset = workspaces.read(tmp_path)
    assert dataset is not None
    few = few_notes(dataset._replace(folders=dataset.folders[:1]))
    few = few._replace(folders=few.folders[:2])
    found = list(samples_of(few, tmp_path))
    assert {sample.kind == ABSENT for sample in found} == {True, False}
    for sample in found:
        assert len(sample.own[0][0]) == len(sample.own[0][1]) == len(sample.gold)
        if sample.kind == ABSENT:
            assert not any(map(any, sample.gold))


def test_words_are_compared_without_case_and_signs() -> None:
    assert plainly("**Port:** 8443!") == "port 8443"
