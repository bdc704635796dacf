"""``hippo bench``: what hippo is measured by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from hippocampus_cli.cli import bench_options as own
from hippocampus_cli.cli import choices, options
from hippocampus_cli.cli.context import Session, begin

if TYPE_CHECKING:
    from hippocampus_cli.benchmarks.locomo.conversation import Conversation
    from hippocampus_cli.config.embedding import Embedding

app = typer.Typer(add_completion=False, no_args_is_help=True)


@app.callback()
def bench() -> None:
    """Measure answers, tokens and time against a full scan, grep and BM25, and what size does to speed.

    Everything happens in scratch folders that are gone afterwards; nothing of yours is changed.

    Examples:
      hippo bench workspace
      hippo bench scale --files 1000,10000
      hippo bench locomo locomo10.json --methods bm25-turns,hybrid --csv figures.csv
    """


@app.command()
def locomo(
    ctx: typer.Context,
    file: own.LocomoFile,
    conversation: own.Conversations = None,
    methods: own.Methods = None,
    limit: own.LimitQuestions = None,
    tokens: own.AnswerTokens = 20_000,
    csv: own.Csv = None,
    plot: own.Plot = None,
    as_json: options.Json = False,
) -> None:
    """Ask LoCoMo's questions about long conversations: which files and turns answer, how early.

    FILE is data/locomo10.json of the repository snap-research/locomo (CC BY-NC 4.0), as it is there. Each
    conversation becomes a workspace of daily notes, a bullet a turn. Nothing is fetched, nothing is kept. The method
    hybrid-embeddings needs an embedder (hippo models install minilm, and HIPPO_EMBEDDING_EMBEDDER=minilm).

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
    from hippocampus_cli.config import load

    session = begin(ctx, as_json=as_json)
    check_targets(csv, plot)
    named = choices.chosen(own.listed(methods), own.METHODS, "--methods")
    chosen = _chosen(read_conversations(file), conversation)
    config = load(None, session.environ)
    keys = _possible(session, config.embedding, named)
    rankings = [one for one in RANKINGS if one.key in keys]
    with session.output.progress("asking") as advance:
        report = run(
            chosen,
            rankings,
            config,
            limit=limit,
            tokens=tokens,
            progress=advance,
            opener=session.opener,
        )
    own.deliver(session, findings(report), csv, plot)


@app.command()
def workspace(
    ctx: typer.Context,
    questions: own.Questions = None,
    price: own.Price = 3.0,
    per_month: own.PerMonth = 2_500,
    rounds: own.Rounds = 9,
    csv: own.Csv = None,
    plot: own.Plot = None,
    folder: options.Workspace = None,
    as_json: options.Json = False,
) -> None:
    """Measure your own notes: tokens, time, answers and what a month costs, for each way of asking.

    A copy of the notes, the index and the settings is asked; the folder itself is only read. Without
    --questions the notes are asked for their own headings and facts, which shows whether things are found
    again, not whether other words for them are. A question of yours, any of whose places answers it:

      [[query]]
      text = "how do we ship a release"
      kind = "paraphrase"
      gold = [{ path = "TOOLS.md", section = "Deploy" }]

    Kind "multi" wants all of its places, "absent" has none: nothing should be found.

    Examples:
      hippo bench workspace
      hippo bench workspace --questions questions.toml --price 15 --csv figures.csv
    """
    from hippocampus_cli.benchmarks.folder.findings import findings
    from hippocampus_cli.benchmarks.folder.run import Plan, run
    from hippocampus_cli.benchmarks.saving import check_targets

    session = begin(ctx, workspace=folder, as_json=as_json)
    check_targets(csv, plot)
    plan = Plan(price, per_month, rounds)
    with session.output.progress("asking") as advance:
        report = run(session.root(), session.config(), questions, session.now, plan, advance)
    own.deliver(session, findings(report), csv, plot)


@app.command()
def scale(
    ctx: typer.Context,
    files: own.Sizes = own.SIZES,
    rounds: own.Rounds = 9,
    csv: own.Csv = None,
    plot: own.Plot = None,
    as_json: options.Json = False,
) -> None:
    """Measure what the number of files does: to build, update and ask, to memory and to disk.

    Notes of about 1.5 KB are made up in a scratch folder, the same ones each time. 10,000 take 100 MB of disk and
    a minute, 100,000 a gigabyte and a quarter of an hour.

    Examples:
      hippo bench scale
      hippo bench scale --files 1000,100000 --plot scale.svg
    """
    from hippocampus_cli.benchmarks.saving import check_targets
    from hippocampus_cli.benchmarks.scale.findings import findings
    from hippocampus_cli.benchmarks.scale.run import run

    session = begin(ctx, as_json=as_json)
    check_targets(csv, plot)
    sizes = own.sizes(files)
    with session.output.progress("measuring") as advance:
        rows = run(sizes, rounds, advance)
    own.deliver(session, findings(rows), csv, plot)


def _possible(session: Session, settings: Embedding, named: list[str]) -> list[str]:
    """The methods to compare: those that are named, else all that can be. Raises where a named one cannot."""
    from hippocampus_cli.benchmarks.rankings import EMBEDDINGS
    from hippocampus_cli.errors import EmbedderUnavailable, HippoError

    keys = named or list(own.METHODS)
    if EMBEDDINGS not in keys:
        return keys
    try:
        if session.opener(settings) is None:
            raise EmbedderUnavailable(
                reason="no embedder is configured", advice="set HIPPO_EMBEDDING_EMBEDDER=minilm"
            )
    except HippoError as error:
        if named:
            raise
        session.output.note(f"hippo: without {EMBEDDINGS}: {error.message} ({error.advice})")
        return [key for key in keys if key != EMBEDDINGS]
    return keys


def _chosen(found: tuple[Conversation, ...], ids: list[str] | None) -> tuple[Conversation, ...]:
    known = [one.id for one in found]
    named = choices.chosen(ids, known, "--conversation")
    return tuple(one for one in found if not named or one.id in named)
