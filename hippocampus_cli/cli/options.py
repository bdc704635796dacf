"""What commands take, as plain data: the parser, typer's help and the reference pages read it.

A command is a function with :func:`takes` before it. It gets the session (:mod:`hippocampus_cli.cli.context`) and
every parameter by name; ``--workspace`` and ``--json`` are in the session instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hippocampus_cli.cli.values import KINDS, PRIORITIES
from hippocampus_cli.fast_types import NamedTuple

FLAG, TEXT, NUMBER, REAL, PATH = "flag", "text", "number", "real", "path"
_KINDS = {"bool": FLAG, "str": TEXT, "int": NUMBER, "float": REAL, "Path": PATH}


class Parameter(NamedTuple):
    """An option, or an argument, which has no spellings.

    The function's signature says its ``kind``, its ``default``, and whether there is a list of ``several``. A flag
    may have a second spelling that denies it, ``--yes/--no``. ``choices`` are the only values; the function
    ``complete`` of :mod:`hippocampus_cli.cli.complete` offers some to a shell.
    """

    name: str
    spellings: tuple[str, ...]
    help: str
    kind: str = TEXT
    metavar: str | None = None
    default: Any = None
    several: bool = False
    required: bool | None = None
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
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


def argument(name: str, metavar: str | None, help: str, **more: Any) -> Parameter:
    """A value that is told by its place."""
    return Parameter(name, (), help, metavar=metavar, **more)


def option(spellings: str, help: str, *, name: str = "", **more: Any) -> Parameter:
    """A value behind one of ``spellings``, or a flag; the first spelling is its name."""
    first = spellings.split()[0].partition("/")[0]
    name = name or first.removeprefix("--").replace("-", "_")
    return Parameter(name, tuple(spellings.split()), help, **more)


WORKSPACE = option(
    "--workspace -w",
    "The agent's folder; by default found from here upwards.",
    metavar="FOLDER",
    kind=PATH,
)
JSON = option(
    "--json", "Print one JSON document.", name="as_json", kind=FLAG, default=False, required=False
)
SHARED = (WORKSPACE, JSON)


def takes(
    *parameters: Parameter, name: str = "", shared: tuple[Parameter, ...] = SHARED
) -> Callable[[Callable[..., int | None]], Command]:
    """Make a command of a function; it is called like it unless ``name`` says otherwise."""

    def declare(run: Callable[..., int | None]) -> Command:
        declared = (_typed(one, run) for one in parameters)
        return Command(name or run.__name__, run, (*declared, *shared))

    return declare


def _typed(parameter: Parameter, run: Callable[..., int | None]) -> Parameter:
    """``parameter`` with the type and the default that the signature of ``run`` gives it."""
    given = run.__annotations__[parameter.name]
    kind = given.removesuffix(" | None")
    several = kind.startswith("list[")
    defaults = getattr(run, "__kwdefaults__", None) or {}
    default = False if given == "bool" else parameter.default
    optional = parameter.spellings or given != kind or parameter.name in defaults
    return parameter._replace(
        kind=_KINDS.get(kind.removeprefix("list[").removesuffix("]"), TEXT),
        default=defaults.get(parameter.name, default),
        several=several,
        required=not optional if parameter.required is None else parameter.required,
    )


DRY_RUN = option("--dry-run -n", "Show the plan, change nothing.")
YES = option("--yes -y", "Do not ask.")
ENTRY_ID = argument("entry", "ID", "An entry's id.", complete="entry_ids")
TAGS = option("--tag -t", "A tag; repeatable.", metavar="TAG", complete="tags")
NOTE_KINDS = option(
    "--type",
    f"Only notes of this kind ({', '.join(KINDS)}); repeatable.",
    name="kind",
    metavar="KIND",
    choices=KINDS,
)
NOTE_PATHS = option(
    "--path -p", "Only notes whose path fits, as in .gitignore; repeatable.", metavar="GLOB"
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
    choices=PRIORITIES,
)
NEW_PRIORITY = option(
    "--pri", "Never fades, fades, or fades twice as fast.", default="normal", choices=PRIORITIES
)
TOKEN_BUDGET = option(
    "--tokens",
    "A budget for the texts of all results; JSON around them is not counted.",
    metavar="N",
)
FENCE = option(
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
