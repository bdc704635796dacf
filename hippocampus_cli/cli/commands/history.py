"""``hippo history``."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import NUMBER, SHARED, argument, option, takes
from hippocampus_cli.cli.render import Output, Styled
from hippocampus_cli.cli.render.layout import print_beside
from hippocampus_cli.errors import NothingToUndo

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hippocampus_cli.api import CycleRecord


@takes(
    argument("number", "NUMBER", "Show this cycle in full.", required=False, kind=NUMBER),
    option("--limit -n", "Cycles at most, the latest.", metavar="N", kind=NUMBER, default=20),
    *SHARED,
)
def command(session: CommandContext, number: int | None, limit: int) -> None:
    """List what the cycles did, or one of them in full.

    Examples:
      hippo history
      hippo history 12
    """
    from hippocampus_cli.api.upkeep import name_of, undone_cycles

    with session.open_as_is() as opened:
        found = opened.upkeep.history()
    undone, every = undone_cycles(found), found
    if number is not None:
        found = [one for one in found if one.number == number]
        if not found:
            raise NothingToUndo(reason=f"there is no cycle {number}")
    shown = found[-max(1, limit) :]
    names = {one.number: name_of(every, one) for one in shown}
    if session.output.as_json:
        full = number is not None
        session.output.json({"cycles": [_document(one, undone, full) for one in shown]})
    elif number is not None:
        _print_one(session.output, shown[0], names, undone)
    else:
        _print(session.output, shown, names, undone, len(found) - len(shown))


def _document(record: CycleRecord, undone: set[int], full: bool) -> dict[str, object]:
    counts = Counter(one.kind.value for one in record.actions)
    more = {"actions": [one._asdict() for one in record.actions]} if full else {}
    return {
        "number": record.number,
        "cycle": record.cycle,
        "at": record.at,
        "undoes": record.undoes,
        "undone": record.number in undone,
        "restorable": record.restorable,
        "forced": record.forced,
        "counts": dict(counts),
        "index": dict(record.stats),
        **more,
    }


def _print(
    output: Output,
    shown: Sequence[CycleRecord],
    names: Mapping[int, str],
    undone: set[int],
    older: int,
) -> None:
    if not shown:
        output.line("no cycle has changed anything yet")
        return
    for one in reversed(shown):
        print_beside(output, *_row(one, names[one.number], undone))
    if older:
        output.line(Styled(f"… and {older:,} before them (--limit)", "dim"))


def _row(one: CycleRecord, name: str, undone: set[int]) -> list[str | Styled]:
    style = "dim" if one.number in undone else ""
    return [
        Styled(f"{one.number:>5}", "cyan"),
        Styled(f"  {one.at:%Y-%m-%d %H:%M}  ", "dim"),
        Styled(f"{name:<12}", style or "bold"),
        Styled(_summary(one), style),
        Styled("  undone", "yellow") if one.number in undone else "",
    ]


def _summary(record: CycleRecord) -> str:
    """The kinds in the order in which a plan shows them: 158 new strengths say less than one merge."""
    from hippocampus_cli.api.upkeep import ActionKind

    counts = Counter(one.kind for one in record.actions)
    del counts[ActionKind.LIST]
    said = (f"{counts[kind]:,} {kind.value}" for kind in ActionKind if counts[kind])
    return ", ".join(said) or "lists only"


def _print_one(
    output: Output, one: CycleRecord, names: Mapping[int, str], undone: set[int]
) -> None:
    from hippocampus_cli.cli.render.cycle import print_actions

    print_beside(output, *_row(one, names[one.number], undone))
    print_actions(output, one.actions, listed=1_000)
    if not one.restorable:
        output.line(Styled("its files are not kept any more: it cannot be undone", "dim"))
