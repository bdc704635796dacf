"""The ranking model: what is counted, and that each feature reacts to what its name says."""

from __future__ import annotations

from collections.abc import Mapping
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.search import ranking_weights
from hippocampus_cli.search.scoring import features, pooled, score
from hippocampus_cli.search.term_statistics import (
    Averages,
    Group,
    Passage,
    QueryTerms,
    occurrences,
    tallied,
    units_with,
)
from hippocampus_cli.search.unit_features import LABEL_SHIFT, QUESTION

AVERAGES = Averages(4.0, 20.0)
UNITS = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6), max_size=6)
NAMES = list(ranking_weights.FEATURES)


def passage(
    units: list[list[str]],
    title: str = "",
    place: str = "",
    traits: Mapping[int, int] | None = None,
) -> Passage:
    bodies = [f" {' '.join(unit)} " for unit in units]
    offsets = [sum(len(body) + 1 for body in bodies[:at]) for at in range(len(bodies))]
    flags = [(traits or {}).get(at, 0) for at in range(len(units))]
    return Passage(title, place, "\n".join(bodies), offsets, list(map(len, units)), flags)


def word(stem: str, worth: float = 1.0, **related: float) -> Group:
    """A word of the query that stands for itself, and what else may stand for it."""
    return Group(worth, {stem: worth}, related)


def wishes(*groups: Group, pairs: Mapping[str, float] | None = None) -> QueryTerms:
    return QueryTerms(groups, sum(group.worth for group in groups), pairs or {})


def named(
    there: Passage, wanted: QueryTerms, days: Mapping[int, float] | None = None, names: int = 0
) -> list[dict[str, float]]:
    """The features of every unit by their names."""
    tally = tallied(there, wanted.groups, AVERAGES)
    rows = features(tally, wanted, days or {}, names)
    return [dict(zip(NAMES, row, strict=True)) for row in rows]


def scores(there: Passage, *groups: Group) -> list[float]:
    wanted = wishes(*groups)
    tally = tallied(there, groups, AVERAGES)
    return [score(row) for row in features(tally, wanted, {})]


@given(UNITS)
def test_every_occurrence_is_counted_in_its_unit(units: list[list[str]]) -> None:
    expected = {at: unit.count("a") for at, unit in enumerate(units) if "a" in unit}
    assert occurrences(passage(units), " a ") == expected
    assert units_with(passage(units), ["a"]) == set(expected)


@given(UNITS, st.sampled_from(["", "a", "b a"]))
def test_what_is_found_is_what_is_there(units: list[list[str]], title: str) -> None:
    groups = (word("a"), word("x"))
    tally = tallied(passage(units, title), groups, AVERAGES)
    there = {"a"} & {stem for unit in [*units, title.split()] for stem in unit}
    assert set(tally.found) == there
    assert len(features(tally, wishes(*groups), {})) == max(
        1, len(units)
    )  # a heading alone is ranked too
    assert (tally.section > 0) == bool(there)
    assert [own > 0 for own in tally.own] == ["a" in unit for unit in units] or not units


@given(UNITS, st.sampled_from(["", "a", "b a"]))
def test_a_row_has_a_value_for_every_weight(units: list[list[str]], title: str) -> None:
    wanted = wishes(word("a"), word("b", 2.0, c=1.0), pairs={"a b": 1.0})
    for row in features(tallied(passage(units, title), wanted.groups, AVERAGES), wanted, {}):
        assert len(row) == len(ranking_weights.WEIGHTS) == len(NAMES)
        assert all(value >= 0 for value in row)
        assert score(row) == pytest.approx(
            sum(w * x for w, x in zip(ranking_weights.WEIGHTS, row, strict=True))
        )


def test_more_of_the_query_is_better_than_more_of_one_word() -> None:
    one, both = scores(passage([["a", "a", "a", "a"], ["a", "b", "c", "c"]]), word("a"), word("b"))
    assert both > one


def test_a_neighbour_counts_less_than_the_unit_itself() -> None:
    units = scores(passage([["a"], ["b"], ["c"], ["d"]]), word("a"))
    assert units[0] > units[1] > units[3]


def test_a_title_counts_more_than_a_place() -> None:
    (in_title,) = scores(passage([["b"]], title="a"), word("a"))
    (in_place,) = scores(passage([["b"]], place="a"), word("a"))
    (nowhere,) = scores(passage([["b"]]), word("a"))
    assert in_title > in_place > nowhere


def test_a_phrase_does_not_reach_over_two_units() -> None:
    assert units_with(passage([["a", "b"], ["c"]]), ["a b"]) == {0}
    assert units_with(passage([["a"], ["b"]]), ["a b"]) == set()


def test_of_stems_that_stand_for_each_other_the_best_counts() -> None:
    there = passage([["a", "b"], ["b", "c"]], title="b")
    alone = tallied(there, [word("a")], AVERAGES)
    together = tallied(there, [Group(1.0, {"a": 1.0, "b": 0.4}, {})], AVERAGES)
    apart = tallied(there, [word("a"), word("b", 0.4)], AVERAGES)
    assert alone.own[1] < together.own[1] == apart.own[1]
    assert alone.own[0] == together.own[0] < apart.own[0]
    assert alone.section <= together.section < apart.section
    assert set(together.found) == {"a", "b"}


def test_a_related_word_adds_only_what_the_word_itself_has_not() -> None:
    there = passage([["a", "b"], ["b", "c"]])
    tally = tallied(there, [word("a", b=0.5)], AVERAGES)
    assert tally.related[0] == 0 < tally.related[1]
    assert tally.own[1] == 0 < tally.own[0]
    assert 0 < tally.covered[1] < tally.covered[0]


def test_a_run_of_stems_is_found_only_where_it_stands_together() -> None:
    run = Group(1.0, {"a b": 1.0}, {})
    assert tallied(passage([["c", "a", "b"]]), [run], AVERAGES).own[0] > 0
    for apart in (passage([["a"], ["b"]]), passage([["b"]], title="a"), passage([], "a", "b")):
        assert not tallied(apart, [run], AVERAGES).found


def test_an_endless_unit_says_less_with_a_word() -> None:
    short, endless = ["a", "b"], ["a", *["c"] * (ranking_weights.LONG * 4)]
    row, long = named(passage([short, ["d"], ["d"], endless]), wishes(word("a")))[::3]
    assert row["covered"] == 1.0
    assert long["covered"] == pytest.approx(0.5, abs=0.01)


def test_the_best_unit_makes_the_score_of_a_section() -> None:
    assert pooled([2.0]) == 2.0
    assert 2.0 < pooled([2.0, 1.0]) < pooled([2.0, 2.0]) == pytest.approx(2.0 + log(2))
    assert pooled([2.0] * ranking_weights.POOLED) == pooled([2.0] * 50)
    assert pooled([1.0, -3.0, 2.0]) == pooled([2.0, 1.0, -3.0])


A, B = wishes(word("a")), wishes(word("a"), word("b"))
PLAIN = [["c"], ["c"], ["c"], ["c"], ["c"]]


def beside(at: int, *stems: str) -> list[list[str]]:
    """Five units of another word, with ``stems`` in one of them."""
    return [*PLAIN[:at], list(stems), *PLAIN[at + 1 :]]


@pytest.mark.parametrize(
    ("name", "less", "more", "wanted"),
    [
        ("own", passage(beside(2, "c")), passage(beside(2, "a")), A),
        ("own", passage(beside(2, "a")), passage(beside(2, "a", "b")), B),
        ("related", passage(beside(2, "c")), passage(beside(2, "r")), wishes(word("a", r=0.5))),
        ("before", passage(beside(0, "a")), passage(beside(1, "a")), A),
        ("after", passage(beside(4, "a")), passage(beside(3, "a")), A),
        ("two before", passage(beside(1, "a")), passage(beside(0, "a")), A),
        ("two after", passage(beside(3, "a")), passage(beside(4, "a")), A),
        ("section", passage(PLAIN), passage(beside(0, "a")), A),
        ("above", passage(PLAIN), passage(PLAIN, place="a"), A),
        ("above", passage(PLAIN, place="a"), passage(PLAIN, title="a"), A),
        ("covered", passage(beside(2, "a")), passage(beside(2, "a", "b")), B),
        ("window", passage(beside(0, "a")), passage(beside(1, "a")), A),
        ("window", passage(beside(1, "a")), passage(beside(2, "a")), A),
        ("window squared", passage(beside(0, "a")), passage(beside(1, "a")), A),
        ("covered by section", passage(beside(0, "a")), passage(beside(0, "a", "b")), B),
        ("terms", passage(beside(2, "a")), passage(beside(2, "a", "b")), B),
        ("length", passage(beside(2, "c")), passage(beside(2, "c", "c")), A),
    ],
)
def test_a_feature_grows_with_what_its_name_says(
    name: str, less: Passage, more: Passage, wanted: QueryTerms
) -> None:
    """Looked at is the unit in the middle of five."""
    before, after = named(less, wanted)[2], named(more, wanted)[2]
    assert after[name] > before[name]


def test_a_word_in_the_label_is_one() -> None:
    label = len("a b") << LABEL_SHIFT
    rows = named(passage([["a", "b", "c"], ["a", "b", "c"]], traits={1: label}), A)
    assert [row["label"] for row in rows] == [0.0, 1.0]
    (late,) = named(passage([["c", "b", "a"]], traits={0: len("c b") << LABEL_SHIFT}), A)
    assert late["label"] == 0.0


def test_to_hold_a_name_is_nothing_special() -> None:
    label = len("a") << LABEL_SHIFT
    talk = passage(
        [["a", "c"]] * ranking_weights.NAMES,
        traits=dict.fromkeys(range(ranking_weights.NAMES), label),
    )
    names = tallied(talk, A.groups, AVERAGES).names
    assert names == 1
    assert named(talk, A)[0]["terms"] > named(talk, A, names=names)[0]["terms"] == 0.0
    fewer = passage(
        [["a", "c"]] * ranking_weights.NAMES,
        traits=dict.fromkeys(range(1, ranking_weights.NAMES), label),
    )
    assert tallied(fewer, A.groups, AVERAGES).names == 0


def test_days_pairs_and_answers() -> None:
    there = passage([["a", "b"], ["b", "a"], ["c"]], traits={0: QUESTION})
    rows = named(there, B._replace(pairs={"a b": 0.5}), days={2: 0.6})
    assert [row["days"] for row in rows] == [0.0, 0.0, 0.6]
    assert [row["pairs"] > 0 for row in rows] == [True, False, False]
    assert [row["answer"] > 0 for row in rows] == [False, True, False]
    assert rows[1]["answer"] == rows[1]["before"]


def test_features_are_shares_of_the_query() -> None:
    """So that the same unit is judged alike whatever the query's words are worth."""
    there = passage([["a", "b"], ["b", "r"]], title="a")
    once = wishes(word("a", r=0.5), word("b"), pairs={"a b": 1.0})
    twice = wishes(word("a", 2.0, r=1.0), word("b", 2.0), pairs={"a b": 2.0})
    for one, other in zip(named(there, once), named(there, twice), strict=True):
        assert one == pytest.approx(other)
