"""The typer application: global options, and the commands of the table, loaded when they run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Annotated

import typer

from hippocampus_cli import __version__
from hippocampus_cli.cli.context import Globals
from hippocampus_cli.cli.group import LazyGroup, Markup, laid_out
from hippocampus_cli.cli.render.output import shows_terminal
from hippocampus_cli.cli.typer_form import JsonOption, WorkspaceOption


def make_app(markup: Markup = None) -> typer.Typer:
    """The application; ``markup`` "rich" for help in panels on a terminal, None for plain help."""
    made = typer.Typer(
        name="hippo",
        cls=LazyGroup,
        add_completion=True,
        invoke_without_command=True,
        rich_markup_mode=markup,
        context_settings={"help_option_names": ["--help", "-h"]},
        pretty_exceptions_enable=False,
    )
    made.callback(help=laid_out(hippo.__doc__ or "", markup))(hippo)
    return made


def run(args: Sequence[str], whole: bool = False) -> int:
    """Run the application with ``args``; the exit code. ``whole`` has the help list every command."""
    terminal = shows_terminal(os.environ) and not os.environ.get("NO_COLOR")
    program = typer.main.get_command(make_app("rich" if terminal else None))
    assert isinstance(program, LazyGroup)
    program.whole = whole
    try:
        program.main(args=list(args), prog_name="hippo")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    return 0


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"hippo {__version__}")
        raise typer.Exit


def hippo(
    ctx: typer.Context,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", "-V", help="Show the version.", is_eager=True, callback=_show_version
        ),
    ] = False,
) -> None:
    """A sparse, human-readable memory index for AI agents.

    hippo keeps HIPPOCAMPUS.md beside an agent's notes: what is known, where it is written, and how
    strong the memory still is.
    """
    ctx.obj = Globals(workspace, as_json)
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())
