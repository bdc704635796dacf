"""``hippo undo``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import Session
from hippocampus_cli.cli.parameters import NUMBER, SHARED, argument, takes
from hippocampus_cli.cli.render import Output, Styled, safe_line

if TYPE_CHECKING:
    from hippocampus_cli.maintenance.undoing import Undone


@takes(
    argument("number", "NUMBER", "A cycle's number in hippo history.", required=False, kind=NUMBER),
    *SHARED,
)
def command(session: Session, number: int | None) -> None:
    """Take back the last cycle, or one by its number.

    Where the index was edited since, the entries go back to what they were and the later edits stay. What
    was taken back is not done again by itself. An undo can be undone by its number.

    Examples:
      hippo undo
      hippo undo 12
    """
    from hippocampus_cli.api import Workspace

    with Workspace(session.root(), session.config()) as opened:
        undone = opened.undo(number, now=session.now)
    if session.output.as_json:
        session.output.json(
            {
                "number": undone.number,
                "undoes": undone.record.number,
                "cycle": undone.record.cycle,
                "at": undone.record.at,
                "exact": undone.exact,
                "archived": list(undone.kept),
            }
        )
    else:
        _print(session.output, undone)


def _print(output: Output, undone: Undone) -> None:
    record = undone.record
    output.line(
        Styled(f"took back {record.cycle} {record.number}", "bold"),
        Styled(f"  of {record.at:%Y-%m-%d %H:%M}", "dim"),
    )
    if undone.exact:
        output.line("every byte is as it was before it")
    else:
        output.line("its entries are as they were before it; later edits stay")
    if undone.kept:
        names = ", ".join(map(safe_line, undone.kept[:5]))
        more = f" and {len(undone.kept) - 5:,} more" if len(undone.kept) > 5 else ""
        output.line(Styled(f"entries that it had added are in the archive: {names}{more}", "dim"))
    output.line(Styled(f"do it again after all: hippo undo {undone.number}", "dim"))
