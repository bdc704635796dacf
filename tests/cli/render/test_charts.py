"""The drawings, cell by cell."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.cli.render import charts
from hippocampus_cli.cli.render.output import Styled

BANDS = ("strong", "moderate", "weak", "decaying", "silent", "archived")


def text_of(rows: list[charts.Row]) -> list[str]:
    return ["".join(cell.text for cell in row) for row in rows]


def counts(*numbers: int) -> dict[str, int]:
    return dict(zip(BANDS, numbers, strict=True))


def test_a_curve_runs_through_its_values_over_the_bounds() -> None:
    rows = charts.rules([0.5], 6, 3)
    assert text_of(rows) == ["      ", "┄┄┄┄┄┄", "      "]
    charts.trace(rows, [1.0, 0.0], ["green", "dim"])
    assert text_of(rows) == ["⠑⢄    ", "┄┄⠑⢄┄┄", "    ⠑⢄"]
    assert [row[at].style for at, row in ((0, rows[0]), (5, rows[2]))] == ["green", "dim"]


def test_where_it_is_steep_a_curve_has_no_gap() -> None:
    rows = charts.rules([], 2, 2)
    charts.trace(rows, [1.0, 0.0, 0.0, 0.0], ["", "", "", ""])
    assert text_of(rows) == ["⢱ ", "⢸⣀"]


def test_two_curves_share_a_cell() -> None:
    rows = charts.rules([], 1, 1)
    charts.trace(rows, [1.0, 1.0], ["", ""])
    charts.trace(rows, [0.0, 0.0], ["cyan", "cyan"])
    assert rows == [[Styled("⣉", "cyan")]]


def test_shares_are_stacked_from_the_strong_up() -> None:
    rows = charts.stacked([counts(2, 0, 2, 0, 0, 0), counts(0, 0, 0, 0, 2, 2)], 4, colour=False)
    assert text_of(rows) == ["▒ ", "▒ ", "█·", "█·"]


def test_with_colours_two_bands_meet_within_a_cell() -> None:
    (row,) = charts.stacked([counts(1, 1, 0, 0, 0, 0), counts(0, 0, 0, 5, 3, 0)], 1, colour=True)
    assert row == [Styled("▄", "green on cyan"), Styled("▅", "magenta")]


def test_bands_are_told_apart_without_their_colours() -> None:
    for colour in (True, False):
        marks = [charts.mark(band, colour=colour).text for band in BANDS]
        assert len(set(marks)) == len(BANDS)


@given(st.lists(st.tuples(*[st.integers(0, 400)] * 6).filter(any), min_size=1), st.booleans())
def test_every_column_is_full(columns: list[tuple[int, ...]], colour: bool) -> None:
    rows = charts.stacked([counts(*one) for one in columns], 8, colour=colour)
    assert [len(row) for row in rows] == [len(columns)] * 8
    assert all(len(cell.text) == 1 for row in rows for cell in row)


@given(st.floats(0, 1), st.integers(1, 40))
def test_every_strength_has_a_row(strength: float, height: int) -> None:
    assert 0 <= charts.row_of(strength, height) < height


@pytest.mark.parametrize(
    ("days", "width", "dates"),
    [
        (90, 40, "1 Aug            15 Sep           30 Oct"),
        (1, 40, "1 Aug                              2 Aug"),
        (400, 40, "Aug 2026        Feb 2027        Sep 2027"),
        (90, 20, "1 Aug         30 Oct"),
    ],
)
def test_an_axis_names_its_ends(days: int, width: int, dates: str) -> None:
    line, labels = charts.axis(
        [date(2026, 8, 1) + timedelta(days=at) for at in range(days + 1)], width
    )
    assert labels == dates
    assert len(line) == width and line[0] == line[-1] == "┴"


def test_neighbours_of_one_style_are_one_run() -> None:
    row = [Styled("a", "x"), Styled("b", "x"), Styled("c", "")]
    assert list(charts.runs(row)) == [Styled("ab", "x"), Styled("c", "")]
