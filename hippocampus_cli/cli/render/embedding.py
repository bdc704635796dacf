"""Embeddings and models, on a terminal and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippocampus_cli.cli.render.layout import count, print_tabs
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.markdown.safe import safe_line

if TYPE_CHECKING:
    from hippocampus_cli.embedding.models.install import Outcome
    from hippocampus_cli.embedding.models.places import Model
    from hippocampus_cli.search.embed import Embedded


def print_embedded(output: Output, done: Embedded, seconds: float) -> None:
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


_STYLES = {"installed": "green", "damaged": "yellow", "missing": "dim"}


def print_model(output: Output, model: Model) -> None:
    """A line a model; tab-separated where there is no terminal."""
    size = f"{model.size / 1e6:.0f} MB"
    where = safe_line(model.folder) if model.state != "missing" else "-"
    if not output.terminal:
        print_tabs(output, [(model.name, model.state, size, model.licence, where)])
        return
    facts = f"  {size}, {model.dimensions} dimensions, {model.licence}"
    output.line(Styled(model.name, "bold"), "  ", Styled(model.state, _STYLES[model.state]), facts)
    advice = {"missing": "install it", "damaged": "repair it"}.get(model.state)
    after = f"{advice}: hippo models install {model.name}" if advice else where
    output.line(Styled(f"  {after}", "dim"))


def print_installed(output: Output, model: Model, outcome: Outcome) -> None:
    """What an installation did."""
    done = f"{model.name} is {outcome}" if outcome == "already there" else f"{outcome} {model.name}"
    output.line(f"{done}: {safe_line(model.folder)}")
    output.line(Styled(f"{model.model}, licence {model.licence}, from {model.package}", "dim"))
    output.line(
        Styled('use it: embedder = "use-multilingual" in [embedding] of config.toml', "dim")
    )
