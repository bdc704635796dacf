"""``hippo check``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from hippocampus_cli.cli import options
from hippocampus_cli.cli.context import begin
from hippocampus_cli.cli.render import Output, Styled, safe_line

if TYPE_CHECKING:
    from hippocampus_cli.curation.checking import Checked

_STYLES = {"error": "bold red", "warning": "yellow"}


def command(
    ctx: typer.Context, workspace: options.Workspace = None, as_json: options.Json = False
) -> int:
    """Check the index and its pointers; every finding as file:line: code message.

    Nothing is changed. Exit code 1: there are errors, which hippo cannot use or must not touch. Warnings
    are read in the obvious way.

    Examples:
      hippo check
      hippo check --json
    """
    from hippocampus_cli.api import Workspace
    from hippocampus_cli.cli.render.documents import document_of
    from hippocampus_cli.workspace.own_files import INDEX

    session = begin(ctx, workspace=workspace, as_json=as_json)
    with Workspace(session.root(), session.config()) as opened:
        checked = opened.check(now=session.now)
    if session.output.as_json:
        counts = {"errors": checked.errors, "warnings": checked.warnings}
        session.output.json({"path": INDEX, **document_of(checked, **counts)})
    else:
        _print(session.output, checked)
    return 1 if checked.errors else 0


def _print(output: Output, checked: Checked) -> None:
    from hippocampus_cli.cli.render.columns import count

    for one in checked.diagnostics:
        style = _STYLES[one.severity.value]
        output.line(
            f"{safe_line(one.path)}:{one.line}: ",
            Styled(one.code, style),
            f" {safe_line(one.message)}",
        )
    size = f"{count(checked.entries, 'entry', 'entries')}, {count(checked.pointers, 'pointer')}"
    if not checked.diagnostics:
        output.line(Styled("all is well", "bold green"), f": {size}")
        return
    found = f"{count(checked.errors, 'error')}, {count(checked.warnings, 'warning')}"
    output.line(Styled(found, "bold"), f" in {size}")
