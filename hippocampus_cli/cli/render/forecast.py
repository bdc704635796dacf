"""What is to come, for a person to read: a drawing, its figures, and the events.

Not on a terminal: figures and events as tab-separated values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hippocampus_cli.cli.render import charts
from hippocampus_cli.cli.render.columns import columns_of, count, fit, padded
from hippocampus_cli.cli.render.events import print_events
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.cli.render.safe import safe_line
from hippocampus_cli.cli.render.strength import BAND_STYLES, strength_bar
from hippocampus_cli.curation.forecasting import Forecast, Step

_PROGRAM_STEPS, _PIPED_STEPS = 30, 6
_LEAST, _MOST = 10, 100  # columns of a drawing
_MARGIN = 10  # columns of the scale to its left
_LABEL = 20  # columns of an id to its right, at most
_STACK_ROWS, _CURVE_ROWS = 8, 13
_FIGURES = 3  # columns of figures after that of today
_COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red", "bright_cyan", "bright_magenta")


def steps_for(output: Output) -> int:
    """How many steps from now on can be shown."""
    if output.as_json:
        return _PROGRAM_STEPS
    return _room(output) if output.terminal else _PIPED_STEPS


def print_forecast(output: Output, found: Forecast, limit: int | None) -> None:
    """The curves of the entries that were named, else the bands of all; then the events."""
    if not output.terminal:
        for row in _curve_table(found) if found.curves else _band_table(found.steps):
            output.line("\t".join(row))
    elif found.curves:
        _print_entries(output, found)
        _print_curves(output, found)
    elif found.entries:
        size = f", {count(found.entries, 'entry', 'entries')}"
        output.line(Styled(count(found.days, "day"), "bold"), f" to {found.steps[-1].day}{size}")
        output.line()
        _print_bands(output, found.steps)
        _print_figures(output, found.steps)
    if found.events:
        output.line()
        print_events(output, found.events, limit, together=not found.curves)
    else:
        within = f"within {count(found.days, 'day')}"
        output.note(f"no event {within}" if found.entries else "the index holds no entries")


def _band_table(steps: Sequence[Step]) -> Iterator[list[str]]:
    yield ["day", *steps[0].bands, "archived", "average"]
    for one in steps:
        yield [str(one.day), *map(str, one.bands.values()), str(one.archived), _figure(one.average)]


def _curve_table(found: Forecast) -> Iterator[list[str]]:
    yield ["day", *(safe_line(one.id) for one in found.curves)]
    for at, step in enumerate(found.steps):
        yield [str(step.day), *(_figure(one.values[at]) for one in found.curves)]


def _figure(strength: float | None) -> str:
    return "-" if strength is None else f"{strength:.2f}"


def _room(output: Output) -> int:
    return max(_LEAST, min(_MOST, output.width - _MARGIN - 2))


def _print_bands(output: Output, steps: Sequence[Step]) -> None:
    columns = [{**one.bands, "archived": one.archived} for one in steps]
    width, last = _room(output), len(columns) - 1
    spread = [columns[round(x * last / (width - 1))] for x in range(width)]
    scale = {0: f"{sum(columns[0].values()):,}"}
    rows = charts.stacked(spread, _STACK_ROWS, colour=output.colour)
    _print_drawing(output, rows, scale, {}, steps)


def _print_figures(output: Output, steps: Sequence[Step]) -> None:
    """How many entries are in each band today, at the end and in between; the legend of the drawing."""
    last = len(steps) - 1
    chosen = [steps[at] for at in sorted({round(n * last / _FIGURES) for n in range(_FIGURES + 1)})]
    days = [one.day for one in steps]
    output.line()
    _print_row(output, "today", *(charts.day_label(one.day, days) for one in chosen[1:]))
    for name in steps[0].bands:
        _print_row(output, *(f"{one.bands[name]:,}" for one in chosen), name=name)
    if chosen[-1].archived:
        _print_row(output, *(f"{one.archived:,}" for one in chosen), name="archived")
    _print_row(output, *(_figure(one.average) for one in chosen), name="average")


def _print_row(output: Output, *figures: str, name: str = "") -> None:
    mark = charts.mark(name, colour=output.colour)
    cells = "".join(f"{one:>10}" for one in figures)
    output.line(mark, Styled(f" {name:<8}", "dim"), cells if name else Styled(cells, "dim"))


def _print_entries(output: Output, found: Forecast) -> None:
    widest = min(_LABEL * 2, max(columns_of(one.id) for one in found.curves))
    for one, colour in zip(found.curves, _colours(found), strict=True):
        left = f" {_figure(one.values[0])} → {_figure(one.values[-1])}  "
        room = output.width - widest - len(left) - 7
        output.line(
            Styled(padded(one.id, widest), colour),
            "  ",
            Styled(strength_bar(one.values[0]), BAND_STYLES[one.bands[0]]),
            left,
            fit(one.topic, room),
        )
    output.line()


def _colours(found: Forecast) -> list[str]:
    if len(found.curves) == 1:
        return ["bold"]
    return [_COLOURS[at % len(_COLOURS)] for at in range(len(found.curves))]


def _print_curves(output: Output, found: Forecast) -> None:
    """Every curve over the bounds; a single one in the colours of its bands, of several each in its own."""
    labels = {} if len(found.curves) == 1 else _labels(found)
    taken = max((columns_of(label.text) for label in labels.values()), default=0)
    width = max(_LEAST, _room(output) - taken)
    rows = charts.rules(list(found.bounds.values()), width, _CURVE_ROWS)
    for one, colour in zip(found.curves, _colours(found), strict=True):
        styles = [BAND_STYLES[name] for name in one.bands]
        charts.trace(rows, one.values, styles if colour == "bold" else [colour] * len(styles))
    _print_drawing(output, rows, _zones(found.bounds), labels, found.steps)


def _zones(bounds: dict[str, float]) -> dict[int, str]:
    """What stands beside the rows of a drawing of strengths: bounds, and between them the bands."""
    beside = {}
    above = -1
    for name, below in zip(BAND_STYLES, [*bounds.values(), None], strict=True):
        row = _CURVE_ROWS if below is None else charts.row_of(below, _CURVE_ROWS)
        beside[(above + row) // 2] = name
        above = row
    return beside | {charts.row_of(at, _CURVE_ROWS): f"{at:.2f}" for at in bounds.values()}


def _labels(found: Forecast) -> dict[int, Styled]:
    """The ids beside the ends of their curves, one a row, moved where they would stand on each other."""
    ends = sorted(
        zip(found.curves, _colours(found), strict=True), key=lambda one: -one[0].values[-1]
    )
    rows: list[int] = []
    for at, (one, _) in enumerate(ends[:_CURVE_ROWS]):
        wanted = charts.row_of(one.values[-1], _CURVE_ROWS)
        lowest = _CURVE_ROWS - (min(len(ends), _CURVE_ROWS) - at)
        rows.append(min(lowest, max(wanted, rows[-1] + 1 if rows else 0)))
    return {
        row: Styled(f" {fit(one.id, _LABEL)}", colour)
        for row, (one, colour) in zip(rows, ends, strict=False)
    }


def _print_drawing(
    output: Output,
    rows: Sequence[charts.Row],
    scale: dict[int, str],
    labels: dict[int, Styled],
    steps: Sequence[Step],
) -> None:
    """The rows with what stands beside them, above an axis of days."""
    for at, row in enumerate(rows):
        beside = scale.get(at, "")
        style = BAND_STYLES.get(beside, "dim")
        edge = "┤" if beside and beside not in BAND_STYLES else "│"
        output.line(
            Styled(f"{beside:>{_MARGIN - 2}} ", style),
            Styled(edge, "dim"),
            *charts.runs(row),
            labels.get(at, ""),
        )
    line, dates = charts.axis([one.day for one in steps], len(rows[0]))
    output.line(Styled(f"{'':{_MARGIN - 1}}└{line}", "dim"))
    output.line(Styled(f"{'':{_MARGIN}}{dates}".rstrip(), "dim"))
