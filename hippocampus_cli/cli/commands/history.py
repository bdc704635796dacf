"""``hippo history``."""

from __future__ import annotations

from collections import Counter

from hippocampus_cli import api
from hippocampus_cli.cli.commands.maintain import print_actions
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import argument, option, takes
from hippocampus_cli.cli.output import Part, cyan, dim, row
from hippocampus_cli.errors import NothingToUndo


@takes(
    argument("number", "NUMBER", "Show this cycle in full."),
    option("--limit -n", "Cycles at most, the latest.", low=1),
)
def command(session: CommandContext, *, number: int | None, limit: int = 20) -> None:
    """List what the cycles did, or one of them in full.

    Examples:
      hippo history
      hippo history 12
    """
    output = session.output
    every = session.open().upkeep.history()
    undone = api.upkeep.undone_cycles(every)
    chosen = [record for record in every if number in (None, record.number)]
    if number is not None and not chosen:
        raise NothingToUndo(reason=f"there is no cycle {number}")
    shown = chosen[-limit:]
    names = "number cycle at undoes restorable forced" + " actions" * (number is not None)
    cycles = [
        row(
            record,
            names,
            undone=record.number in undone,
            counts=Counter(action.kind for action in record.actions),
            index=record.stats,
        )
        for record in shown
    ]
    output.json({"cycles": cycles})
    rows = [_row(record, record.number in undone) for record in reversed(shown)]
    output.table(rows, ("", "when", "cycle", "what it did"), cut=(3,))
    if not rows:
        output.line("no cycle has changed anything yet")
    if number is not None:
        print_actions(output, shown[0].actions, listed=1_000)


def _row(record: api.CycleRecord, undone: bool) -> list[Part]:
    name = f"{api.upkeep.name_of(record)}{', undone' if undone else ''}"
    when = dim(f"{record.at:%Y-%m-%d %H:%M}")
    return [cyan(f"{record.number}"), when, name, _summary(record)]


def _summary(record: api.CycleRecord) -> str:
    """The kinds in the order in which a plan shows them: 158 new strengths say less than one merge."""
    counts = Counter(action.kind for action in record.actions)
    kinds = [kind for kind in api.upkeep.ActionKind if kind != "list" and counts[kind]]
    return ", ".join(f"{counts[kind]:,} {kind.value}" for kind in kinds) or "lists only"
