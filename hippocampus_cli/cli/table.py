"""The commands: a name, the panel of the help it stands in, and one line about it.

A command's module, ``commands/<name>.py`` with ``-`` as ``_``, is imported when the command runs and not
before; the line here must be its docstring's first (a test compares them).
"""

from __future__ import annotations

from typing import NamedTuple

SET_UP = "Set up"
ASK = "Ask"
KEEP = "Keep"
LOOK_AFTER = "Look after"
PANELS = (SET_UP, ASK, KEEP, LOOK_AFTER)


class Command(NamedTuple):
    """One command of the table."""

    name: str
    panel: str
    help: str

    @property
    def module(self) -> str:
        """The module that holds ``command``, a function, or ``app``, a Typer with a callback."""
        return f"hippocampus_cli.cli.commands.{self.name.replace('-', '_')}"


COMMANDS = (
    Command(
        "bootstrap", SET_UP, "Draw up HIPPOCAMPUS.md from your notes, or add to it what is new."
    ),
    Command("config", SET_UP, "Show every setting, its value and where the value came from."),
    Command("version", SET_UP, "Show the version of hippo, of Python and of the platform."),
)
