"""Entries, one line each: columns on a terminal, tab-separated values elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from hippocampus_cli.cli.render.columns import columns_of, padded
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.cli.render.safe import safe_line
from hippocampus_cli.cli.render.strength import BAND_STYLES, strength_bar
from hippocampus_cli.curation.state import EntryState

_MEASURES = 18  # columns of the bar, the strength and the hits, blanks included
_WIDEST_ID = 32
_ONE_COLUMN, _TWO_COLUMNS = 12, 36  # beside the id


def print_entries(output: Output, states: Sequence[EntryState]) -> None:
    """A line an entry: strength, hits, id, topic, first pointer, and whether it is stale."""
    if not output.terminal:
        for one in states:
            output.line("\t".join(_values(one)))
        return
    widths = _widths(output.width, states)
    heads = zip(("id", "topic", "leads to"), widths, strict=True)
    named = "  ".join(padded(head, width) for head, width in heads if width)
    output.line(Styled(f"{'strength':<12}{'hits':>4}  {named}".rstrip(), "dim"))
    for one in states:
        _print_row(output, one, widths)


def _values(one: EntryState) -> list[str]:
    pointer = one.pointers[0] if one.pointers else ""
    texts = (one.id, one.topic, pointer)
    stale = ["stale"] if one.stale else []
    return [f"{one.strength:.2f}", str(one.hits), *map(safe_line, texts), *stale]


def _print_row(output: Output, one: EntryState, widths: tuple[int, int, int]) -> None:
    style = BAND_STYLES.get(one.band, "")
    identity, topic, pointer = widths
    leads = Styled(f"  {padded(_leads(one), pointer)}".rstrip(), "yellow" if one.stale else "dim")
    output.line(
        Styled(strength_bar(one.strength), style),
        Styled(f" {one.strength:.2f}", style),
        f" {_short(one.hits):>5}  ",
        Styled(padded(one.id, identity), "cyan"),
        *([f"  {padded(one.topic, topic)}"] if topic else []),
        *([leads] if pointer else []),
    )


def _short(hits: int) -> str:
    """A number that fits its column: 123456 as 123k."""
    return str(hits) if hits < 100_000 else f"{min(hits // 1_000, 9_999)}k"


def _leads(one: EntryState) -> str:
    """The first pointer, how many more there are, and before them whether one is gone."""
    more = f" +{len(one.pointers) - 1}" if len(one.pointers) > 1 else ""
    stale = "stale: " if one.stale else ""
    return stale + (one.pointers[0] if one.pointers else "nowhere") + more


def _widths(width: int, states: Sequence[EntryState]) -> tuple[int, int, int]:
    """The columns of id, topic and pointer, shared out so that lines do not wrap; 0: no room for it.

    An id is what a person types next, so it is cut last; it mostly says what the topic says.
    """
    ids = max((columns_of(one.id) for one in states), default=2)
    identity = max(2, min(ids, _WIDEST_ID, width - _MEASURES))
    left = width - _MEASURES - identity - 2
    if left < _TWO_COLUMNS:
        return identity, 0, left if left >= _ONE_COLUMN else 0
    topic = max((columns_of(one.topic) for one in states), default=5)
    pointer = max((columns_of(_leads(one)) for one in states), default=8)
    pointer = max(8, min(pointer, max(left - 2 - topic, (left - 2) * 2 // 5)))
    return identity, max(5, min(topic, left - 2 - pointer)), pointer
