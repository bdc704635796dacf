"""The commands: a name, the panel of the help it stands in, and one line about it.

A command's module, ``commands/<name>.py`` unless another is named, is imported when the command runs and not
before; the line here must be its docstring's first (a test compares them).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from hippocampus_cli.fast_types import NamedTuple

if TYPE_CHECKING:
    from hippocampus_cli.cli.options import Command, Group

EVERY_DAY = "Every day"
_LINES = {
    EVERY_DAY: {
        "bootstrap": "Create HIPPOCAMPUS.md from your notes, or add to it what is new.",
        "query": "Ask for something: the places that answer, with file, line and day.",
        "remember": "Remember something: it goes into today's log and into the index.",
        "brief": "Say what an agent should know at the start of a session.",
        "open": "Open a note in your editor: at an entry's place, or at a line.",
        "status": "Show how the index and the notes stand, and what is due.",
        "maintain": "Maintain the index: what is due, or one cycle.",
        "undo": "Undo the last cycle, or one by its number.",
        "check": "Check the index and its pointers; every finding as file:line: code message.",
        "install": "Put hippo into the agents that are here, into one of them, or its merge driver into git.",
    },
    "Ask": {
        "show": "Show one entry: its values, and what its pointers lead to.",
        "list": "List entries: strength now, hits, id, topic, and where they lead.",
        "anchors": "Anchors: words of your notes that lead straight to where they are spoken of.",
        "wrong": "Say that an answer was wrong: its hit is taken back, and what it taught.",
        "beliefs": "Show what is held true: since when, what was held before, what disputes it.",
    },
    "Keep": {
        "mind": "Episodes and beliefs: what happened, and what is held true, since when, on whose word.",
        "add": "Write an entry by hand.",
        "curate": "Show what needs a judgement, and take the answers.",
        "tag": "Add tags to an entry, remove some, or change its priority.",
        "restore": "Restore archived or queued entries, or a lost index from a snapshot.",
        "forget": "Forget a text, a note or a session: out of all that hippo keeps.",
        "export": "Write the whole memory into one file: notes, index, archive, episodes, beliefs.",
        "import": "Import a memory, hippo's or another program's: what is here is never overwritten.",
    },
    "Sessions": {
        "compact": "Compact a session: what still matters in full, the rest as pointers.",
        "fetch": "Get back the full original of a pointer in a summary.",
        "sessions": "Search the sessions that agents recorded.",
        "context": "Keep an agent's window lean: results fade by the turn, and can be fetched again.",
    },
    "Look after": {
        "ci": "Check a shared memory before a merge: dead pointers, secrets, open conflicts, an old index.",
        "history": "List what the cycles did, or one of them in full.",
        "report": "Show how healthy the index is: strength, queries answered, growth.",
        "watch": "Keep the index up to date with the notes while you work.",
        "schedule": "Let upkeep run by itself: cron, systemd or launchd does what is due, each day.",
    },
    "Set up": {
        "config": "Show every setting, its value and where the value came from.",
        "embed": "Turn the notes into vectors, so that questions find what means the same in other words.",
        "mcp": "Serve the memory to an agent by the Model Context Protocol, over standard input and output.",
        "merge": "Merge two branches of an index file or a daily log; what `hippo install git` has git call.",
        "hook": "Answer a hook of an agent; what `hippo install` arranges.",
    },
}
PANELS = tuple(_LINES)
_HOMES = {"beliefs": "mind", "import": "export"}
"""The modules of commands that share one; there each is called ``<name>_command``."""
_HIDDEN = ("merge", "hook")
"""What other programs call."""


class CommandRow(NamedTuple):
    """One command of the table."""

    name: str
    panel: str
    help: str


COMMANDS = tuple(
    CommandRow(name, panel, line) for panel, lines in _LINES.items() for name, line in lines.items()
)
LISTED = [row for row in COMMANDS if row.name not in _HIDDEN]
"""Those that help and completion name."""


def load(name: str) -> Command | Group:
    """What the module of a command declares."""
    home = _HOMES.get(name)
    module = import_module(f"hippocampus_cli.cli.commands.{home or name}")
    loaded: Command | Group = getattr(module, f"{name}_command" if home else "command")
    return loaded


ALIASES = {
    "search": ("query",),
    "init": ("bootstrap",),
    "daily": ("maintain", "--daily"),
    "weekly": ("maintain", "--weekly"),
    "monthly": ("maintain", "--monthly"),
    "uninstall": ("install", "--remove"),
    "schedule show": ("schedule",),
    "sessions search": ("sessions",),
    "why": ("beliefs", "--why"),
    "context show": ("context", "list"),
}
"""Other names of commands, and what they stand for."""

REMOVED = {
    "adopt": "hippo check --fix",
    "anchors status": "hippo anchors build --check",
    "anchors update": "hippo anchors lookup, which reads changed notes first",
    "bench": "python -m bench workspace FOLDER, in a checkout",
    "context begin": "hippo context add, which begins a session",
    "context link": "hippo context add FILE --link ID; in Python context.link()",
    "context pin": "hippo context add FILE --priority critical; in Python context.pin()",
    "context touch": "hippo context get ID",
    "context turn": "hippo context list --turn 1",
    "forecast": "hippo report",
    "mind archive": "hippo maintain, which archives what has faded",
    "mind audit": "hippo status",
    "mind redact": "hippo forget TEXT",
    "mind restore": "hippo mind settle ID",
    "mind retract": "hippo mind settle ID --retract",
    "mind review": "hippo curate",
    "mind verify": "hippo check",
    "mind why-refused": "hippo mind log --refused",
    "models": "hippo embed --list, --install or --remove",
    "pin": "hippo tag ID --pri amygdala",
    "related": "hippo show ID, which lists relations; hippo list --path NOTE; hippo query WORDS",
    "replay": "hippo maintain --replay",
    "score": "hippo compact SESSION --explain, which scores the messages of a session",
    "unpin": "hippo tag ID --pri normal",
    "version": "hippo --version",
}
"""Commands of the version before this one, and what to use."""
