"""From the words behind ``hippo`` to a command: its name, its options, its run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hippocampus_cli.cli.command_table import ALIASES, COMMANDS, REMOVED, load
from hippocampus_cli.cli.context import CommandContext, present
from hippocampus_cli.cli.options import (
    FLAG,
    NUMBER,
    PATH,
    REAL,
    SHARED,
    WORKSPACE,
    Command,
    Group,
    Parameter,
    near,
)
from hippocampus_cli.cli.output import Output
from hippocampus_cli.errors import UsageError
from hippocampus_cli.markdown.lines import decode, encode

_HELP = {"--help", "-h"}
_READERS = {PATH: Path, NUMBER: int, REAL: float}
_NAMES = {NUMBER: "a whole number", REAL: "a number"}


def run(args: Sequence[str], environ: Mapping[str, str], output: Output) -> int | None:
    """Do what ``args`` say; the exit code, ``None`` where all is well. Raises :class:`HippoError`."""
    outer, words = split(args)
    if words == ["help", "all"]:
        return _explain(output, whole=True)
    if words[:1] == ["help"]:
        outer, words = ["--help"], words[1:]
    if not words:
        parse([word for word in outer if word not in _HELP], SHARED)
        return _explain(output)
    names, command, rest = find(words)
    if _HELP & {*outer, *rest[: rest.index("--") if "--" in rest else None]}:
        return _explain(output, names, command)
    if isinstance(command, Group):
        _explain(output, names, command)
        return UsageError.exit_code
    given = parse([*outer, *rest], command.parameters)
    workspace: Path | None = given.pop(WORKSPACE.name, None)
    given.pop("as_json", None)
    session = CommandContext(output, environ, present(environ), workspace)
    with session.until_done:
        return command.run(session, **given)


def _explain(
    output: Output,
    names: Sequence[str] = (),
    command: Command | Group | None = None,
    *,
    whole: bool = False,
) -> int:
    from hippocampus_cli.cli.help import help_of

    output.out.write(f"{help_of(names, command, output.width, whole=whole)}\n")
    return 0


def split(args: Sequence[str]) -> tuple[list[str], list[str]]:
    """The options before the command, and the words from the command on, an alias written out.

    Raises :class:`UsageError` for a command that was removed, with what to use.
    """
    place = 0
    while place < len(args) and args[place].startswith("-"):
        place += 2 if args[place] in WORKSPACE.spellings else 1
    outer, words = list(args[:place]), list(args[place:])
    for length in (1, 2):
        name = " ".join(words[:length])
        if name in REMOVED:
            reason = f"`hippo {name}` was removed in 0.2"
            raise UsageError(reason=reason, advice=f"use {REMOVED[name]}")
        if name in ALIASES:
            return outer, [*ALIASES[name], *words[length:]]
    return outer, words


def find(words: Sequence[str]) -> tuple[list[str], Command | Group, list[str]]:
    """The names that ``words`` begin with, their command (or the group alone), and the words behind them.

    Raises :class:`UsageError`.
    """
    name, *rest = words
    names = [row.name for row in COMMANDS]
    if name not in names:
        raise UsageError(reason=f"there is no command {name[:40]!r}", advice=near(name, names))
    loaded = load(name)
    if not isinstance(loaded, Group) or not rest or rest[0].startswith("-"):
        return [name], loaded, rest
    parts = {command.name: command for command in loaded.commands}
    if rest[0] not in parts:
        reason = f"there is no command '{name} {rest[0][:40]}'"
        raise UsageError(reason=reason, advice=near(rest[0], list(parts)))
    return [name, rest[0]], parts[rest[0]], rest[1:]


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
            raise _wrong(f"{name} needs a value")
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
    if low is not None and not value >= low:
        raise _wrong(f"{_title(parameter)} must be {low:g} or more, not {value:g}")
    return value


def _title(parameter: Parameter) -> str:
    """What a person calls it."""
    return (*parameter.spellings, parameter.metavar or parameter.name)[0]


def _wrong(reason: str) -> UsageError:
    return UsageError(reason=reason, advice="see --help")
