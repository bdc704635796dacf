"""``hippo adopt``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, SHARED, flag, takes
from hippocampus_cli.cli.render import Output, Styled, safe_line

if TYPE_CHECKING:
    from hippocampus_cli.api import Adopted


@takes(
    flag(
        "--whole", "Also headings with pointers (→ path) and no metadata: an index of another hand."
    ),
    DRY_RUN,
    *SHARED,
)
def command(session: CommandContext, whole: bool, dry_run: bool) -> None:
    """Give the bare bullets of a minimal index metadata, in place.

    "- Deploy commands → TOOLS.md" is searchable as it stands; with an id and dates it can be counted,
    tagged and forgotten too. Nothing but the ends of those lines changes. With --whole a comment is
    written below the pointers of headings, too.

    Examples:
      hippo adopt --dry-run
      hippo adopt
      hippo adopt --whole
    """
    from hippocampus_cli.cli.render.output import document_of

    with session.open_as_is() as opened:
        adopted = opened.entries.adopt(whole=whole, dry_run=dry_run, now=session.now)
    if session.output.as_json:
        rows = [document_of(one) for one in adopted]
        session.output.json({"adopted": rows, "dry_run": dry_run})
    else:
        _print(session.output, adopted, whole, dry_run)


def _print(output: Output, adopted: list[Adopted], whole: bool, dry_run: bool) -> None:
    from hippocampus_cli.api.workspace import INDEX
    from hippocampus_cli.cli.render.layout import count

    for one in adopted:
        output.line(
            Styled(f"{INDEX}:{one.line}", "dim"),
            Styled(f"  {safe_line(one.id)}", "cyan"),
            f"  {safe_line(one.topic)} → {safe_line(one.pointer)}",
        )
    if not adopted:
        output.line("every bullet has its metadata: nothing to do")
    else:
        kind = ("entry", "entries") if whole else ("bullet", "bullets")
        verb = "would be adopted" if dry_run else "adopted"
        output.line(Styled(f"{count(len(adopted), *kind)} {verb}", "bold"))
