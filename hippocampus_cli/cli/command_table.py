"""The commands: a name, the panel of the help it stands in, and one line about it.

A command's module, ``commands/<name>.py`` unless another is named, is imported when the command runs and not
before; the line here must be its docstring's first (a test compares them).
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from hippocampus_cli.errors import UsageError
from hippocampus_cli.fast_types import NamedTuple

EVERY_DAY = "Every day"
ASK = "Ask"
KEEP = "Keep"
SESSIONS = "Sessions"
LOOK_AFTER = "Look after"
SET_UP = "Set up"
PANELS = (EVERY_DAY, ASK, KEEP, SESSIONS, LOOK_AFTER, SET_UP)


class Command(NamedTuple):
    """One command of the table; ``file`` is the module that it shares with another command, ``hidden`` what other
    programs call."""

    name: str
    panel: str
    help: str
    file: str = ""
    hidden: bool = False

    @property
    def module(self) -> str:
        """The module that holds it: as ``command``, or by its name where it is the module of another."""
        return f"hippocampus_cli.cli.commands.{self.file or self.name.replace('-', '_')}"

    def loaded(self) -> Any:
        """What is declared there: a command or a group of :mod:`hippocampus_cli.cli.options`, or a Typer."""
        module = import_module(self.module)
        return getattr(module, self.name if self.file else "command")


COMMANDS = (
    Command(
        "bootstrap",
        EVERY_DAY,
        "Create HIPPOCAMPUS.md from your notes, or add to it what is new.",
    ),
    Command(
        "query",
        EVERY_DAY,
        "Ask for something: the places that answer, with file, line and day.",
    ),
    Command(
        "remember",
        EVERY_DAY,
        "Remember something: it goes into today's log and into the index.",
    ),
    Command("brief", EVERY_DAY, "Say what an agent should know at the start of a session."),
    Command("open", EVERY_DAY, "Open a note in your editor: at an entry's place, or at a line."),
    Command("status", EVERY_DAY, "Show how the index and the notes stand, and what is due."),
    Command("maintain", EVERY_DAY, "Maintain the index: what is due, or one cycle."),
    Command("undo", EVERY_DAY, "Undo the last cycle, or one by its number."),
    Command(
        "check",
        EVERY_DAY,
        "Check the index and its pointers; every finding as file:line: code message.",
    ),
    Command(
        "install",
        EVERY_DAY,
        "Put hippo into the agents that are here, into one of them, or its merge driver into git.",
    ),
    Command("show", ASK, "Show one entry: its values, and what its pointers lead to."),
    Command("list", ASK, "List entries: strength now, hits, id, topic, and where they lead."),
    Command("related", ASK, "Show what is related to an entry, a note or words, and why."),
    Command(
        "anchors",
        ASK,
        "Anchors: words of your notes that lead straight to where they are spoken of.",
    ),
    Command(
        "beliefs",
        ASK,
        "Show what is held true: since when, what was held before, what disputes it.",
        "mind",
    ),
    Command(
        "why",
        ASK,
        "Show why a belief is held: who said what, when, in which session, and where that is written.",
        "mind",
    ),
    Command(
        "mind",
        KEEP,
        "Episodes and beliefs: what happened, and what is held true, since when, on whose word.",
    ),
    Command("add", KEEP, "Write an entry by hand."),
    Command("tag", KEEP, "Add tags to an entry, remove some, or change its priority."),
    Command(
        "restore", KEEP, "Restore archived or queued entries, or a lost index from a snapshot."
    ),
    Command(
        "forget",
        KEEP,
        "Forget a text, a note, a session or some days: out of all that hippo keeps.",
    ),
    Command(
        "export",
        KEEP,
        "Write the whole memory into one file: notes, index, archive, episodes, beliefs.",
        "export",
    ),
    Command(
        "import",
        KEEP,
        "Import a package: what is not here is added, what is here is never overwritten.",
        "export",
    ),
    Command(
        "compact", SESSIONS, "Compact a session: what still matters in full, the rest as pointers."
    ),
    Command("fetch", SESSIONS, "Get back the full original of a pointer in a summary."),
    Command("sessions", SESSIONS, "Search the sessions that agents recorded."),
    Command(
        "context",
        SESSIONS,
        "Keep an agent's window lean: results fade by the turn, and can be fetched again.",
    ),
    Command("history", LOOK_AFTER, "List what the cycles did, or one of them in full."),
    Command(
        "report",
        LOOK_AFTER,
        "Show how healthy the index is: strength now and later, queries answered, growth, what to do.",
    ),
    Command(
        "forecast",
        LOOK_AFTER,
        "Forecast which entries fade below which bound when, if nobody asks for them.",
    ),
    Command("watch", LOOK_AFTER, "Keep the index up to date with the notes while you work."),
    Command(
        "schedule",
        LOOK_AFTER,
        "Let upkeep run by itself: cron, systemd or launchd does what is due, each day.",
    ),
    Command("config", SET_UP, "Show every setting, its value and where the value came from."),
    Command(
        "embed",
        SET_UP,
        "Turn the notes into vectors, so that questions find what means the same in other words.",
    ),
    Command(
        "mcp",
        SET_UP,
        "Serve the memory to an agent by the Model Context Protocol, over standard input and output.",
    ),
    Command(
        "uninstall",
        SET_UP,
        "Take hippo out of the agents that are here, or of one, or of git again, and nothing else.",
        "install",
    ),
    Command(
        "merge",
        SET_UP,
        "Merge two branches of an index file or a daily log; what `hippo install git` has git call.",
        hidden=True,
    ),
    Command(
        "hook",
        SET_UP,
        "Answer a hook of an agent; what `hippo install` arranges.",
        hidden=True,
    ),
)

ALIASES = {
    "search": ("query",),
    "init": ("bootstrap",),
    "daily": ("maintain", "--daily"),
    "weekly": ("maintain", "--weekly"),
    "monthly": ("maintain", "--monthly"),
}
"""Other names of commands, and what they stand for."""

REMOVED = {
    "adopt": "hippo check --fix",
    "anchors status": "hippo anchors build --check",
    "anchors update": "hippo anchors lookup, which reads changed notes first",
    "bench": "python -m bench workspace FOLDER, in a checkout",
    "models": "hippo embed --list, --install or --remove",
    "pin": "hippo tag ID --pri amygdala",
    "replay": "hippo maintain --replay",
    "score": "hippo compact --score FILE",
    "unpin": "hippo tag ID --pri normal",
    "version": "hippo --version",
}
"""Commands of the version before this one, and what to use."""

_TAKES_A_VALUE = ("--workspace", "-w")


def meant(args: Sequence[str]) -> list[str]:
    """The words behind ``hippo`` with an alias written out.

    Raises :class:`UsageError` for a command that was removed, with what to use.
    """
    place = _place_of_command(args)
    name = args[place] if place < len(args) else ""
    for words in (name, " ".join(args[place : place + 2])):
        if words in REMOVED:
            raise UsageError(
                reason=f"`hippo {words}` was removed in 0.2", advice=f"use {REMOVED[words]}"
            )
    return [*args[:place], *ALIASES.get(name, (name,)), *args[place + 1 :]] if name else list(args)


def _place_of_command(args: Sequence[str]) -> int:
    """Where the command's name stands: behind the options that every command has."""
    place = 0
    while place < len(args) and args[place].startswith("-"):
        place += 2 if args[place] in _TAKES_A_VALUE else 1
    return place
