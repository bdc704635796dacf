"""``hippo version``."""

from __future__ import annotations

from hippocampus_cli import __version__
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import JSON, takes


@takes(JSON)
def command(session: CommandContext) -> None:
    """Show the version of hippo, of Python and of the platform.

    Examples:
      hippo version
      hippo version --json
    """
    import platform

    output = session.output
    python, system = platform.python_version(), platform.platform()
    if output.as_json:
        output.json({"hippo": __version__, "python": python, "platform": system})
    else:
        output.line(f"hippo {__version__} (Python {python}, {system})")
