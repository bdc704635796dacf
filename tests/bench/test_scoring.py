"""Figures of answers, on answers that are made up."""

from __future__ import annotations

from bench.dataset import Case, Quote
from bench.metrics import Corpus, Ranked, Shown, Span, intervals
from bench.scoring import ANSWERS, of_change, of_confidence, of_messages, of_results

CORPUS = Corpus({"a.md": ["one", "two", "three", "four"]}, frozenset(), ())
OLD, NEW = Quote("a.md", "the old"), Quote("a.md", "the new")


def answer(*texts: str, marked: int | None = None, sure: str | None = None) -> Ranked:
    """Results of ``a.md`` with these texts, a line each."""
    shown = tuple(
        Shown("a.md", text, (Span("a.md", at, at),), at - 1 == marked)
        for at, text in enumerate(texts, 1)
    )
    return Ranked(tuple(one.spans[0] for one in shown), 0, None, shown, sure)


def test_what_answers_is_read_in_the_results() -> None:
    case = Case("?", (frozenset({("a.md", 2)}),))
    assert of_results(answer("x", "y"), case, CORPUS) == {"first": 0, "five": 1}
    quoted = case._replace(gold=(NEW,))
    assert of_results(answer("The  new one", "y"), quoted, CORPUS) == {"first": 1, "five": 1}
    assert of_results(answer(), case, CORPUS) == {"first": 0, "five": 0}
    several = case._replace(sides=(frozenset({("a.md", 1)}), frozenset({("a.md", 9)})))
    assert of_results(answer("x", "y"), several, CORPUS)["all_five"] == 0
    assert of_results(answer("x"), Case("?", ()), CORPUS) == {}


def test_the_present_value_comes_before_the_old_one() -> None:
    case = Case("?", (frozenset({("a.md", 1)}),), gold=(NEW,), stale=(OLD,))
    assert of_change(answer("the new", "the old"), case, CORPUS) == {"current": 1, "old_marked": 0}
    assert of_change(answer("the old", "the new", marked=0), case, CORPUS) == {
        "current": 0,
        "old_marked": 1,
    }
    together = of_change(answer("the old, then the new"), case, CORPUS)
    assert together == {"current": 0, "old_marked": None}
    assert of_change(answer("was the new, then the old"), case, CORPUS)["current"] == 1
    assert of_change(answer("else"), case, CORPUS) == {"current": 0}
    plain = case._replace(stale=())
    assert of_change(answer("x", "y", marked=0), plain, CORPUS) == {"marked": 0.5}


def test_a_word_for_confidence_is_held_to() -> None:
    case, absent = Case("?", (frozenset({("a.md", 1)}),)), Case("?", ())
    right = of_confidence(answer("x", sure="sure"), case, CORPUS)
    assert right == {"sure_right": 1, "right_sure": 1, "none_right": None, "unsure": 0}
    wrong = of_confidence(answer("x", sure="sure"), absent, CORPUS)
    assert wrong == {"absent_sure": 1, "absent_none": 0, "sure_right": 0, "none_right": None}
    refused = of_confidence(answer(sure="none"), case, CORPUS)
    assert refused == {"sure_right": None, "right_sure": None, "none_right": 0, "unsure": 0}
    assert of_confidence(answer("x"), case, CORPUS) == {}


def test_messages_count_once_and_their_lines_within_a_budget() -> None:
    messages = (Span("a.md", 1, 2), Span("a.md", 3, 3), Span("a.md", 4, 4))
    corpus = CORPUS._replace(messages=messages)
    sides = frozenset({("a.md", 1), ("a.md", 2)}), frozenset({("a.md", 4)})
    case = Case("?", (frozenset().union(*sides),), sides=sides)
    found = of_messages(answer("x", "y", "z"), case, corpus)
    assert found == {"recall_5": 0.5, "recall_10": 0.5, "in_1000": 2 / 3, "both_10": 0}


def test_questions_that_say_nothing_about_a_figure_are_not_counted() -> None:
    values = ANSWERS.values(answer("x"), Case("?", ()), CORPUS)
    assert len(values) == len(ANSWERS.heads) and set(values) == {None, 0.0}
    some, none = intervals([[1.0, None, 0.0, None], [None] * 4])
    assert some and some.value == 0.5 and 0 <= some.low <= some.high <= 1
    assert none is None
