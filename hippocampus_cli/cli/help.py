"""Help and shell completion by typer, from the table that the parser reads."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from inspect import Parameter as Argument
from inspect import Signature, cleandoc
from pathlib import Path
from typing import Any, Literal

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from hippocampus_cli.cli.command_table import COMMANDS, EVERY_DAY, PANELS, load
from hippocampus_cli.cli.complete import completion
from hippocampus_cli.cli.options import (
    FLAG,
    NUMBER,
    PATH,
    REAL,
    SHARED,
    TEXT,
    Group,
    Parameter,
    option,
)
from hippocampus_cli.cli.output import shows_terminal

_TYPES = {FLAG: bool, TEXT: str, NUMBER: int, REAL: float, PATH: Path}
_CONTEXT: dict[str, Any] = {"help_option_names": ["--help", "-h"]}
_VERSION = option("--version -V", "Show the version.", kind=FLAG, default=False)


def print_help(path: Sequence[str], *, whole: bool = False) -> None:
    """Explain hippo, or the command or the part of a group that ``path`` names; ``whole`` lists every command."""
    program: Any = make_program(whole=whole)
    ctx = typer.Context(program, info_name="hippo", **_CONTEXT)
    for name in path:
        name, program, _ = program.resolve_command(ctx, [name])
        ctx = typer.Context(program, info_name=name, parent=ctx, **_CONTEXT)
    if text := ctx.get_help():  # empty where rich has printed it
        typer.echo(text)


def complete_words(args: Sequence[str]) -> int:
    """Answer a shell that completes, or install what makes it ask; the exit code."""
    try:
        make_program(whole=True).main(args=list(args), prog_name="hippo")
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def make_program(*, whole: bool) -> Program:
    """hippo as typer sees it."""
    terminal = shows_terminal(os.environ) and not os.environ.get("NO_COLOR")
    markup: Literal["rich"] | None = "rich" if terminal else None
    app = typer.Typer(name="hippo", cls=Program, rich_markup_mode=markup, context_settings=_CONTEXT)
    about = _callback((*SHARED, _VERSION))
    app.callback(help=_laid_out(_about.__doc__, markup))(about)
    program = get_command(app)
    assert isinstance(program, Program)
    program.list(whole=whole)
    return program


def _about() -> None:
    """A sparse, human-readable memory index for AI agents.

    hippo keeps HIPPOCAMPUS.md beside an agent's notes: what is known, where it is written, and how
    strong the memory still is.
    """


class Program(TyperGroup):
    """Lists and completes from the table; imports a command's module to explain it."""

    def list(self, *, whole: bool) -> None:
        """Have the commands of every day in the help and the others named, or all of them where it is ``whole``."""
        for row in COMMANDS:
            hidden = row.hidden or not (whole or row.panel == EVERY_DAY)
            self.commands[row.name] = TyperCommand(
                row.name,
                help=row.help,
                short_help=row.help,
                rich_help_panel=row.panel,
                hidden=hidden,
            )
        self.epilog = None if whole else _names_of_others(self.rich_markup_mode == "rich")

    def resolve_command(self, ctx: Any, args: Any) -> tuple[str | None, Any, Any]:
        """The command that is named, its module imported now."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, _loaded(str(name), self.rich_markup_mode), rest

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The panels of the plain help."""
        shown = [row for row in COMMANDS if not self.commands[row.name].hidden]
        width = max(len(row.name) for row in shown)
        for panel in PANELS:
            rows = [(row.name.ljust(width), row.help) for row in shown if row.panel == panel]
            if rows:
                with formatter.section(panel):
                    formatter.write_dl(rows)


def _names_of_others(rich: bool) -> str:
    """A line a panel with the names of the commands that are not of every day."""
    names = {
        panel: ", ".join(row.name for row in COMMANDS if row.panel == panel and not row.hidden)
        for panel in PANELS
        if panel != EVERY_DAY
    }
    lines = [f"{panel}: {listed}" for panel, listed in names.items()]
    lines.append("`hippo help all` explains every command, `hippo COMMAND --help` one.")
    return ("\n\n" if rich else "\b\n") + "\n".join(lines)


def _loaded(name: str, markup: Any) -> Any:
    """The command behind a name of the table, or the group of commands."""
    found = load(name)
    app = typer.Typer(add_completion=False, rich_markup_mode=markup, no_args_is_help=True)
    if isinstance(found, Group):
        help_of_group = _laid_out(found.help, markup)
        app.callback(help=help_of_group, context_settings=_CONTEXT)(lambda: None)
    for command in found.commands if isinstance(found, Group) else (found,):
        text = _laid_out(command.run.__doc__, markup)
        short = " ".join(text.lstrip("\b\n").partition("\n\n")[0].split())
        declare = app.command(command.name, help=text, short_help=short, context_settings=_CONTEXT)
        declare(_callback(command.parameters))
    made = get_command(app)
    for command in (made, *getattr(made, "commands", {}).values()):
        for parameter in command.params:  # or completing would import what converts values
            parameter.process_value = lambda ctx, value: value
    return made


def _laid_out(doc: str | None, markup: Any) -> str:
    """A docstring as help: prose is wrapped to the screen, examples keep their lines, "[" is text."""
    kept = "" if markup == "rich" else "\b\n"  # typer's plain help wraps all other paragraphs
    paragraphs = (
        kept + part if "\n  " in part else part.replace("\n", " ")
        for part in cleandoc(doc or "").split("\n\n")
    )
    text = "\n\n".join(paragraphs)
    return text.replace("[", "\\[") if markup == "rich" else text


def _callback(parameters: Sequence[Parameter]) -> Callable[..., None]:
    """A function that does nothing, with a signature that typer can read."""

    def explained() -> None:
        pass

    arguments = [_argument(parameter) for parameter in parameters]
    explained.__signature__ = Signature(arguments)  # type: ignore[attr-defined]
    explained.__annotations__ = {one.name: one.annotation for one in arguments}
    return explained


def _argument(parameter: Parameter) -> Argument:
    made = typer.Option if parameter.spellings else typer.Argument
    described = made(
        ... if parameter.required else parameter.default,
        *parameter.spellings,
        help=parameter.help,
        metavar=parameter.metavar,
        min=parameter.low,
        max=parameter.high,
        autocompletion=_completion(parameter),
    )
    annotation: Any = _TYPES[parameter.kind]
    if parameter.several:
        annotation = list[annotation]
    elif parameter.choices:
        annotation = Literal[parameter.choices]
    if not parameter.required and parameter.default is None:
        annotation |= None
    return Argument(parameter.name, Argument.KEYWORD_ONLY, default=described, annotation=annotation)


def _completion(parameter: Parameter) -> Callable[..., Any] | None:
    if parameter.choices:
        choices = parameter.choices
        return lambda incomplete: [word for word in choices if word.startswith(incomplete)]
    return completion(parameter.complete) if parameter.complete else None
