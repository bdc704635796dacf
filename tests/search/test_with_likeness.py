"""What is added to a unit's features where likeness is known."""

from __future__ import annotations

import pytest

from hippocampus_cli.search import ranking_weights
from hippocampus_cli.search.scoring import spread_of, with_likeness

COVERED = 0.5  # of the query, by the section


def semantic_rows(
    likeness: list[float], spread: float = 1.0, total: float = 1.0
) -> list[dict[str, float]]:
    """The features of units of one section by their names."""
    by_words = [
        COVERED if name == "covered by section" else 0.0 for name in ranking_weights.FEATURES
    ]
    rows = with_likeness([tuple(by_words)] * len(likeness), likeness, spread, total)
    return [dict(zip(ranking_weights.SEMANTIC, row, strict=True)) for row in rows]


def test_likeness_of_a_unit_of_what_is_beside_it_and_of_the_section() -> None:
    rows = semantic_rows([1.0, 4.0, 2.0])
    assert [row["likeness"] for row in rows] == [1.0, 4.0, 2.0]
    assert [row["likeness beside"] for row in rows] == [4.0, 2.0, 4.0]
    assert [row["likeness of section"] for row in rows] == [4.0, 4.0, 4.0]
    (alone,) = semantic_rows([3.0])
    assert alone["likeness beside"] == 3.0


def test_likeness_is_measured_by_the_spread_of_the_candidates() -> None:
    assert semantic_rows([1.0, 4.0], spread=2.0) == semantic_rows([0.5, 2.0], spread=1.0)


def test_what_a_section_has_of_a_long_query_counts_for_more() -> None:
    (one,), (ten,) = semantic_rows([0.0], total=1.0), semantic_rows([0.0], total=10.0)
    assert one["covered by section"] == ten["covered by section"] == COVERED
    assert (one["worth of section"], ten["worth of section"]) == (COVERED, 10 * COVERED)


def test_the_spread_is_that_of_all_candidates() -> None:
    assert spread_of([[0.0, 4.0] * 3, [0.0, 4.0]]) == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("likeness", "spread"),
    [
        ([], 1.0),
        ([[0.0, 9.0], [0.0] * (ranking_weights.FEW_ALIKE - 3)], 1.0),  # a few units
        ([[1.0] * ranking_weights.FEW_ALIKE], ranking_weights.LEAST_SPREAD),  # all the same
    ],
)
def test_a_spread_that_says_nothing(likeness: list[list[float]], spread: float) -> None:
    assert spread_of(likeness) == spread
