"""A typer group whose commands are lines of a table until one runs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from hippocampus_cli.cli import boundary
from hippocampus_cli.cli.coerce import lighten
from hippocampus_cli.cli.command_table import COMMANDS, EVERY_DAY, PANELS, Command
from hippocampus_cli.cli.options import Group
from hippocampus_cli.cli.render.output import open_output
from hippocampus_cli.cli.typer_form import callback_of, group_of

Markup = Literal["rich"] | None
_ARGV = "hippocampus_cli.argv"


class LazyGroup(TyperGroup):
    """Lists, suggests and completes from the table; imports a command's module to run or explain it.

    Its help lists what is used every day and names the others, or lists them all where it is to be ``whole``.
    """

    whole = False

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = {
            listed.name: TyperCommand(
                listed.name,
                help=listed.help,
                short_help=listed.help,
                rich_help_panel=listed.panel,
                hidden=listed.hidden,
            )
            for listed in COMMANDS
        }

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The help, short or whole."""
        every = self.commands
        if not self.whole:
            self.epilog = _names_of_others(self.rich_markup_mode)
            daily = {command.name for command in COMMANDS if command.panel == EVERY_DAY}
            self.commands = {name: every[name] for name in every if name in daily}
        try:
            super().format_help(ctx, formatter)
        finally:
            self.commands = every

    def get_params(self, ctx: Any) -> list[Any]:
        """The options before the command, each with a converter that imports nothing."""
        params = super().get_params(ctx)
        lighten(params)
        return params

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Remember the words as typed: the boundary must know of ``--json`` whatever fails."""
        ctx.meta[_ARGV] = tuple(args)
        try:
            return super().parse_args(ctx, args)
        except OSError as error:  # --help prints while it is parsed
            if code := boundary.output_failed(error):
                raise typer.Exit(code) from None
            raise

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command to run, its module imported now."""
        name, listed, rest = super().resolve_command(ctx, args)
        found = next((command for command in COMMANDS if command.name == name), None)
        return name, load(found, self.rich_markup_mode, ctx) if found else listed, rest

    def invoke(self, ctx: Any) -> Any:
        """Run the command inside the error boundary; an int it returns is the exit code."""
        argv: Sequence[str] = ctx.meta.get(_ARGV, ())
        output = open_output(os.environ, as_json=boundary.wants_json(argv))
        told = (typer.Exit, typer.Abort, typer.TyperException)

        with boundary.Boundary(argv, output, told) as guard:
            try:
                code = super().invoke(ctx)
            except typer.TyperException as error:
                boundary.explain_usage(error.format_message(), output)
                raise
            guard.code = code if isinstance(code, int) else None
        if guard.code:
            raise typer.Exit(guard.code)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The panels of the plain help."""
        shown = [c for c in COMMANDS if c.name in self.commands and not c.hidden]
        width = max(len(command.name) for command in shown)
        for panel in PANELS:
            rows = [(c.name.ljust(width), c.help) for c in shown if c.panel == panel]
            if rows:
                with formatter.section(panel):
                    formatter.write_dl(rows)


def _names_of_others(markup: Markup | str) -> str:
    """A line a panel with the names of the commands that are not of every day."""
    lines = [
        f"{panel}: {', '.join(c.name for c in COMMANDS if c.panel == panel and not c.hidden)}"
        for panel in PANELS
        if panel != EVERY_DAY
    ]
    told = "`hippo help all` explains every command, `hippo COMMAND --help` one."
    return ("\n\n" if markup == "rich" else "\b\n") + "\n".join((*lines, told))


def load(listed: Command, markup: Markup | str, ctx: Any) -> Any:
    """The real command behind a line of the table, its module imported."""
    found = listed.loaded()
    if isinstance(found, Group):
        made = group_of(found)
    elif isinstance(found, typer.Typer):
        made = found
    else:
        made = typer.Typer(add_completion=False)
        made.command(listed.name)(callback_of(found))
    lay_out(made, markup)
    made.rich_markup_mode = markup  # type: ignore[assignment]
    loaded = get_command(made)
    loaded.name = listed.name
    for part in (loaded, *getattr(loaded, "commands", {}).values()):
        lighten(part.get_params(ctx))  # the help option included
    return loaded


def lay_out(made: typer.Typer, markup: Markup | str) -> None:
    """Give a command, or a group and its commands, their docstrings as help."""
    for part in (made.registered_callback, *made.registered_commands):
        if part is not None and part.callback is not None:
            part.help = laid_out(part.callback.__doc__ or "", markup)


def laid_out(doc: str, markup: Markup | str) -> str:
    """A docstring as help: prose is wrapped to the screen, examples keep their lines, "[" is text."""
    from inspect import cleandoc

    kept = "" if markup == "rich" else "\b\n"  # typer's plain help wraps all other paragraphs
    paragraphs = (
        kept + part if "\n  " in part else part.replace("\n", " ")
        for part in cleandoc(doc).split("\n\n")
    )
    text = "\n\n".join(paragraphs)
    return text.replace("[", "\\[") if markup == "rich" else text
