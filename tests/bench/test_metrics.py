"""Every case is small enough to count by hand."""

from __future__ import annotations

import pytest

from bench.metrics import METRICS, Corpus, Ranked, Span, figures, intervals

LINE = "x" * 399  # with its end 400 characters: 100 tokens
FILES = {name: [LINE] * 30 for name in "abcdefgh"}
CORPUS = Corpus(FILES, frozenset((name, at) for name in FILES for at in range(2, 31)), ())


def measured(shown: list[Span], gold: set[tuple[str, int]]) -> dict[str, float]:
    return dict(zip(METRICS, figures(Ranked(tuple(shown), 0), gold, CORPUS), strict=True))


def test_files_are_counted_once_and_in_order() -> None:
    shown = [Span("a", 1, 2), Span("a", 5, 6), Span("b", 1, 1), *(Span(x, 1, 1) for x in "cdefg")]
    found = measured(shown, {("a", 9), ("b", 9), ("f", 9), ("h", 9)})
    assert [found[f"files_at_{k}"] for k in (1, 5, 10)] == [1 / 4, 2 / 4, 3 / 4]
    assert (found["any_at_5"], found["all_at_5"]) == (1, 0)
    assert measured(shown, {("a", 9), ("c", 9)})["all_at_5"] == 1
    assert measured(shown, {("h", 9)})["any_at_5"] == 0


def test_turns_are_distinct_and_only_units_count() -> None:
    shown = [Span("a", 1, 4), Span("a", 3, 4), Span("b", 1, 3)]  # a2 a3 a4 b2 b3: line 1 is none
    found = measured(shown, {("a", 4), ("b", 3), ("c", 2), ("c", 3)})
    assert found["turns_at_5"] == 2 / 4
    more = measured([Span("a", 1, 11), *shown[2:]], {("a", 6), ("a", 11), ("b", 3)})
    assert [more[f"turns_at_{k}"] for k in (5, 10, 20)] == [1 / 3, 2 / 3, 1]


def test_turns_go_by_score_where_all_have_one() -> None:
    shown = [Span("a", 2, 7, 0.2), Span("b", 2, 2, 0.9)]
    gold = {("b", 2)}
    assert measured(shown, gold)["turns_at_5"] == 1
    assert measured([shown[0], shown[1]._replace(score=None)], gold)["turns_at_5"] == 0
    assert measured(shown, gold)["files_at_1"] == 0  # files keep the printed order


def test_what_is_covered_goes_by_tokens_in_the_printed_order() -> None:
    shown = [Span("a", 1, 5), Span("a", 4, 6), Span("b", 1, 14)]
    gold = {("a", 5), ("a", 6), ("b", 4), ("b", 14)}  # at 500, 600, 1,000 and 2,000 tokens
    found = measured(shown, gold)
    assert [found[f"cov_{n}"] for n in (500, 1000, 2000)] == [1 / 4, 3 / 4, 1]
    assert measured([Span("c", 1, 1), *shown], gold)["cov_500"] == 0


def test_nothing_found_is_nothing() -> None:
    assert set(measured([], {("a", 2)}).values()) == {0.0}


def test_intervals_hold_the_mean_and_repeat() -> None:
    column = [0.0] * 50 + [1.0] * 50
    (first,) = intervals([column])
    assert first.value == 0.5
    assert 0.38 < first.low < 0.44 and 0.56 < first.high < 0.62  # 1.96 × √(.25 / 100) = .098
    assert intervals([column]) == (first,)
    assert intervals([column], seed=2) != (first,)
    assert intervals([[1.0, 1.0]]) == ((1.0, 1.0, 1.0),)


@pytest.mark.parametrize("columns", [[], [()], [(), ()]])
def test_no_question_gives_no_interval(columns: list[list[float]]) -> None:
    assert intervals(columns) == ((0.0, 0.0, 0.0),) * len(columns)


def test_a_method_may_be_asked_for_an_answer_of_so_many_tokens() -> None:
    asked = []

    def ask_within(budget: int) -> tuple[Span, ...]:
        asked.append(budget)
        return (Span("b", 2, 2),) if budget < 1000 else (Span("a", 2, 7),)

    ranked = Ranked((Span("c", 1, 30),), 0, ask_within)
    found = dict(zip(METRICS, figures(ranked, {("a", 2), ("b", 2)}, CORPUS), strict=True))
    assert asked == [500, 1000, 2000]
    assert [found[f"cov_{n}"] for n in (500, 1000, 2000)] == [1 / 2, 1 / 2, 1 / 2]
    assert found["files_at_10"] == 0  # which is of what was shown


def test_nobody_reads_more_than_the_budget() -> None:
    ranked = Ranked((), 0, lambda budget: (Span("a", 1, 30),))
    found = dict(zip(METRICS, figures(ranked, {("a", 5), ("a", 6)}, CORPUS), strict=True))
    assert found["cov_500"] == 1 / 2
