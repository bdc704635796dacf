"""Help, from the table that the parser reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from inspect import cleandoc
from textwrap import fill

from hippocampus_cli.cli.command_table import EVERY_DAY, LISTED, PANELS
from hippocampus_cli.cli.options import FLAG, SHARED, Command, Group, Parameter, flag, option

_ABOUT = """A sparse, human-readable memory index for AI agents.

hippo keeps HIPPOCAMPUS.md beside an agent's notes: what is known, where it is written, and how strong the memory
still is.
"""
_COLUMN = 28  # characters of the names of options, at most
_OPTIONS = (
    *SHARED,
    flag("--version -V", "Show the version."),
    option(
        "--show-completion", "Print what makes a shell complete.", choices=("bash", "fish", "zsh")
    ),
)


def help_of(
    names: Sequence[str], command: Command | Group | None, width: int, *, whole: bool
) -> str:
    """The help of hippo, or of a command or a group of this name, in ``width`` columns.

    ``whole`` lists every command of hippo, not only those of every day.
    """
    if command is None:
        parts = _program(width, whole=whole)
    elif isinstance(command, Group):
        parts = _group(names[0], command, width)
    else:
        parts = _command(" ".join(names), command, width)
    return "\n\n".join(parts)


def head_of(parameter: Parameter) -> str:
    """What stands for a parameter on the command line: ``--tag, -t TAG``, ``QUERY...``."""
    value = parameter.metavar or "|".join(parameter.choices) or parameter.kind.upper()
    if not parameter.spellings:
        return f"{parameter.metavar or parameter.name.upper()}{'...' * parameter.several}"
    names = ", ".join(parameter.spellings).replace("/", ", ")
    return names if parameter.kind == FLAG else f"{names} {value}"


def meaning_of(parameter: Parameter) -> str:
    """What it means, with the least value and the default."""
    low = "" if parameter.low is None else f" {parameter.low:g} or more."
    plain = parameter.default in (None, False, "") or parameter.required
    return f"{parameter.help}{low}" + ("" if plain else f" Default: {parameter.default}.")


def _program(width: int, *, whole: bool) -> Iterator[str]:
    yield "usage: hippo [OPTIONS] COMMAND ..."
    yield _prose(_ABOUT, width)
    yield _options(_OPTIONS, width)
    for panel in PANELS:
        if whole or panel == EVERY_DAY:
            rows = [(row.name, row.help) for row in LISTED if row.panel == panel]
            yield _listed(panel, rows, width)
    if not whole:
        others = (row.name for row in LISTED if row.panel != EVERY_DAY)
        yield _prose(f"Others: {', '.join(others)}", width)
    yield "`hippo help all` explains every command, `hippo COMMAND --help` one."


def _group(name: str, group: Group, width: int) -> Iterator[str]:
    yield f"usage: hippo {name} COMMAND ..."
    yield _prose(group.help, width)
    rows = [
        (part.name, cleandoc(part.run.__doc__ or "").partition("\n\n")[0])
        for part in group.commands
    ]
    yield _listed("Commands", rows, width)


def _command(name: str, command: Command, width: int) -> Iterator[str]:
    words = [
        head_of(parameter) if parameter.required else f"[{head_of(parameter)}]"
        for parameter in command.parameters
        if not parameter.spellings
    ]
    yield " ".join(["usage: hippo", name, "[OPTIONS]", *words])
    yield _prose(command.run.__doc__ or "", width)
    yield _options(command.parameters, width)


def _options(parameters: Sequence[Parameter], width: int) -> str:
    rows = [(head_of(parameter), meaning_of(parameter)) for parameter in parameters]
    return _listed("Options", rows, width)


def _listed(title: str, rows: Sequence[tuple[str, str]], width: int) -> str:
    """Names, and what they mean beside them."""
    column = min(_COLUMN, max(len(name) for name, _ in rows))
    indent = " " * (column + 4)
    lines = [
        fill(
            f"{name.ljust(column)}  {meaning}", width, initial_indent="  ", subsequent_indent=indent
        )
        for name, meaning in rows
    ]
    return "\n".join([title, *lines])


def _prose(doc: str, width: int) -> str:
    """Paragraphs as wide as the screen; examples keep their lines."""
    paragraphs = cleandoc(doc).split("\n\n")
    return "\n\n".join(part if "\n  " in part else fill(part, width) for part in paragraphs)
