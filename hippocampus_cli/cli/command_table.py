"""The commands: a name, the panel of the help it stands in, and one line about it.

A command's module, ``commands/<name>.py`` unless another is named, is imported when the command runs and not
before; the line here must be its docstring's first (a test compares them).
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from hippocampus_cli.fast_types import NamedTuple

SET_UP = "Set up"
ASK = "Ask"
KEEP = "Keep"
SESSIONS = "Sessions"
AGENTS = "Agents"
LOOK_AFTER = "Look after"
PANELS = (SET_UP, ASK, KEEP, SESSIONS, AGENTS, LOOK_AFTER)


class Command(NamedTuple):
    """One command of the table; ``file`` is the module that it shares with another command."""

    name: str
    panel: str
    help: str
    file: str = ""

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
        "bootstrap", SET_UP, "Create HIPPOCAMPUS.md from your notes, or add to it what is new."
    ),
    Command("query", ASK, "Ask for something: the answer, its file and line, and a few others."),
    Command("brief", ASK, "Say what an agent should know at the start of a session."),
    Command("show", ASK, "Show one entry: its values, and what its pointers lead to."),
    Command("related", ASK, "Show what is related to an entry, a note or words, and why."),
    Command("list", ASK, "List entries: strength now, hits, id, topic, and where they lead."),
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
    Command("remember", KEEP, "Remember something: it goes into today's log and into the index."),
    Command(
        "mind",
        KEEP,
        "Episodes and beliefs: what happened, and what is held true, since when, on whose word.",
    ),
    Command("add", KEEP, "Write an entry by hand."),
    Command("pin", KEEP, "Keep entries from fading: priority amygdala."),
    Command("unpin", KEEP, "Let entries fade again: priority normal.", "pin"),
    Command("tag", KEEP, "Add tags to an entry, remove some, or show them."),
    Command("adopt", KEEP, "Give the bare bullets of a minimal index metadata, in place."),
    Command(
        "compact", SESSIONS, "Compact a session: what still matters in full, the rest as pointers."
    ),
    Command("fetch", SESSIONS, "Get back the full original of a pointer in a summary."),
    Command(
        "sessions",
        SESSIONS,
        "Search the sessions that agents recorded.",
    ),
    Command("score", SESSIONS, "Score the blocks of a daily log, into FILE.scores.json."),
    Command(
        "context",
        SESSIONS,
        "Keep an agent's window lean: results fade by the turn, and can be fetched again.",
    ),
    Command(
        "mcp",
        AGENTS,
        "Serve the memory to an agent by the Model Context Protocol, over standard input and output.",
    ),
    Command(
        "install",
        AGENTS,
        "Put hippo into the agents that are here, into one of them, or its merge driver into git.",
    ),
    Command(
        "uninstall",
        AGENTS,
        "Take hippo out of the agents that are here, or of one, or of git again, and nothing else.",
        "install",
    ),
    Command(
        "merge",
        AGENTS,
        "Merge two branches of an index file or a daily log; what `hippo install git` has git call.",
    ),
    Command("hook", AGENTS, "Answer a hook of an agent; what `hippo install` arranges."),
    Command("status", LOOK_AFTER, "Show how the index and the notes stand, and what is due."),
    Command("maintain", LOOK_AFTER, "Maintain the index: what is due, or one cycle."),
    Command(
        "daily",
        LOOK_AFTER,
        "Strengths, new notes, the Decay Queue: `maintain --daily`.",
        "maintain",
    ),
    Command(
        "weekly",
        LOOK_AFTER,
        "Also pointers, duplicates, relations, size: `maintain --weekly`.",
        "maintain",
    ),
    Command(
        "monthly",
        LOOK_AFTER,
        "Also the archive, new topics, the report: `maintain --monthly`.",
        "maintain",
    ),
    Command("replay", LOOK_AFTER, "Strengthen what the last defrag cycle reviewed.", "maintain"),
    Command("undo", LOOK_AFTER, "Undo the last cycle, or one by its number."),
    Command("history", LOOK_AFTER, "List what the cycles did, or one of them in full."),
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
        "check",
        LOOK_AFTER,
        "Check the index and its pointers; every finding as file:line: code message.",
    ),
    Command(
        "schedule",
        LOOK_AFTER,
        "Let upkeep run by itself: cron, systemd or launchd does what is due, each day.",
    ),
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
    Command(
        "bench",
        LOOK_AFTER,
        "Measure your own notes: answers, tokens and time, against a full scan, grep and BM25.",
    ),
    Command(
        "embed",
        LOOK_AFTER,
        "Turn the notes into vectors, so that questions find what means the same in other words.",
    ),
    Command("watch", LOOK_AFTER, "Keep the index up to date with the notes while you work."),
    Command(
        "models",
        SET_UP,
        "Install a model that turns texts into vectors, list what is there, or remove one.",
    ),
    Command("config", SET_UP, "Show every setting, its value and where the value came from."),
    Command("version", SET_UP, "Show the version of hippo, of Python and of the platform."),
)
