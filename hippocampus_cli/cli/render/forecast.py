"""What is to come, for a person to read: a drawing, its figures, and the events.

Not on a terminal: figures and events as tab-separated values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hippocampus_cli.cli.render import charts
from hippocampus_cli.cli.render.columns import count
from hippocampus_cli.cli.render.curves import print_curves
from hippocampus_cli.cli.render.events import print_events
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.cli.render.safe import safe_line
from hippocampus_cli.curation.forecasting import Forecast, Step

_PROGRAM_STEPS, _PIPED_STEPS = 30, 6
_STACK_ROWS = 8
_FIGURES = 3  # columns of figures after that of today


def steps_for(output: Output) -> int:
    """How many steps from now on can be shown."""
    if output.as_json:
        return _PROGRAM_STEPS
    return charts.room(output) if output.terminal else _PIPED_STEPS


def print_forecast(output: Output, found: Forecast, limit: int | None) -> None:
    """The curves of the entries that were named, else the bands of all; then the events."""
    if not output.terminal:
        for row in _curve_table(found) if found.curves else _band_table(found.steps):
            output.line("\t".join(row))
    elif found.curves:
        print_curves(output, found)
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
        yield [str(one.day), *map(str, one.bands.values()), str(one.archived), _average(one)]


def _curve_table(found: Forecast) -> Iterator[list[str]]:
    yield ["day", *(safe_line(one.id) for one in found.curves)]
    for at, step in enumerate(found.steps):
        yield [str(step.day), *(f"{one.values[at]:.2f}" for one in found.curves)]


def _average(step: Step) -> str:
    return "-" if step.average is None else f"{step.average:.2f}"


def _print_bands(output: Output, steps: Sequence[Step]) -> None:
    columns = [{**one.bands, "archived": one.archived} for one in steps]
    width, last = charts.room(output), len(columns) - 1
    spread = [columns[round(x * last / (width - 1))] for x in range(width)]
    scale = {0: f"{sum(columns[0].values()):,}"}
    rows = charts.stacked(spread, _STACK_ROWS, colour=output.colour)
    charts.print_drawing(output, rows, [one.day for one in steps], scale)


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
    _print_row(output, *(_average(one) for one in chosen), name="average")


def _print_row(output: Output, *figures: str, name: str = "") -> None:
    mark = charts.mark(name, colour=output.colour)
    cells = "".join(f"{one:>10}" for one in figures)
    output.line(mark, Styled(f" {name:<8}", "dim"), cells if name else Styled(cells, "dim"))
