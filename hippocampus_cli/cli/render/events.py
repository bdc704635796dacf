"""The moves of a forecast: a line each, or one for several that do the same on the same day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from hippocampus_cli.cli.render.columns import columns_of, count, fit
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.cli.render.safe import safe_line
from hippocampus_cli.cli.render.strength import BAND_STYLES
from hippocampus_cli.curation.forecasting import Event

_TOGETHER = 4  # so many moves of one kind on one day are told in one line
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
        for row in (_HEADS, *map(_values, events[:limit])):
            output.line("\t".join(row))
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
    used = sum(len(part.text if isinstance(part, Styled) else part) for part in parts)
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
