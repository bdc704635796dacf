"""A forecast for a person to read: a drawing, its figures and the events; without a terminal tab-separated values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from hippocampus_cli.cli.render import charts
from hippocampus_cli.cli.render.layout import BAND_STYLES, columns_of, count, fit, print_tabs
from hippocampus_cli.cli.render.output import Output, Styled, text_of
from hippocampus_cli.entries.forecast import Event, Forecast, Step
from hippocampus_cli.markdown.safe import safe_line

_TOGETHER = 4  # so many moves of one kind on one day share a line
_ROWS = 20
_WIDE = 76  # columns from which there is room for more than date, move and id
_WIDEST_ID = 32
_TOPIC = 12  # columns below which a topic is left out
_MOVE = 19  # columns of "moderate → decaying"
_HEADS = ("at", "days", "before", "after", "strength", "id", "topic")


def print_events(
    output: Output, events: Sequence[Event], limit: int | None, *, together: bool
) -> None:
    """The soonest first, ``limit`` lines at most; on a terminal 20 unless it is given."""
    if not output.terminal:
        print_tabs(output, (_HEADS, *map(_values, events[:limit])))
        return
    groups = list(_groups(events, together))
    shown = groups[: limit or _ROWS]
    soon = max(len(_when(group[0].days)) for group in shown)
    for group in shown:
        _print_group(output, group, soon)
    left = sum(map(len, groups)) - sum(map(len, shown))
    if left:
        output.line(Styled(f"… and {left:,} more (--limit)", "dim"))


def _values(one: Event) -> tuple[str, ...]:
    figures = (str(one.days), one.before, one.after, f"{one.strength:.2f}")
    return (one.at.date().isoformat(), *figures, safe_line(one.id), safe_line(one.topic))


def _groups(events: Sequence[Event], together: bool) -> Iterator[list[Event]]:
    alike = sorted(events, key=_kind)
    for _, found in groupby(alike, key=_kind):
        group = list(found)
        if together and len(group) >= _TOGETHER:
            yield group
        else:
            yield from ([one] for one in group)


def _kind(one: Event) -> tuple[int, int, int]:
    order = [*BAND_STYLES, "archive"]
    return one.days, order.index(one.before), order.index(one.after)


def _print_group(output: Output, group: Sequence[Event], soon: int) -> None:
    one, wide = group[0], output.width >= _WIDE
    parts: list[str | Styled] = [one.at.date().isoformat(), "  "]
    parts += [Styled(f"{_when(one.days):<{soon}}  ", "dim")] if wide else []
    gap = " " * (_MOVE - len(f"{one.before} → {one.after}") + 2)
    parts += [Styled(one.before, _style(one.before)), Styled(" → ", "dim")]
    parts += [Styled(one.after, _style(one.after)), gap]
    used = len(text_of(parts))
    output.line(*parts, *_who(group, output.width - used, wide))


def _style(name: str) -> str:
    return BAND_STYLES.get(name, "")


def _who(group: Sequence[Event], room: int, wide: bool) -> list[str | Styled]:
    """The entry with its strength now and, where there is room, its topic; of several how many, and some."""
    if len(group) > 1:
        many = count(len(group), "entry", "entries")
        named = fit(f": {', '.join(one.id for one in group)}", room - len(many))
        return [many, Styled(named, "dim")]
    one = group[0]
    now = [f"{one.strength:.2f}  "] if wide else []
    room -= 6 if wide else 0
    identity = fit(one.id, min(_WIDEST_ID, room))
    left = room - columns_of(identity) - 2
    topic = [Styled(f"  {fit(one.topic, left)}", "dim")] if left >= _TOPIC else []
    return [*now, Styled(identity, "cyan"), *topic]


def _when(days: int) -> str:
    return {0: "today", 1: "tomorrow"}.get(days, f"in {days:,} days")


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
        print_tabs(output, _curve_table(found) if found.curves else _band_table(found.steps))
    elif found.curves:
        charts.print_curves(output, found)
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
