"""What the commands of ``hippo bench`` share: their options, and how findings are shown and saved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hippocampus_cli.cli.context import Session
from hippocampus_cli.cli.render import safe_line

if TYPE_CHECKING:
    from hippocampus_cli.benchmarks.sheet import Findings

Csv = Annotated[
    Path | None,
    typer.Option("--csv", metavar="FILE", help="Also write a table.", show_default=False),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE.svg",
        help="Also draw a chart (the extra `report`).",
        show_default=False,
    ),
]


def deliver(session: Session, found: Findings, csv: Path | None, plot: Path | None) -> None:
    """Save what was asked for, then print the tables, or the document."""
    from hippocampus_cli.benchmarks.saving import save
    from hippocampus_cli.cli.render.sheets import print_notes, print_sheet

    written = save(found, csv, plot)
    output = session.output
    if output.as_json:
        output.json(found.document)
        return
    for sheet in found.sheets:
        print_sheet(output, sheet)
        output.line()
    print_notes(output, found.notes)
    for path in written:
        output.line(f"wrote {safe_line(str(path))}")
