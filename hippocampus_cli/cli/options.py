"""What commands take, as plain data: from it come typer's parameters, the fast path and the reference pages.

A command is a function with :func:`takes` before it. It gets the session (:mod:`hippocampus_cli.cli.context`) and
every parameter by name; ``--workspace`` and ``--json`` are in the session instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hippocampus_cli.cli.values import KINDS, PRIORITIES
from hippocampus_cli.fast_types import NamedTuple

FLAG, TEXT, NUMBER, REAL, PATH = "flag", "text", "number", "real", "path"


class Parameter(NamedTuple):
    """An option, or an argument, which has no spellings.

    ``kind`` is that of a value: a flag is False or True (or None where ``--no`` is not said either), the others
    are a ``str``, ``int`` from ``low`` to ``high``, ``float`` or ``Path``; of ``several`` there is a list.
    ``choices`` are the only values, ``offers`` those that a shell completes, as does the function ``complete`` of
    :mod:`hippocampus_cli.cli.complete`.
    """

    name: str
    spellings: tuple[str, ...]
    help: str
    kind: str = TEXT
    metavar: str | None = None
    default: Any = None
    several: bool = False
    required: bool = False
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    offers: tuple[str, ...] = ()
    complete: str = ""


class Command(NamedTuple):
    """A command: ``run`` has its help as docstring, takes ``parameters``, and returns the exit code (None is 0)."""

    name: str
    run: Callable[..., int | None]
    parameters: tuple[Parameter, ...]


class Group(NamedTuple):
    """Commands behind a common name."""

    help: str
    commands: tuple[Command, ...]


def takes(*parameters: Parameter, name: str = "") -> Callable[[Callable[..., int | None]], Command]:
    """Make a command of a function; it is called like it unless ``name`` says otherwise."""
    return lambda run: Command(name or run.__name__, run, parameters)


def argument(
    name: str, metavar: str | None, help: str, *, required: bool = True, **more: Any
) -> Parameter:
    """A value that is told by its place."""
    return Parameter(name, (), help, metavar=metavar, required=required, **more)


def option(spellings: str, help: str, *, name: str = "", **more: Any) -> Parameter:
    """A value behind one of ``spellings``, the first of which is its name."""
    spelled = tuple(spellings.split())
    return Parameter(name or _name(spelled[0]), spelled, help, **more)


def flag(spellings: str, help: str, *, name: str = "", default: bool | None = False) -> Parameter:
    """Something that is said or not; ``--yes/--no`` says either."""
    return option(spellings, help, name=name, kind=FLAG, default=default)


def _name(spelling: str) -> str:
    return spelling.partition("/")[0].removeprefix("--").replace("-", "_")


WORKSPACE = option(
    "--workspace -w",
    "The agent's folder; by default found from here upwards.",
    metavar="FOLDER",
    kind=PATH,
)
JSON = flag("--json", "Print one JSON document.", name="as_json")
SHARED = (WORKSPACE, JSON)
DRY_RUN = flag("--dry-run -n", "Show the plan, change nothing.")
YES = flag("--yes -y", "Do not ask.")
FORCE = flag("--force", "Carry it out even where the loss limit would stop it.")
ENTRY_ID = argument("entry", "ID", "An entry's id.", complete="entry_ids")
ENTRY_IDS = argument("entries", "ID", "Entry ids.", several=True, complete="entry_ids")
TAGS = option("--tag -t", "A tag; repeatable.", metavar="TAG", several=True, complete="tags")
NOTE_KINDS = option(
    "--type",
    f"Only notes of this kind ({', '.join(KINDS)}); repeatable.",
    name="kind",
    metavar="KIND",
    several=True,
    offers=KINDS,
)
NOTE_PATHS = option(
    "--path -p",
    "Only notes whose path fits, as in .gitignore; repeatable.",
    metavar="GLOB",
    several=True,
)
SINCE = option(
    "--since",
    "Only notes of this day and later (2026-05-01, 30d, 6w); none without a date.",
    metavar="DAY",
)
UNTIL = option("--until", "Only notes of this day and before; none without a date.", metavar="DAY")
ENTRY_PRIORITIES = option(
    "--pri",
    f"Only what entries of this priority point at ({', '.join(PRIORITIES)}).",
    metavar="PRIORITY",
    several=True,
    offers=PRIORITIES,
)
NEW_PRIORITY = option(
    "--pri",
    "Never fades, fades, or fades twice as fast.",
    default="normal",
    choices=PRIORITIES,
)
TOKEN_BUDGET = option(
    "--tokens",
    "A budget for the texts of all results; JSON around them is not counted.",
    metavar="N",
    kind=NUMBER,
)
FENCE = flag(
    "--fence",
    "For an agent: quoted text between lines that it cannot imitate, with whose it is, day and place.",
)
LINES = option("--lines", "These lines of it: 10-20, 10-, -20.", metavar="FROM-TO", default="")
GREP = option("--grep", "Its lines with this in them, numbered.", metavar="PATTERN", default="")
TRANSCRIPT_FORMAT = option(
    "--format -f",
    "What wrote the file; by default seen from it.",
    name="form",
    choices=("pi", "openclaw", "claude-code", "codex", "gemini", "opencode", "messages"),
)
