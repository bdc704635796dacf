"""What commands take, as plain data that help and the reference pages read, and its parser.

A command is a function with :func:`takes` before it. It gets the session (:mod:`hippocampus_cli.cli.context`) and
every parameter by name; ``--workspace`` and ``--json`` are in the session instead.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

from hippocampus_cli.errors import ConfigInvalid, UsageError
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.markdown.lines import whole_number as whole_number

KINDS = ("config", "daily", "state", "project", "doc", "research", "skill", "agent", "temp")
PRIORITIES = ("amygdala", "high", "normal", "low")
BANDS = ("strong", "moderate", "weak", "decaying", "silent")
FLAG, TEXT, NUMBER, REAL, PATH = "flag", "text", "number", "real", "path"
_READERS = {PATH: Path, NUMBER: int, REAL: float}
_HIGH = 1_000_000_000  # seconds, or whatever is counted: the system waits no longer
_NAMES = {NUMBER: "a whole number", REAL: "a number"}
_KINDS = {"bool": FLAG, "str": TEXT, "int": NUMBER, "float": REAL, "Path": PATH}


class Parameter(NamedTuple):
    """An option, or an argument, which has no spellings.

    The function's signature says its ``kind``, its ``default``, and whether there is a list of ``several``, which may
    be ``blank`` where it is said. A flag may have a second spelling that denies it, ``--yes/--no``. ``choices`` are
    the only values.
    """

    name: str
    spellings: tuple[str, ...]
    help: str
    kind: str = TEXT
    metavar: str | None = None
    default: Any = None
    several: bool = False
    blank: bool = False
    required: bool | None = None
    choices: tuple[str, ...] = ()
    low: float | None = None


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


def flag(spellings: str, help: str, **more: Any) -> Parameter:
    """An option without a value."""
    return option(spellings, help, kind=FLAG, default=False, **more)


WORKSPACE = option(
    "--workspace -w",
    "The agent's folder; by default found from here upwards.",
    metavar="FOLDER",
    kind=PATH,
)
JSON = flag("--json", "Print one JSON document.", name="as_json", required=False)
SHARED = (WORKSPACE, JSON)


def takes(
    *parameters: Parameter, name: str = "", shared: tuple[Parameter, ...] = SHARED
) -> Callable[[Callable[..., int | None]], Command]:
    """Make a command of a function; it is called like it unless ``name`` says otherwise.

    What the function takes by name alone (``**given``) is passed on as it is declared here.
    """

    def declare(run: Callable[..., int | None]) -> Command:
        declared = (_typed(parameter, run) for parameter in parameters)
        return Command(name or run.__name__, run, (*declared, *shared))

    return declare


def near(word: str, names: Sequence[str]) -> str:
    """Which of ``names`` was probably meant, as advice."""
    from difflib import get_close_matches  # only who mistypes waits for it

    # The dashes of two options are alike in any case.
    matches = get_close_matches(word[:100], names, 1, 0.7 if word.startswith("-") else 0.6)
    return f"did you mean {matches[0]}?" if matches else "see --help"


def _typed(parameter: Parameter, run: Callable[..., int | None]) -> Parameter:
    """``parameter`` with the type and the default that the signature of ``run`` gives it."""
    given = run.__annotations__.get(parameter.name)
    if given is None:
        return parameter
    kind = given.removesuffix(" | None")
    several = kind.startswith("list[")
    defaults = getattr(run, "__kwdefaults__", None) or {}
    default = False if given == "bool" else parameter.default
    optional = parameter.spellings or given != kind or parameter.name in defaults
    kind = _KINDS.get(kind.removeprefix("list[").removesuffix("]"), TEXT)
    return parameter._replace(
        kind=kind,
        metavar=parameter.metavar or ("N" if kind == NUMBER and parameter.spellings else None),
        default=defaults.get(parameter.name, default),
        several=several,
        required=not optional if parameter.required is None else parameter.required,
    )


DRY_RUN = flag("--dry-run -n", "Show the plan, change nothing.")
YES = flag("--yes -y", "Do not ask.")
ENTRY_ID = argument("entry", "ID", "An entry's id.")
TAGS = option("--tag -t", "A tag; repeatable.", name="tags", metavar="TAG", several=True)
NOTE_KINDS = option(
    "--type",
    f"Only notes of this kind ({', '.join(KINDS)}); repeatable.",
    name="kinds",
    metavar="KIND",
    several=True,
    choices=KINDS,
)
NOTE_PATHS = option(
    "--path -p",
    "Only notes whose path fits, as in .gitignore; repeatable.",
    name="paths",
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
    name="priorities",
    several=True,
    choices=PRIORITIES,
)
FILTERS = (TAGS, NOTE_KINDS, NOTE_PATHS, SINCE, UNTIL)
"""Conditions on entries and the notes that they point at."""
NEW_PRIORITY = option(
    "--pri", "Never fades, fades, or fades twice as fast.", default="normal", choices=PRIORITIES
)
PRIVATE = flag("--private", "Into private-memory/, which git ignores; questions ask both.")
TOKEN_BUDGET = option(
    "--tokens",
    "A budget for the texts of all results; JSON around them is not counted.",
    kind=NUMBER,
    metavar="N",
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


def dated(given: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """The same with days for ``--since`` and ``--until``; of those that a word names the first, or the last.

    Raises :class:`UsageError`.
    """
    days: dict[str, date] = {}
    for place, name in enumerate(("since", "until")):
        if given[name] is not None:
            from hippocampus_cli.query.request import days_of  # only who names a day waits for it

            days[name] = days_of(f"--{name}", given[name].strip(), now.date())[place]
    return {**given, **days}


def present(environ: Mapping[str, str]) -> datetime:
    """The present moment with a time zone; ``HIPPO_NOW`` sets it, so that examples can be repeated."""
    given = environ.get("HIPPO_NOW")
    if not given:
        return datetime.now().astimezone()
    try:
        moment = datetime.fromisoformat(given)
        if moment.year < 1970:  # nothing can look back from there
            raise ValueError
        return moment if moment.tzinfo else moment.astimezone()
    except (ValueError, OverflowError, OSError):
        raise ConfigInvalid(
            reason=f"HIPPO_NOW must be an ISO 8601 date and time since 1970, not {given[:40]!r}"
        ) from None


def text_of(words: Sequence[str]) -> str:
    """What the words of a command say; a single dash is what stands on standard input."""
    return standard_input() if list(words) == ["-"] else " ".join(words)


def standard_input() -> str:
    """All of it; bytes that are no UTF-8 survive as surrogate escapes."""
    return decode(sys.stdin.buffer.read()).removeprefix("\ufeff")


def parse(words: Sequence[str], parameters: Sequence[Parameter]) -> dict[str, Any]:
    """Every one of ``parameters`` with its value, read from ``words``. Raises :class:`UsageError`."""
    options = spellings_of(parameters)
    waiting = list(reversed(words))
    given: dict[str, Any] = {}
    placed: list[str] = []
    while waiting:
        word = waiting.pop()
        if word == "--":
            placed += reversed(waiting)
            break
        if word == "-" or not word.startswith("-"):
            placed.append(word)
        else:
            _take_option(word, waiting, options, given)
    _place(placed, [parameter for parameter in parameters if not parameter.spellings], given)
    for parameter in parameters:
        if parameter.name not in given:
            if parameter.required:
                raise _wrong(f"{_title(parameter)} is missing")
            given[parameter.name] = [] if parameter.several else parameter.default
    return given


def _take_option(
    word: str, waiting: list[str], options: Mapping[str, Parameter], given: dict[str, Any]
) -> None:
    """Read an option and its value, which is behind it or the next of the ``waiting`` words."""
    is_long = word.startswith("--")
    name, mark, value = word.partition("=") if is_long else (word[:2], word[2:], word[2:])
    parameter = options.get(name)
    if parameter is None:
        reason = f"there is no option {name[:40]}"
        raise UsageError(reason=reason, advice=near(name, list(options)))
    if parameter.kind == FLAG:
        if mark and is_long:
            raise _wrong(f"{name} takes no value")
        given[parameter.name] = f"/{name}" not in "".join(parameter.spellings)
        if mark:
            waiting.append(f"-{value}")  # several flags behind one dash
        return
    if not mark:
        if not waiting:
            raise _wrong(f"{name} needs a value: {parameter.metavar or parameter.kind}")
        value = waiting.pop()
    if parameter.several and not (value.strip() or parameter.blank):
        raise _wrong(f"{name} has no value")
    _keep(value, parameter, given)


def spellings_of(parameters: Sequence[Parameter]) -> dict[str, Parameter]:
    """The options among ``parameters`` by each of their spellings."""
    return {
        part: parameter
        for parameter in parameters
        for spelling in parameter.spellings
        for part in spelling.split("/")
    }


def _place(words: Sequence[str], arguments: Sequence[Parameter], given: dict[str, Any]) -> None:
    """Give each of ``arguments`` its words."""
    rest = list(words)
    for parameter in arguments:
        while rest and (parameter.several or parameter.name not in given):
            _keep(rest.pop(0), parameter, given)
    if rest:
        raise _wrong(f"there is nothing to do with {rest[0][:40]!r}")


def _keep(word: str, parameter: Parameter, given: dict[str, Any]) -> None:
    value = _value(word, parameter)
    name = parameter.name
    given[name] = [*given.get(name, ()), value] if parameter.several else value


def _value(word: str, parameter: Parameter) -> Any:
    reader = _READERS.get(parameter.kind)
    if parameter.choices and word not in parameter.choices:
        choices = ", ".join(parameter.choices)
        raise _wrong(f"{_title(parameter)}: {word[:40]!r} is not one of {choices}")
    if reader is None:
        # In a C locale words arrive as escaped bytes although they are UTF-8; paths stay as the system gave them.
        return decode(encode(word))
    try:
        value = reader(word)
    except ValueError:
        kind = _NAMES[parameter.kind]
        raise _wrong(f"{_title(parameter)}: {word[:40]!r} is not {kind}") from None
    low = parameter.low
    if low is not None and not low <= value <= _HIGH:
        raise _wrong(f"{_title(parameter)} must be {low:g} to {_HIGH:,}, not {word[:40]}")
    return value


def _title(parameter: Parameter) -> str:
    """What a person calls it."""
    return (*parameter.spellings, parameter.metavar or parameter.name)[0]


def _wrong(reason: str) -> UsageError:
    return UsageError(reason=reason, advice="see --help")
