"""``hippo history``."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import argument, option, takes
from hippocampus_cli.cli.output import Output, Styled, cyan, dim, yellow
from hippocampus_cli.errors import NothingToUndo

if TYPE_CHECKING:
    from hippocampus_cli.api import CycleRecord


@takes(
    argument("number", "NUMBER", "Show this cycle in full."),
    option("--limit -n", "Cycles at most, the latest.", metavar="N"),
)
def command(session: CommandContext, *, number: int | None, limit: int = 20) -> None:
    """List what the cycles did, or one of them in full.

    Examples:
      hippo history
      hippo history 12
    """
    from hippocampus_cli.api.upkeep import name_of, undone_cycles

    output = session.output
    with session.open_as_is() as opened:
        every = opened.upkeep.history()
    undone = undone_cycles(every)
    found = every if number is None else [one for one in every if one.number == number]
    if number is not None and not found:
        raise NothingToUndo(reason=f"there is no cycle {number}")
    shown = found[-max(1, limit) :]
    if output.as_json:
        cycles = [_document(one, undone, full=number is not None) for one in shown]
        output.json({"cycles": cycles})
        return
    for one in reversed(shown):
        _print_line(output, one, name_of(every, one), one.number in undone)
    if not shown:
        output.line("no cycle has changed anything yet")
    elif number is not None:
        _print_actions(output, shown[0])
    elif len(found) > len(shown):
        output.line(dim(f"… and {len(found) - len(shown):,} before them (--limit)"))


def _document(record: CycleRecord, undone: set[int], *, full: bool) -> dict[str, object]:
    return {
        "number": record.number,
        "cycle": record.cycle,
        "at": record.at,
        "undoes": record.undoes,
        "undone": record.number in undone,
        "restorable": record.restorable,
        "forced": record.forced,
        "counts": Counter(one.kind for one in record.actions),
        "index": record.stats,
        **({"actions": record.actions} if full else {}),
    }


def _print_line(output: Output, record: CycleRecord, name: str, is_undone: bool) -> None:
    style = "dim" if is_undone else ""
    output.beside(
        cyan(f"{record.number:>5}"),
        dim(f"  {record.at:%Y-%m-%d %H:%M}  "),
        Styled(f"{name:<12}", style or "bold"),
        Styled(_summary(record), style),
        yellow("  undone") if is_undone else "",
    )


def _summary(record: CycleRecord) -> str:
    """The kinds in the order in which a plan shows them: 158 new strengths say less than one merge."""
    from hippocampus_cli.api.upkeep import ActionKind

    counts = Counter(one.kind for one in record.actions)
    del counts[ActionKind.LIST]
    said = (f"{counts[kind]:,} {kind.value}" for kind in ActionKind if counts[kind])
    return ", ".join(said) or "lists only"


def _print_actions(output: Output, record: CycleRecord) -> None:
    from hippocampus_cli.cli.commands.maintain import print_actions

    print_actions(output, record.actions, listed=1_000)
    if not record.restorable:
        output.line(dim("its files are not kept any more: it cannot be undone"))
