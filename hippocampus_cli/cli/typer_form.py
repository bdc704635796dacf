"""Commands of the table as typer wants them: functions whose signatures say what their parameters are."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from hippocampus_cli.cli import complete
from hippocampus_cli.cli.context import begin
from hippocampus_cli.cli.options import (
    FLAG,
    JSON,
    NUMBER,
    PATH,
    REAL,
    TEXT,
    WORKSPACE,
    Command,
    Group,
    Parameter,
)

WorkspaceOption = Annotated[
    Path | None, typer.Option("--workspace", "-w", metavar="FOLDER", help=WORKSPACE.help)
]
JsonOption = Annotated[bool, typer.Option("--json", help=JSON.help)]
_TYPES = {FLAG: bool, TEXT: str, NUMBER: int, REAL: float, PATH: Path}


def group_of(group: Group) -> typer.Typer:
    """The commands of ``group`` behind one name."""
    made = typer.Typer(add_completion=False, no_args_is_help=True)

    def about() -> None:
        pass

    about.__doc__ = group.help
    made.callback()(about)
    for one in group.commands:
        made.command(one.name, short_help=_first_line(one))(callback_of(one))
    return made


def _first_line(command: Command) -> str:
    """What a command does, whole: typer would cut what is long."""
    return " ".join(inspect.cleandoc(command.run.__doc__ or "").partition("\n\n")[0].split())


def callback_of(command: Command) -> Callable[..., int | None]:
    """A function that typer can read, and that runs ``command``."""

    def run(ctx: typer.Context, **given: Any) -> int | None:
        workspace, as_json = given.pop("workspace", None), given.pop("as_json", False)
        session = begin(ctx, workspace=workspace, as_json=as_json)
        several = {one.name for one in command.parameters if one.several}
        values = {name: given[name] or [] if name in several else given[name] for name in given}
        return command.run(session, **values)

    signature = [_context(), *map(_parameter, command.parameters)]
    run.__doc__ = command.run.__doc__
    run.__signature__ = inspect.Signature(signature)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in signature}
    return run


def _context() -> inspect.Parameter:
    return inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)


def _parameter(one: Parameter) -> inspect.Parameter:
    made = typer.Option if one.spellings else typer.Argument
    default: Any = ... if one.required else None if one.several else one.default
    described = made(
        default,
        *one.spellings,
        help=one.help,
        metavar=one.metavar,
        min=one.low,
        max=one.high,
        autocompletion=_completion(one),
    )
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(one.name, kind, default=described, annotation=_type(one))


def _type(one: Parameter) -> Any:
    annotation: Any = Literal[one.choices] if one.choices else _TYPES[one.kind]
    annotation = list[annotation] if one.several else annotation
    return annotation if one.required or one.default is not None else annotation | None


def _completion(one: Parameter) -> Callable[..., Any] | None:
    if one.offers:
        return complete.one_of(one.offers)
    return getattr(complete, one.complete) if one.complete else None
