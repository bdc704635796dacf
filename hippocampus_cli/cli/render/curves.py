"""The curves of single entries over the bounds of strength, on a terminal."""

from __future__ import annotations

from hippocampus_cli.cli.render import charts
from hippocampus_cli.cli.render.columns import columns_of, fit, padded
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.cli.render.strength import BAND_STYLES, strength_bar
from hippocampus_cli.curation.forecasting import Forecast

_ROWS = 13
_LABEL = 20  # columns of an id beside the end of its curve, at most
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
    identity = min(ids, _LABEL * 2, output.width - _CHANGE)
    room = output.width - _CHANGE - identity - 2
    for one, colour in zip(found.curves, _colours(found), strict=True):
        output.line(
            Styled(padded(one.id, identity), colour),
            "  ",
            Styled(strength_bar(one.values[0]), BAND_STYLES[one.bands[0]]),
            f" {one.values[0]:.2f} → {one.values[-1]:.2f}",
            f"  {fit(one.topic, room)}" if room >= charts.LEAST else "",
        )


def _colours(found: Forecast) -> list[str]:
    return [_COLOURS[at % len(_COLOURS)] for at in range(len(found.curves))]


def _print_curves(output: Output, found: Forecast) -> None:
    """Every curve over the bounds; a single one in the colours of its bands, of several each in its own."""
    alone = len(found.curves) == 1
    labels = {} if alone else _labels(found)
    taken = max((columns_of(label.text) for label in labels.values()), default=0)
    width = max(charts.LEAST, charts.room(output) - taken)
    rows = charts.rules(list(found.bounds.values()), width, _ROWS)
    for one, colour in zip(found.curves, _colours(found), strict=True):
        styles = [BAND_STYLES[name] for name in one.bands]
        charts.trace(rows, one.values, styles if alone else [colour] * len(styles))
    days = [one.day for one in found.steps]
    charts.print_drawing(output, rows, days, _zones(found.bounds), labels)


def _zones(bounds: dict[str, float]) -> dict[int, str]:
    """What stands beside the rows of a drawing of strengths: bounds, and between them the bands."""
    beside = {}
    above = -1
    for name, below in zip(BAND_STYLES, [*bounds.values(), None], strict=True):
        row = _ROWS if below is None else charts.row_of(below, _ROWS)
        beside[(above + row) // 2] = name
        above = row
    return beside | {charts.row_of(at, _ROWS): f"{at:.2f}" for at in bounds.values()}


def _labels(found: Forecast) -> dict[int, Styled]:
    """The ids beside the ends of their curves, one a row, moved where they would stand on each other."""
    ends = sorted(
        zip(found.curves, _colours(found), strict=True), key=lambda one: -one[0].values[-1]
    )
    rows: list[int] = []
    for at, (one, _) in enumerate(ends[:_ROWS]):
        wanted = charts.row_of(one.values[-1], _ROWS)
        lowest = _ROWS - (min(len(ends), _ROWS) - at)
        rows.append(min(lowest, max(wanted, rows[-1] + 1 if rows else 0)))
    return {
        row: Styled(f" {fit(one.id, _LABEL)}", colour)
        for row, (one, colour) in zip(rows, ends, strict=False)
    }
