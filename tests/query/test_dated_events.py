"""Days told by an event of the notes."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.query.dated_events import Event, Place, event_day, relative_in, with_event
from hippocampus_cli.search.query_parser import parse

TODAY = date(2026, 8, 1)


def launch(name: str) -> Event | None:
    return Event(name, date(2026, 7, 14), "plan.md:3") if name == "launch" else None


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("what did we plan two weeks before the launch?", "launch", "two weeks before the launch"),
        ("the day after the audit", "audit", "the day after the audit"),
        ("calls 3 days after Pri's wedding, please", "Pri's wedding", "3 days after Pri's wedding"),
        ("since the move to bittern", "move to bittern", "since the move to bittern"),
        ("a month before launch of the new site in May", "launch of the new site", None),
        ("the week before the audit what did he say", "audit", "the week before the audit"),
    ],
)
def test_a_phrase_that_counts_from_an_event(text: str, name: str, words: str | None) -> None:
    found = relative_in(text)
    assert found is not None
    assert found.name == name
    assert words is None or text[found.start : found.end] == words


@pytest.mark.parametrize(
    "text",
    [
        *(
            "what must we do after touching the network",
            "before we ship",
            "since when",
            "after all",
        ),
        *(
            "the week before 12 May",
            "two days after last Friday",
            "days before it",
            "since Ines said so",
        ),
        *("two weeks", "the day after", "before the launch", "a week after, launch"),
    ],
)
def test_what_counts_from_no_event_is_left_alone(text: str) -> None:
    assert relative_in(text) is None
    query = parse(text, TODAY)
    assert with_event(query, TODAY, launch) == query


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("two weeks before the launch", (6, 27), (7, 3)),
        ("two days before the launch", (7, 12), (7, 12)),
        ("the day after the launch", (7, 15), (7, 15)),
        ("the week before the launch", (7, 7), (7, 13)),
        ("the week after the launch", (7, 15), (7, 21)),
        ("a month before the launch", (6, 7), (6, 21)),
        ("since the launch", (7, 14), (8, 1)),
    ],
)
def test_the_days_are_counted(text: str, first: tuple[int, int], last: tuple[int, int]) -> None:
    query = with_event(parse(f"budget {text}", TODAY), TODAY, launch)
    assert query.days == ((date(2026, *first), date(2026, *last)),)
    assert [term.stem for term in query.terms] == ["budget"]
    assert query.text == f"budget {text}"
    assert query.readings[0].because == "launch: 2026-07-14, plan.md:3"


def test_an_event_that_nobody_knows_changes_nothing() -> None:
    query = parse("two weeks before the eclipse", TODAY)
    assert with_event(query, TODAY, launch) == query


def place(text: str, title: str = "", day: date | None = None, score: float = 1.0) -> Place:
    return Place(f"{title}.md:1", title, text, day, score)


@pytest.mark.parametrize(
    ("places", "day"),
    [
        ([place("The audit is on 3 June 2026.")], date(2026, 6, 3)),
        ([place("Two auditors, much coffee.", "Audit", date(2026, 6, 3))], date(2026, 6, 3)),
        ([place("Done. Audit passed, next thing.", "Log", date(2026, 6, 3))], None),  # a mention
        ([place("**3 June 2026**, at last. Was 1 May 2026.", "Audit")], date(2026, 6, 3)),
        ([place("Audit moved: 1 May → 3 June", day=date(2026, 4, 2))], date(2026, 6, 3)),
        ([place("Room 4.", "2026-03-02 Audit moved to 3 June")], date(2026, 6, 3)),
        (
            [place("Cake on 5 June. The audit is on 3 June.", day=date(2026, 6, 1))],
            date(2026, 6, 3),
        ),
        ([place("The audit is on 3 January.", day=date(2025, 12, 20))], date(2026, 1, 3)),
        (
            [place("- Coffee at one.\n- Ines sails on 9 June.", "Audit", date(2026, 6, 3))],
            date(2026, 6, 3),
        ),
        (
            [
                place("- Ines sails on 9 June.", "Audit", date(2026, 6, 3)),
                *[place("- Coffee at one.", "Audit", date(2026, 6, 3))] * 2,
            ],
            date(2026, 6, 3),
        ),
        ([place("- 9 June, at the pier.", "Audit", date(2026, 6, 3))], date(2026, 6, 9)),
        ([place("Nothing of it")], None),
        ([], None),
    ],
)
def test_the_day_of_an_event_is_where_the_notes_say_it(
    places: list[Place], day: date | None
) -> None:
    found = event_day("audit", places, TODAY)
    assert (found.day if found else None) == day


def test_a_later_note_is_believed_more() -> None:
    old = place("The audit is on 1 May.", day=date(2026, 3, 2), score=1.0)
    new = place("The audit is on 3 June now.", day=date(2026, 4, 20), score=0.8)
    found = event_day("audit", [old, new], TODAY)
    assert found is not None
    assert found.day == date(2026, 6, 3)


def test_too_many_days_are_none() -> None:
    places = [place(f"The meeting is on {day} June 2026.") for day in range(1, 9)]
    assert event_day("meeting", places, TODAY) is None


WORDS = [
    "the",
    "two",
    "3",
    "week",
    "weeks",
    "day",
    "before",
    "after",
    "since",
    "launch",
    "of",
    "12",
    "May",
    "'s",
    ",",
    ".",
    "audit",
    "Pri",
    "-",
    "month",
]


@given(
    st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join) | st.text(), st.dates(), st.dates()
)
def test_any_text_any_event(text: str, today: date, day: date) -> None:
    query = with_event(parse(text, today), today, lambda name: Event(name, day, "x"))
    assert query.text == text
    assert all(first <= last < date.max for first, last in query.days)


@given(st.text(), st.text(), st.text(), st.none() | st.dates(), st.dates())
def test_any_place(name: str, title: str, text: str, day: date | None, today: date) -> None:
    event_day(name, [Place("x", title, text, day, 1.0)], today)
