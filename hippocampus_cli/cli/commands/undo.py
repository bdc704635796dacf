"""``hippo undo``."""

from __future__ import annotations

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import argument, takes
from hippocampus_cli.cli.output import bold, dim, named, row

_NAMED = 5


@takes(argument("number", "NUMBER", "A cycle's number in hippo history."))
def command(session: CommandContext, *, number: int | None) -> None:
    """Undo the last cycle, or one by its number.

    Where the index was edited since, the entries go back to what they were and the later edits stay. What
    was undone is not done again by itself; the number of its undo does it again. Where a restore of a lost
    index is undone, the index is as damaged as before, and hippo restore --index brings it back again.
    A change of beliefs is undone as a cycle is; the episodes behind it stay. What tag, add and remember
    did is no cycle: take it back with tag, or in the file.

    Examples:
      hippo undo
      hippo undo 12
    """
    with session.open_as_is() as opened:
        undone = opened.upkeep.undo(number)
    output, record = session.output, undone.record
    if output.as_json:
        known = row(record, "cycle at", undoes=record.number, archived=undone.kept)
        output.json(row(undone, "number exact gone", **known))
    cycle, again = undone.origin, undone.again
    verb, side, back = ("redone", "after", "undo") if again else ("undone", "before", "redo")
    output.line(
        bold(f"{verb}: {cycle.cycle} {cycle.number}"), dim(f"  of {cycle.at:%Y-%m-%d %H:%M}")
    )
    if undone.exact:
        output.line(f"every byte of the index is as it was {side} it")
    else:
        output.line(f"its entries are as they were {side} it; later edits stay")
    if undone.kept:
        added = "entries that its undo had added" if again else "entries that it had added"
        output.line(dim(f"{added} are in the archive: {named(undone.kept, _NAMED)}"))
    if undone.gone:
        gone = named(undone.gone, _NAMED)
        output.line(f"entries that it had brought back are lost again: {gone}")
        output.line(dim("restore them: hippo restore --index"))
    else:
        output.line(dim(f"{back} it: hippo undo {undone.number}"))
