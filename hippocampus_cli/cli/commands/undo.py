"""``hippo undo``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import NUMBER, SHARED, argument, takes
from hippocampus_cli.cli.render import Output, Styled, safe_line

if TYPE_CHECKING:
    from hippocampus_cli.api import Undone


@takes(
    argument("number", "NUMBER", "A cycle's number in hippo history.", required=False, kind=NUMBER),
    *SHARED,
)
def command(session: CommandContext, number: int | None) -> None:
    """Undo the last cycle, or one by its number.

    Where the index was edited since, the entries go back to what they were and the later edits stay. What
    was undone is not done again by itself; the number of its undo does it again. Where a restore or a repair of
    a lost index is undone, the index is as damaged as before, and hippo restore --index brings it back again.
    A change of beliefs is undone as a cycle is; the episodes behind it stay. What tag, pin, add, remember and adopt
    did is no cycle: take it back with tag --remove, unpin, or in the file.

    Examples:
      hippo undo
      hippo undo 12
    """
    with session.open_as_is() as opened:
        undone = opened.upkeep.undo(number, now=session.now)
    if session.output.as_json:
        session.output.json(
            {
                "number": undone.number,
                "undoes": undone.record.number,
                "cycle": undone.record.cycle,
                "at": undone.record.at,
                "exact": undone.exact,
                "archived": list(undone.kept),
                "gone": list(undone.gone),
            }
        )
    else:
        _print(session.output, undone)


def _print(output: Output, undone: Undone) -> None:
    cycle = undone.origin
    name, side = f"{cycle.cycle} {cycle.number}", "after" if undone.again else "before"
    output.line(
        Styled(f"redone: {name}" if undone.again else f"undone: {name}", "bold"),
        Styled(f"  of {cycle.at:%Y-%m-%d %H:%M}", "dim"),
    )
    if undone.exact:
        output.line(f"every byte of the index is as it was {side} it")
    else:
        output.line(f"its entries are as they were {side} it; later edits stay")
    if undone.kept:
        said = "entries that its undo had added" if undone.again else "entries that it had added"
        output.line(Styled(f"{said} are in the archive: {_named(undone.kept)}", "dim"))
    if undone.gone:
        output.line(f"entries that it had brought back are lost again: {_named(undone.gone)}")
        output.line(Styled("restore them: hippo restore --index", "dim"))
    else:
        verb = "undo it" if undone.again else "redo it"
        output.line(Styled(f"{verb}: hippo undo {undone.number}", "dim"))


def _named(ids: tuple[str, ...]) -> str:
    more = f" and {len(ids) - 5:,} more" if len(ids) > 5 else ""
    return ", ".join(map(safe_line, ids[:5])) + more
