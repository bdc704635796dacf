"""What ``yesterday`` and ``last summer`` mean in a note, which goes by the note's day."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.cli.main import main
from hippocampus_cli.dates.calendar import Days
from hippocampus_cli.search import ranking_weights
from hippocampus_cli.search.extract import records_of
from hippocampus_cli.search.query_parser import parse
from hippocampus_cli.search.relative_dates import tells, units_telling
from hippocampus_cli.search.schema import unit_spans
from hippocampus_cli.search.term_statistics import Passage
from hippocampus_cli.workspace.note import Note
from tests.support.text_cache import cache_of

MONDAY = "2023-05-08"
WORDS = (
    "last next this past previous in on am im the a few coupl of two 3 0 999 9999-99 2023-02-30 ago"
    " day week month year weekend summer monday montag may marz befor after yesterday tomorrow gestern other"
)
FEW_WORDS = st.lists(st.sampled_from([*WORDS.split(), "\n"]), max_size=8).map(" ".join)
ANY_DAY = st.dates() | st.sampled_from([date.min, date.max])


def days(text: str) -> Days:
    """``2023-05-08``, or ``2023-05-01/2023-05-07``."""
    first, _, last = text.partition("/")
    return date.fromisoformat(first), date.fromisoformat(last or first)


def passage(text: str) -> Passage:
    record = records_of(Note("memory/day.md", text), None)[0]
    units = unit_spans(record.row[8])
    return Passage(
        record.title, record.place, record.body, units.offsets, units.lengths, units.traits
    )


def telling(text: str, noted: str, asked: str) -> set[int]:
    return units_telling(passage(text), date.fromisoformat(noted), [days(asked)])


@pytest.mark.parametrize(
    ("text", "noted", "asked"),
    [
        ("Rana called yesterday.", MONDAY, "2023-05-07"),
        ("We sail tomorrow.", MONDAY, "2023-05-09"),
        ("The day before yesterday it rained.", MONDAY, "2023-05-06"),
        ("The day after tomorrow we sail.", MONDAY, "2023-05-10"),
        ("The siren went off last night.", MONDAY, "2023-05-07"),
        ("The other day a heron came.", MONDAY, "2023-05-04"),
        ("It broke last Monday.", MONDAY, "2023-05-01"),  # said on a Monday: not today
        ("It broke on Friday.", MONDAY, "2023-05-05"),
        ("We meet next Friday.", MONDAY, "2023-05-12"),
        ("We met last week.", MONDAY, "2023-05-01"),  # its first day
        ("We met last week.", MONDAY, "2023-05-07"),  # its last
        ("We met last week.", "2023-05-14", "2023-05-01/2023-05-07"),  # said on a Sunday
        ("We met the week before last.", MONDAY, "2023-04-26"),
        ("We meet next week.", MONDAY, "2023-05-21"),
        ("We sail this weekend.", MONDAY, "2023-05-13"),
        ("Over the weekend we sailed.", MONDAY, "2023-05-06"),
        ("It has run for the past 3 days.", MONDAY, "2023-05-06"),
        ("Two weeks ago it broke.", MONDAY, "2023-04-24"),
        ("A week ago it broke.", MONDAY, "2023-05-01"),
        ("A few days ago it broke.", MONDAY, "2023-05-04"),
        ("A couple of weeks ago it broke.", MONDAY, "2023-04-24"),
        ("3 days ago it broke.", "2023-03-02", "2023-02-27"),
        ("It broke yesterday.", "2024-03-01", "2024-02-29"),
        ("It broke yesterday.", "2023-03-01", "2023-02-28"),
        ("It broke yesterday.", "2023-01-01", "2022-12-31"),
        ("A year ago it broke.", "2024-02-29", "2023-01-01/2023-12-31"),
        ("A month ago it broke.", "2023-03-31", "2023-02-01/2023-02-28"),
        ("It broke last month.", "2023-01-31", "2022-12-01/2022-12-31"),
        ("It broke last month.", MONDAY, "2023-01-01/2023-12-31"),
        ("It broke last quarter.", MONDAY, "2023-03-01/2023-03-31"),
        ("Last summer we sailed.", MONDAY, "2022-07-01/2022-07-31"),
        ("Last summer we sailed.", MONDAY, "2022-01-01/2022-12-31"),
        ("This summer we sail.", MONDAY, "2023-06-01/2023-08-31"),
        ("Last year, I helped renovate it.", MONDAY, "2022-01-01/2022-12-31"),
        ("Four years ago we moved.", MONDAY, "2019-01-01/2019-12-31"),
        ("Last December we moved.", MONDAY, "2022-12-01/2022-12-31"),
        ("In January we moved.", MONDAY, "2023-01-01/2023-01-31"),
        ("Am Freitag war es kaputt.", MONDAY, "2023-05-05"),
        ("Letzten Montag war es kaputt.", MONDAY, "2023-05-01"),
        ("Im März war es kaputt.", MONDAY, "2023-03-01/2023-03-31"),
        ("Gestern war es kaputt.", MONDAY, "2023-05-07"),
        ("Long ago, in a year of no rain, two days ago.", MONDAY, "2023-05-06"),
    ],
)
def test_it_tells_of_the_days(text: str, noted: str, asked: str) -> None:
    assert telling(f"- Nothing new.\n- {text}\n- Nothing else.\n", noted, asked) == {1}


@pytest.mark.parametrize(
    ("text", "noted", "asked"),
    [
        ("Rana called yesterday.", MONDAY, MONDAY),
        ("The day before yesterday it rained.", MONDAY, "2023-05-07"),
        ("It broke last Monday.", MONDAY, MONDAY),
        ("We met last week.", MONDAY, "2023-04-30"),  # the Sunday before
        ("We met last week.", MONDAY, MONDAY),
        ("We met last week.", "2023-05-04", "2023-05-01/2023-05-31"),  # it was in April
        ("We meet next Friday.", MONDAY, "2023-05-05"),
        ("It broke yesterday.", "2023-05-01", "2023-05-01/2023-05-31"),
        ("It broke yesterday.", "2024-03-01", "2024-02-28"),
        ("It broke last month.", MONDAY, "2023-04-12"),  # no day was meant by it
        ("Last year, I helped renovate it.", MONDAY, "2022-07-04"),
        ("Last year, I helped renovate it.", MONDAY, "2022-07-01/2022-07-31"),
        ("Last year, I helped renovate it.", MONDAY, "2023-01-01/2023-12-31"),
        ("It was the last. Weeks of work!", MONDAY, "2022-05-02"),
        ("This may break the year.", MONDAY, "2023-05-01/2023-05-31"),
        ("Long ago it broke.", MONDAY, "2023-05-01/2023-05-31"),
    ],
)
def test_it_does_not(text: str, noted: str, asked: str) -> None:
    assert telling(f"- {text}\n", noted, asked) == set()


def test_a_longer_note_in_german_is_read_too() -> None:
    text = "- Der Pegel und die Pumpe.\n" * 40 + "- Am Freitag lief die Pumpe.\n"
    assert telling(text, MONDAY, "2023-05-05") == {40}


def test_a_longer_note_is_read_where_it_says_when() -> None:
    text = "- The level and the pump.\n" * 40 + "- Yesterday the pump ran.\n"
    assert telling(text, MONDAY, "2023-05-07") == {40}
    assert telling(text, "2023-06-08", "2023-05-07") == set()


def test_a_count_belongs_to_its_own_unit() -> None:
    assert telling("- Of pumps we have two\n- weeks ago it broke\n", MONDAY, "2023-04-24") == set()


@given(FEW_WORDS | st.text(), ANY_DAY, st.lists(st.tuples(ANY_DAY, ANY_DAY), max_size=3))
def test_no_text_and_no_day_breaks_it(text: str, noted: date, asked: list[Days]) -> None:
    ranges = [(min(pair), max(pair)) for pair in asked]
    body = f" {text} "
    units = Passage("", "", body, [0], [1], [0])
    assert units_telling(units, noted, ranges) <= {0}
    assert tells("two week ago", noted, []) is False


@pytest.mark.parametrize("path", ["memory/2023-08.md", "people.md"])
def test_a_file_of_no_single_day_is_left_alone(path: str) -> None:
    cache = cache_of({path: "# Log\n\n- Last year John rebuilt the pier.\n"})
    query = parse("John pier last year", date(2023, 8, 17))
    at = list(ranking_weights.FEATURES).index("days")
    assert [hit.best[at] for hit in cache.search(query).hits] == [0.0]


def test_a_unit_fits_as_well_as_one_that_names_the_day() -> None:
    text = "# Log\n\n- Last year John rebuilt the pier.\n"
    cache = cache_of({"memory/2023-08-05.md": text, "memory/2022-11-01.md": "# Log\n\n- John.\n"})
    hits = cache.search(parse("John pier last year", date(2023, 8, 17))).hits
    at = list(ranking_weights.FEATURES).index("days")
    fitting = {hit.path: hit.best[at] for hit in hits}
    assert fitting["memory/2023-08-05.md"] == ranking_weights.NAMED_DAYS
    assert fitting["memory/2022-11-01.md"] == ranking_weights.DAYS


def test_a_question_after_last_year_finds_the_note_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "MEMORY.md").write_text("# Memory\n")
    for day, line in {
        "2023-03-01": "John renovated his boat, and the community helped.",
        "2023-08-05": "Last year, John says, he renovated a community center.",
        "2023-08-06": "John renovated the pier for the community.",
    }.items():
        (tmp_path / f"memory/{day}.md").write_text(f"# {day}\n\n- Rain.\n- {line}\n- Wind.\n")
    monkeypatch.setenv("HIPPO_NOW", "2023-08-17T09:00:00+00:00")
    command = ["query", "what did John renovate in his community last year", "--json", "--no-write"]
    assert main([*command, "--mode", "search", "--workspace", str(tmp_path)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["results"][0]["path"] == "memory/2023-08-05.md"
