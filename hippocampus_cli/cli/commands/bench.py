"""``hippo bench``: what hippo is measured by."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hippocampus_cli.cli import options
from hippocampus_cli.cli.benching import Csv, Plot, deliver
from hippocampus_cli.cli.context import begin
from hippocampus_cli.config import load

if TYPE_CHECKING:
    from hippocampus_cli.benchmarks.locomo.conversation import Conversation

app = typer.Typer(add_completion=False, no_args_is_help=True)

METHODS = (
    *("full-scan", "grep", "grep-words", "grep-files", "bm25-turns", "bm25-sections"),
    *("index", "search", "hybrid"),
)


@app.callback()
def bench() -> None:
    """Measure answers, tokens and time against a full scan, grep and BM25, and what size does to speed.

    Everything happens in scratch folders that are gone afterwards; nothing of yours is changed.

    Examples:
      hippo bench locomo locomo10.json
      hippo bench locomo locomo10.json --methods bm25-turns,hybrid --csv figures.csv
    """


@app.command()
def locomo(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="LoCoMo's JSON.")],
    conversation: Annotated[
        list[str] | None,
        typer.Option("--conversation", metavar="ID", help="Only this one; repeatable."),
    ] = None,
    methods: Annotated[
        list[str] | None,
        typer.Option(
            "--methods",
            metavar="NAMES",
            help=f"Only these, with commas between: {', '.join(METHODS)}.",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit-questions", metavar="N", min=1, help="So many at most, spread evenly."
        ),
    ] = None,
    tokens: Annotated[
        int,
        typer.Option("--tokens", metavar="N", min=1, help="The budget of each answer of hippo's."),
    ] = 20_000,
    csv: Csv = None,
    plot: Plot = None,
    as_json: options.Json = False,
) -> None:
    """Ask LoCoMo's questions about long conversations: which files and turns answer, how early.

    FILE is data/locomo10.json of the repository snap-research/locomo (CC BY-NC 4.0), as it is there. Each
    conversation becomes a workspace of daily notes, a bullet a turn. Nothing is fetched, nothing is kept.

    Examples:
      hippo bench locomo locomo10.json
      hippo bench locomo locomo10.json --conversation conv-26 --methods hybrid
      hippo bench locomo locomo10.json --limit-questions 200 --json
    """
    from hippocampus_cli.benchmarks.locomo.findings import findings
    from hippocampus_cli.benchmarks.locomo.reading import read_conversations
    from hippocampus_cli.benchmarks.locomo.run import run
    from hippocampus_cli.benchmarks.rankings import RANKINGS
    from hippocampus_cli.benchmarks.saving import check_targets

    session = begin(ctx, as_json=as_json)
    check_targets(csv, plot)
    named = options.chosen(_listed(methods), METHODS, "--methods")
    chosen = _chosen(read_conversations(file), conversation)
    rankings = [one for one in RANKINGS if not named or one.key in named]
    config = load(None, session.environ)
    with session.output.progress("asking") as advance:
        report = run(chosen, rankings, config, limit=limit, tokens=tokens, progress=advance)
    deliver(session, findings(report), csv, plot)


def _listed(texts: list[str] | None) -> list[str]:
    return [name.strip() for text in texts or () for name in text.split(",")]


def _chosen(found: tuple[Conversation, ...], ids: list[str] | None) -> tuple[Conversation, ...]:
    known = [one.id for one in found]
    named = options.chosen(ids, known, "--conversation")
    return tuple(one for one in found if not named or one.id in named)
