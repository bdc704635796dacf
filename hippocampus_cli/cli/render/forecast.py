"""A forecast as tables: figures by day, then the events; without a terminal as tab-separated values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hippocampus_cli.cli.render.layout import count, print_table, print_tabs
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.entries.forecast import Event, Forecast, Step
from hippocampus_cli.markdown.safe import safe_line

_PROGRAM_STEPS = 30
_SHOWN_STEPS = 6
_LISTED = 20
_HEADS = ("at", "days", "before", "after", "strength", "id", "topic")


def steps_for(output: Output) -> int:
    """How many steps from now on can be shown."""
    return _PROGRAM_STEPS if output.as_json else _SHOWN_STEPS


def print_forecast(output: Output, found: Forecast, limit: int | None) -> None:
    """The strengths of the entries that were named, else the bands of all; then the events, the soonest first."""
    heads = ["today", *(f"+{step.days}" for step in found.steps[1:])]
    if not output.terminal:
        print_tabs(output, _strengths(found) if found.curves else _bands(found.steps))
    elif found.curves:
        rows = [[safe_line(entry.id), *map(_figure, entry.values)] for entry in found.curves]
        print_table(output, ["entry", *heads], rows)
        output.line()
    elif found.entries:
        size = f", {count(found.entries, 'entry', 'entries')}"
        output.line(Styled(count(found.days, "day"), "bold"), f" to {found.steps[-1].day}{size}")
        output.line()
        _, *columns = zip(*_bands(found.steps), strict=True)
        print_table(output, ["strength", *heads], columns)
        output.line()
    if found.events:
        _print_events(output, found.events, limit)
    else:
        within = f"within {count(found.days, 'day')}"
        output.note(f"no event {within}" if found.entries else "the index holds no entries")


def _print_events(output: Output, events: Sequence[Event], limit: int | None) -> None:
    """``limit`` events at most; on a terminal 20 unless it is given."""
    if not output.terminal:
        output.line()
        print_tabs(output, (_HEADS, *map(_event, events[:limit])))
        return
    shown = events[: limit or _LISTED]
    rows = [
        (at, f"{days}", f"{before} → {after}", entry, topic)
        for at, days, before, after, _, entry, topic in map(_event, shown)
    ]
    print_table(output, ("at", "days", "falls", "id", "topic"), rows, texts=5)
    if len(events) > len(shown):
        output.line(Styled(f"… and {len(events) - len(shown):,} more (--limit)", "dim"))


def _event(event: Event) -> tuple[str, ...]:
    figures = (str(event.days), event.before, event.after, f"{event.strength:.2f}")
    return (event.at.date().isoformat(), *figures, safe_line(event.id), safe_line(event.topic))


def _bands(steps: Sequence[Step]) -> Iterator[list[str]]:
    yield ["day", *steps[0].bands, "archived", "average"]
    for step in steps:
        counts = map(str, (*step.bands.values(), step.archived))
        yield [str(step.day), *counts, _figure(step.average)]


def _strengths(found: Forecast) -> Iterator[list[str]]:
    """A row a day, a column an entry."""
    yield ["day", *(safe_line(entry.id) for entry in found.curves)]
    for number, step in enumerate(found.steps):
        yield [str(step.day), *(_figure(entry.values[number]) for entry in found.curves)]


def _figure(strength: float | None) -> str:
    return "-" if strength is None else f"{strength:.2f}"
