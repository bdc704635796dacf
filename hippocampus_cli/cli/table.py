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
    Command("query", ASK, "Ask for something: the answer, its file and line, and a few others."),
    Command("show", ASK, "Show one entry: its values, and what its pointers lead to."),
    Command("list", ASK, "List entries: strength now, hits, id, topic, and where they lead."),
    Command("remember", KEEP, "Remember something: it goes into today's log and into the index."),
    Command("add", KEEP, "Write an entry by hand."),
    Command("pin", KEEP, "Keep entries from fading: priority amygdala."),
    Command("unpin", KEEP, "Let entries fade again: priority normal."),
    Command("tag", KEEP, "Add tags to an entry, remove some, or show them."),
    Command("adopt", KEEP, "Give the bare bullets of a minimal index metadata, in place."),
    Command(
        "context",
        KEEP,
        "Keep an agent's window lean: results fade by the turn, and can be fetched again.",
    ),
    Command("status", LOOK_AFTER, "Show how the index and the notes stand, and what is due."),
    Command(
        "check",
        LOOK_AFTER,
        "Check the index and its pointers; every finding as file:line: code message.",
    ),
    Command("config", SET_UP, "Show every setting, its value and where the value came from."),
    Command("version", SET_UP, "Show the version of hippo, of Python and of the platform."),
)
