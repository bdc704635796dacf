"""``hippo undo``."""

from __future__ import annotations

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import argument, takes
from hippocampus_cli.cli.output import bold, dim, named, row


@takes(argument("number", "NUMBER", "A cycle's number in hippo history."))
def command(session: CommandContext, *, number: int | None) -> None:
    """Undo the last cycle, or one by its number.

    Where the index was edited since, the entries go back to what they were and the later edits stay. What
    was undone is not done again by itself; the number of its undo does it again. Entries that it had added
    go to the archive. A change of beliefs is undone as a cycle is; the episodes behind it stay. What tag, add
    and remember did is no cycle: take it back with tag, in the file, and a memory with forget TEXT --notes.

    Examples:
      hippo undo
      hippo undo 12
    """
    undone = session.open().upkeep.undo(number)
    output, record = session.output, undone.record
    output.json(
        row(undone, "number exact")
        | row(record, "cycle at", undoes=record.number, archived=undone.kept)
    )
    output.line(
        bold(f"undone: {record.cycle} {record.number}"), dim(f"  of {record.at:%Y-%m-%d %H:%M}")
    )
    if undone.exact:
        output.line("every byte that it changed is as it was before it")
    else:
        output.line("its entries are as they were before it; later edits stay")
    if undone.kept:
        output.line(dim("entries that it had added are in the archive: "), named(undone.kept, 5))
    output.line(dim(f"redo it: hippo undo {undone.number}"))
