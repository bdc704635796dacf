"""Near-identical places of several days a series; nothing is superseded for its age."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pytest

from hippocampus_cli.query.places import Dated, Place, Snapshot
from hippocampus_cli.query.series import fold_series, is_struck, newest_first
from hippocampus_cli.workspace.note import Section

LONG = "The gasket of the buoy swells in diesel, so we use EPDM from the second batch on."
Told = tuple[str, str]


class Reader(Snapshot):
    """Knows the text and the day of each path."""

    def __init__(self, rows: Mapping[str, tuple[str, date]]) -> None:
        self.rows = rows

    def text_of(self, place: Place) -> str:
        return self.rows[place.path][0]

    def dated(self, place: Place) -> Dated:
        return Dated(self.rows[place.path][1], "name")


def fold(*told: Told, asked: tuple[str, ...] = ()) -> list[Place]:
    """What is shown of places with these texts and days."""
    places = [
        Place(f"{number}.md", Section(0, 1, "T", (), 1, 3, 3), 3, 3, score=1.0 - number / 10)
        for number in range(len(told))
    ]
    rows = {
        f"{number}.md": (text, date.fromisoformat(day)) for number, (text, day) in enumerate(told)
    }
    return fold_series(places, Reader(rows), asked)


def paths(places: tuple[Place, ...] | list[Place]) -> list[str]:
    return [place.path for place in places]


def test_values_that_change_are_a_series_newest_first() -> None:
    (place,) = fold(
        ("Backups run at 03:15 every night.", "2026-03-01"),
        ("Backups run at 01:40 every night.", "2026-05-01"),
        ("Backups run at 02:20 every night.", "2026-04-01"),
    )
    assert place.path == "1.md" and not place.superseded
    assert paths(place.earlier) == ["2.md", "0.md"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("- port of A: 8080", "2026-05-01"), ("- port of B: 8081", "2026-05-01")),  # of one day
        (("Nothing happened.", "2026-05-01"), ("Nothing much.", "2026-05-02")),
        ((LONG, "2026-05-01"), ("The gasket of the buoy was bought in Bremen.", "2026-05-02")),
        (("", "2026-05-01"), ("", "2026-05-02")),
    ],
)
def test_what_differs_is_shown(first: Told, second: Told) -> None:
    assert paths(fold(first, second)) == ["0.md", "1.md"]


@pytest.mark.parametrize(
    ("text", "struck"),
    [
        ("~~gone~~", True),
        ("- ~~gone~~\n- ~~too~~.\n", True),
        ("~~280~~ 400", False),  # what holds now stands beside it
        ("~~gone~~\nhere", False),
        ("", False),
    ],
)
def test_only_what_is_struck_through_whole_is(text: str, struck: bool) -> None:
    assert is_struck(text) is struck


def test_of_lists_whose_lines_answer_alike_the_newest_comes_first() -> None:
    rows = {
        "old": ("- bread\n- The port of the relay is 4100.\n- a walk", date(2026, 3, 1)),
        "lamp": ("- The port of the lamp is 7.", date(2026, 6, 1)),
        "new": ("- rain\n- The port of the relay is 4200 now.", date(2026, 5, 1)),
    }
    places = [Place(name, Section(0, 1, "T", (), 1, 9, 9), 3, 3) for name in rows]
    found = newest_first(places, Reader(rows), ("port", "relay"))
    assert paths(found) == ["new", "lamp", "old"]


def test_what_is_told_of_two_things_is_no_series() -> None:
    told = ("Mia takes 5 ml of syrup every eight hours with a meal.", "2026-05-12")
    other = ("Ben takes 10 ml of syrup every eight hours with a meal.", "2026-05-13")
    assert paths(fold(told, other)) == ["1.md"]
    assert paths(fold(told, other, asked=("mia", "syrup"))) == ["0.md", "1.md"]


@pytest.mark.parametrize(
    ("first", "second"), [("Mario", "Maria"), ("web1", "web3"), ("room3", "room11")]
)
def test_names_that_begin_alike_are_two_things(first: str, second: str) -> None:
    texts = {
        name: (f"The code of {name} is 41{len(name)}.", date(2026, 5, day))
        for day, name in enumerate((first, second), 1)
    }
    places = [Place(name, Section(0, 1, "T", (), 1, 9, 9), 3, 3) for name in texts]
    assert paths(newest_first(places, Reader(texts), ("code", first.lower()))) == [first, second]
