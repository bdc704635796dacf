"""From the words behind ``hippo`` to a command: its name, its options, its run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from hippocampus_cli.cli.command_table import ALIASES, COMMANDS, REMOVED, load
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import SHARED, WORKSPACE, Command, Group, near, parse, present
from hippocampus_cli.cli.output import Output
from hippocampus_cli.errors import UsageError

_HELP = {"--help", "-h"}


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
