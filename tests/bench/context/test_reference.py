"""The package has the curve, the thresholds and the types of the reference.

The oracle is the reference where that was observed, floats to 1e-12.
"""

from __future__ import annotations

import math
from typing import Any, get_args

import pytest

from bench.context import reference
from hippocampus_cli.config.context import Compaction
from hippocampus_cli.context.compaction.classify import EntryType
from hippocampus_cli.context.compaction.score import action_of as action_in_package
from hippocampus_cli.context.compaction.score import retention_of
from tests.support.reference_compaction import cases


@pytest.mark.parametrize("kind", get_args(EntryType))
def test_the_curve_and_the_thresholds(kind: EntryType) -> None:
    settings = Compaction()
    importance = reference.IMPORTANCE[kind]
    assert getattr(settings, f"importance_{kind}") == importance
    for age in range(60):
        retention = retention_of(kind, importance, age, settings)
        expected = reference.retention_of(importance, age, kind, reference.defaults())
        assert math.isclose(retention, expected)
        assert action_in_package(retention, settings) == reference.action_of(retention, 0.25, 0.65)


def settings_of(case: dict[str, Any]) -> dict[str, Any]:
    return {**reference.defaults(), **case["input"].get("config", {})}


@pytest.mark.parametrize("case", cases("scoreMessages"))
def test_the_scores_of_the_oracle(case: dict[str, Any]) -> None:
    scored = reference.score(case["input"]["messages"], settings_of(case))
    assert len(scored) == len(case["expected"])
    for one, expected in zip(scored, case["expected"], strict=True):
        assert (one.type, one.tokens) == (expected["type"], expected["tokenEstimate"])
        assert math.isclose(one.retention, expected["retention"], rel_tol=1e-12)


# Where texts have characters of two code units, the reference cuts them elsewhere.
PLAIN = [case for case in cases("summarize") if max(str(case.values)) < "\U00010000"]


@pytest.mark.parametrize("case", PLAIN)
def test_the_summaries_of_the_oracle(case: dict[str, Any]) -> None:
    messages, settings = case["input"]["messages"], settings_of(case)
    scored = reference.score(messages, settings)
    assert reference.build(scored, messages, settings) == case["expected"]
