"""Options that many commands share, so that one word means one thing everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hippocampus_cli.cli import complete

Workspace = Annotated[
    Path | None,
    typer.Option(
        "--workspace",
        "-w",
        metavar="FOLDER",
        help="The agent's folder; by default found from here upwards.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
DryRun = Annotated[bool, typer.Option("--dry-run", "-n", help="Show the plan, change nothing.")]
EntryId = Annotated[
    str, typer.Argument(metavar="ID", help="An entry's id.", autocompletion=complete.entry_ids)
]
EntryIds = Annotated[
    list[str],
    typer.Argument(metavar="ID...", help="Entry ids.", autocompletion=complete.entry_ids),
]
Tags = Annotated[
    list[str] | None,
    typer.Option(
        "--tag", "-t", metavar="TAG", help="A tag; repeatable.", autocompletion=complete.tags
    ),
]
