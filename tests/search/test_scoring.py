"""The ranking model."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.search.scoring import Averages, Passage, occurrences, score, units_with

AVERAGES = Averages(4.0, 20.0)
UNITS = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6), max_size=6)


def passage(units: list[list[str]], title: str = "", place: str = "") -> Passage:
    bodies = [f" {' '.join(unit)} " for unit in units]
    offsets = [sum(len(body) + 1 for body in bodies[:at]) for at in range(len(bodies))]
    return Passage(title, place, "\n".join(bodies), offsets, list(map(len, units)))


@given(UNITS)
def test_every_occurrence_is_counted_in_its_unit(units: list[list[str]]) -> None:
    expected = {at: unit.count("a") for at, unit in enumerate(units) if "a" in unit}
    assert occurrences(passage(units), " a ") == expected
    assert units_with(passage(units), ["a"]) == set(expected)


@given(UNITS, st.sampled_from(["", "a", "b a"]))
def test_what_is_found_is_what_is_there(units: list[list[str]], title: str) -> None:
    scores = score(passage(units, title), [{"a": 1.0}, {"x": 1.0}], AVERAGES)
    assert scores.found == {"a"} & {stem for unit in [*units, title.split()] for stem in unit}
    assert len(scores.units) == len(units)
    assert (scores.section > 0) == bool(scores.found)


def test_more_of_the_query_is_better_than_more_of_one_word() -> None:
    scores = score(
        passage([["a", "a", "a", "a"], ["a", "b", "c", "c"]]), [{"a": 1.0}, {"b": 1.0}], AVERAGES
    )
    assert scores.units[1] > scores.units[0]


def test_a_neighbour_counts_less_than_the_unit_itself() -> None:
    scores = score(passage([["a"], ["b"], ["c"]]), [{"a": 1.0}], AVERAGES)
    assert scores.units[0] > scores.units[1] > scores.units[2] > 0


def test_a_title_counts_more_than_a_place() -> None:
    in_title = score(passage([["b"]], title="a"), [{"a": 1.0}], AVERAGES)
    in_place = score(passage([["b"]], place="a"), [{"a": 1.0}], AVERAGES)
    assert in_title.units[0] > in_place.units[0] > 0


def test_a_phrase_does_not_reach_over_two_units() -> None:
    assert units_with(passage([["a", "b"], ["c"]]), ["a b"]) == {0}
    assert units_with(passage([["a"], ["b"]]), ["a b"]) == set()


def test_of_stems_that_stand_for_each_other_the_best_counts() -> None:
    there = passage([["a", "b"], ["b", "c"]], title="b")
    together = score(there, [{"a": 1.0, "b": 0.4}], AVERAGES)
    apart = score(there, [{"a": 1.0}, {"b": 0.4}], AVERAGES)
    alone = score(there, [{"a": 1.0}], AVERAGES)
    assert alone.units[1] < together.units[1] < apart.units[1]
    assert alone.units[0] < together.units[0] < apart.units[0]
    assert together.found == {"a", "b"}


def test_a_run_of_stems_is_found_only_where_it_stands_together() -> None:
    run = [{"a b": 1.0}]
    assert score(passage([["c", "a", "b"]]), run, AVERAGES).units[0] > 0
    for apart in (passage([["a"], ["b"]]), passage([["b"]], title="a"), passage([], "a", "b")):
        assert not score(apart, run, AVERAGES).found
