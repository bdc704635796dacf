"""What leads to places beside their words."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from hippocampus_cli.config import Config
from hippocampus_cli.search.hits import Boost, SearchHits, shares
from hippocampus_cli.search.library import Library
from hippocampus_cli.search.query_parser import parse

TODAY = date(2026, 8, 1)
NOTES = {
    "one.md": "# One\n\n- the pump was serviced\n- the filter is new\n",
    "two.md": "# Two\n\n- the pump was serviced\n- the filter is new\n",
}


@pytest.fixture
def library(tmp_path: Path) -> Library:
    for name, text in NOTES.items():
        (tmp_path / name).write_text(text)
    made = Library(tmp_path, Config())
    made.refresh()
    return made


def asked(library: Library, text: str, **leads: list[Boost]) -> SearchHits:
    by_path = {f"{name}.md": found for name, found in leads.items()}
    return library.cache.search(parse(text, TODAY), boosts=by_path)


@pytest.mark.parametrize(
    ("leads", "expected"),
    [
        ([], [0.0, 0.0, 0.0]),
        ([Boost(3, 4, 0.5)], [0.0, 0.5, 0.0]),
        ([Boost(2, 3, 0.25), Boost(3, 9, 0.5)], [0.25, 0.5, 0.5]),
        ([Boost(1, 99, 1.0)], [1.0, 1.0, 1.0]),
    ],
)
def test_a_unit_has_the_surest_lead_to_any_of_its_lines(
    leads: list[Boost], expected: list[float]
) -> None:
    assert shares(leads, [1, 3, 5], [2, 4, 5]) == expected


def test_of_equal_places_the_one_that_is_led_to_comes_first(library: Library) -> None:
    plain = [hit.path for hit in asked(library, "pump").hits]
    for name in ("one", "two"):
        led = asked(library, "pump", **{name: [Boost(3, 3, 0.5)]}).hits
        assert [hit.path for hit in led] == sorted(plain, key=lambda path: path != f"{name}.md")
        assert [hit.boost for hit in led] == [0.5, 0.0]


def test_what_leads_there_is_no_part_of_what_the_text_says(library: Library) -> None:
    plain = {hit.path: hit for hit in asked(library, "pump").hits}
    for hit in asked(library, "pump", one=[Boost(1, 9, 1.0)]).hits:
        assert hit.said == plain[hit.path].said == plain[hit.path].score
    assert plain["one.md"].boost == 0.0


def test_a_lead_to_lines_that_do_not_exist_leads_nowhere(library: Library) -> None:
    plain = asked(library, "pump")
    assert asked(library, "pump", one=[Boost(900, 901, 1.0)], none=[Boost(1, 2, 1.0)]) == plain


def test_what_has_no_word_of_the_question_is_not_found_by_a_lead_alone(library: Library) -> None:
    assert not asked(library, "zebra", one=[Boost(1, 9, 1.0)]).hits


def test_quoted_words_are_wanted_whatever_leads_elsewhere(library: Library) -> None:
    found = asked(library, '"filter is new"', one=[Boost(1, 9, 1.0)])
    assert {hit.path for hit in found.hits} == {"one.md", "two.md"}
    assert not asked(library, '"filter is old"', one=[Boost(1, 9, 1.0)]).hits
