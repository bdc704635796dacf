"""Charts made of characters: bars, small curves, curves of dots over time, and shares stacked in columns.

A drawing is a list of rows, a row a list of cells, a cell one character in its style.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING

from hippocampus_cli.cli.render.layout import BAND_STYLES, columns_of, fit, padded, strength_bar
from hippocampus_cli.cli.render.output import Output, Styled

if TYPE_CHECKING:
    from hippocampus_cli.entries.forecast import Forecast

Row = list[Styled]

LONGEST_BAR = 40
LEAST, _MOST = 20, 100  # columns of a drawing
_MARGIN = 10  # columns of the scale to its left
_BRAILLE = 0x2800
_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))  # of a cell, by column and row
_EIGHTHS = "▁▂▃▄▅▆▇█"
_SOLID = frozenset(("strong", "moderate", "weak", "decaying"))
_LABEL = 14  # columns between the dates of an axis
_LONG = 300  # days beyond which a date shows its year
_TEXTURES = {"strong": "█", "moderate": "▓", "weak": "▒", "decaying": "░", "silent": "·"}


def bar(number: int, most: int, width: int) -> str:
    """A bar of ``width`` columns for ``most``, of one at least for any number but 0."""
    return "▇" * (max(1, round(number / most * width)) if number and width else 0)


def sparkline(values: Sequence[float | None], low: float, high: float) -> str:
    """A column a value, empty at ``low`` and full at ``high``; a dot for ``None``."""
    span = (high - low) or 1.0
    steps = (None if one is None else int((one - low) / span * 8) for one in values)
    return "".join("·" if one is None else _EIGHTHS[min(7, max(0, one))] for one in steps)


def runs(row: Row) -> Iterator[Styled]:
    """The cells of a row, neighbours of one style together."""
    for style, cells in groupby(row, key=attrgetter("style")):
        yield Styled("".join(cell.text for cell in cells), style)


def rules(bounds: Sequence[float], width: int, height: int) -> list[Row]:
    """An empty drawing of strengths from 0 to 1 with a dim line at each bound."""
    rows = [[Styled(" ", "")] * width for _ in range(height)]
    for bound in bounds:
        rows[row_of(bound, height)] = [Styled("┄", "dim")] * width
    return rows


def trace(rows: list[Row], values: Sequence[float], styles: Sequence[str]) -> None:
    """Draw the curve through evenly spaced ``values``, each in its style, over what is there."""
    width, height = len(rows[0]), len(rows)
    last = _dot(values[0], height)
    for x in range(2 * width):
        at = x * (len(values) - 1) / (2 * width - 1)
        left = min(int(at), len(values) - 2)
        dot = _dot(values[left] + (values[left + 1] - values[left]) * (at - left), height)
        for y in range(min(last + 1, dot), max(last - 1, dot) + 1):  # no gap where it is steep
            row, column = rows[y // 4], x // 2
            there = max(
                0, ord(row[column].text) - _BRAILLE
            )  # every other character here has a lower code
            dots = there | _DOTS[x % 2][y % 4]
            row[column] = Styled(chr(_BRAILLE + dots), styles[round(at)])
        last = dot


def row_of(strength: float, height: int) -> int:
    """The row of a strength, from the top."""
    return _dot(strength, height) // 4


def _dot(strength: float, height: int) -> int:
    return round((1 - strength) * (4 * height - 1))


def stacked(columns: Sequence[Mapping[str, int]], height: int, *, colour: bool) -> list[Row]:
    """Counts by band in columns of one height, the first band at the bottom. The total is above 0."""
    drawn = [_column(list(counts), list(counts.values()), height, colour) for counts in columns]
    return [list(row) for row in zip(*drawn, strict=True)][::-1]


def _column(bands: Sequence[str], counts: Sequence[int], height: int, colour: bool) -> Row:
    """The cells of a column from the bottom up; where two bands meet in a cell, to the eighth of it."""
    whole = sum(counts)
    tops = [round(sum(counts[: at + 1]) / whole * height * 8) for at in range(len(counts))]

    def band_at(eighth: int) -> int:
        return next(at for at, top in enumerate(tops) if top > eighth)

    if not colour:
        return [mark(bands[band_at(8 * row + 4)], colour=False) for row in range(height)]
    cells = []
    for row in range(height):
        low, high = band_at(8 * row), band_at(8 * row + 7)
        full = mark(bands[low], colour=True)
        meet = tops[low] - 8 * row
        cells.append(full if low == high else _meeting(bands[low], bands[high], meet))
    return cells


def mark(band: str, *, colour: bool) -> Styled:
    """A cell full of a band: a texture of its own, in its colour where there are colours."""
    return Styled(_TEXTURES.get(band, " "), BAND_STYLES.get(band, "dim") if colour else "")


def _meeting(low: str, high: str, eighths: int) -> Styled:
    """A cell whose lower ``eighths``, 1 to 7, are of one band and the others of another."""
    if low not in _SOLID:
        return mark(low if eighths > 3 else high, colour=True)
    behind = f" on {BAND_STYLES[high]}" if high in _SOLID else ""
    return Styled(_EIGHTHS[eighths - 1], BAND_STYLES[low] + behind)


def axis(days: Sequence[date], width: int) -> tuple[str, str]:
    """A line with marks, and below it their dates; ``days`` are evenly spaced over ``width`` columns."""
    marks = max(1, min(width // _LABEL, len(days) - 1))
    line, labels = ["─"] * width, [" "] * width
    for mark in range(marks + 1):
        column = round(mark * (width - 1) / marks)
        line[column] = "┴"
        text = day_label(days[round(mark * (len(days) - 1) / marks)], days)
        start = min(max(0, column - len(text) // 2), width - len(text))
        labels[start : start + len(text)] = text
    return "".join(line), "".join(labels)


def day_label(day: date, days: Sequence[date]) -> str:
    """A day in few letters; the year instead of the day where ``days`` reach far."""
    return f"{day:%b %Y}" if (days[-1] - days[0]).days > _LONG else f"{day.day} {day:%b}"


def room(output: Output) -> int:
    """The columns that a drawing may take beside its scale."""
    return max(LEAST, min(_MOST, output.width - _MARGIN - 2))


def print_drawing(
    output: Output,
    rows: Sequence[Row],
    days: Sequence[date],
    scale: Mapping[int, str],
    labels: Mapping[int, Styled] = MappingProxyType({}),
) -> None:
    """The rows above an axis of ``days``, with the texts to their left and to their right, by row."""
    for at, row in enumerate(rows):
        beside = scale.get(at, "")
        edge = "┤" if beside and beside not in BAND_STYLES else "│"
        left = Styled(f"{beside:>{_MARGIN - 2}} ", BAND_STYLES.get(beside, "dim"))
        output.line(left, Styled(edge, "dim"), *runs(row), labels.get(at, ""))
    line, dates = axis(days, len(rows[0]))
    output.line(Styled(f"{'':{_MARGIN - 1}}└{line}", "dim"))
    output.line(Styled(f"{'':{_MARGIN}}{dates}".rstrip(), "dim"))


_ROWS = 13
_CURVE_LABEL = 20  # columns of an id beside the end of its curve, at most
_CHANGE = 19  # columns of a bar and two strengths
_COLOURS = ("cyan", "magenta", "yellow", "green", "red", "bright_blue", "bright_cyan")


def print_curves(output: Output, found: Forecast) -> None:
    """The entries with their strengths, then their curves in one drawing."""
    _print_entries(output, found)
    output.line()
    _print_curves(output, found)


def _print_entries(output: Output, found: Forecast) -> None:
    """A line an entry: its id in the colour of its curve, its strength today and at the end, its topic."""
    ids = max(columns_of(one.id) for one in found.curves)
    identity = min(ids, _CURVE_LABEL * 2, output.width - _CHANGE)
    room = output.width - _CHANGE - identity - 2
    for one, colour in zip(found.curves, _colours(found), strict=True):
        output.line(
            Styled(padded(one.id, identity), colour),
            "  ",
            Styled(strength_bar(one.values[0]), BAND_STYLES[one.bands[0]]),
            f" {one.values[0]:.2f} → {one.values[-1]:.2f}",
            f"  {fit(one.topic, room)}" if room >= LEAST else "",
        )


def _colours(found: Forecast) -> list[str]:
    return [_COLOURS[at % len(_COLOURS)] for at in range(len(found.curves))]


def _print_curves(output: Output, found: Forecast) -> None:
    """Every curve over the bounds; a single one in the colours of its bands, of several each in its own."""
    alone = len(found.curves) == 1
    labels = {} if alone else _labels(found)
    taken = max((columns_of(label.text) for label in labels.values()), default=0)
    width = max(LEAST, room(output) - taken)
    rows = rules(list(found.bounds.values()), width, _ROWS)
    for one, colour in zip(found.curves, _colours(found), strict=True):
        styles = [BAND_STYLES[name] for name in one.bands]
        trace(rows, one.values, styles if alone else [colour] * len(styles))
    days = [one.day for one in found.steps]
    print_drawing(output, rows, days, _zones(found.bounds), labels)


def _zones(bounds: dict[str, float]) -> dict[int, str]:
    """The texts to the left of a drawing of strengths: bounds, and between them the bands."""
    beside = {}
    above = -1
    for name, below in zip(BAND_STYLES, [*bounds.values(), None], strict=True):
        row = _ROWS if below is None else row_of(below, _ROWS)
        beside[(above + row) // 2] = name
        above = row
    return beside | {row_of(at, _ROWS): f"{at:.2f}" for at in bounds.values()}


def _labels(found: Forecast) -> dict[int, Styled]:
    """The ids beside the ends of their curves, one a row, moved where they would overlap."""
    ends = sorted(
        zip(found.curves, _colours(found), strict=True), key=lambda one: -one[0].values[-1]
    )
    rows: list[int] = []
    for at, (one, _) in enumerate(ends[:_ROWS]):
        wanted = row_of(one.values[-1], _ROWS)
        lowest = _ROWS - (min(len(ends), _ROWS) - at)
        rows.append(min(lowest, max(wanted, rows[-1] + 1 if rows else 0)))
    return {
        row: Styled(f" {fit(one.id, _CURVE_LABEL)}", colour)
        for row, (one, colour) in zip(rows, ends, strict=False)
    }
