"""``hippo version``."""

from __future__ import annotations

import typer

from hippocampus_cli import __version__
from hippocampus_cli.cli import options
from hippocampus_cli.cli.context import begin


def command(ctx: typer.Context, as_json: options.Json = False) -> None:
    """Show the version of hippo, of Python and of the platform.

    Examples:
      hippo version
      hippo version --json
    """
    import platform

    output = begin(ctx, as_json=as_json).output
    python, system = platform.python_version(), platform.platform()
    if output.as_json:
        output.json({"hippo": __version__, "python": python, "platform": system})
    else:
        output.line(f"hippo {__version__} (Python {python}, {system})")
