"""Options that `hippo bench` shares with the others, for typer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hippocampus_cli.cli.parameters import JSON, WORKSPACE

Workspace = Annotated[
    Path | None, typer.Option("--workspace", "-w", metavar="FOLDER", help=WORKSPACE.help)
]
Json = Annotated[bool, typer.Option("--json", help=JSON.help)]
