"""``hippo bench``: what hippo is measured by."""

from __future__ import annotations

from pathlib import Path

import typer

from hippocampus_cli.cli import bench_options as own
from hippocampus_cli.cli import choices, options
from hippocampus_cli.cli.bench_sources import chosen_conversations, possible, source_of_peers
from hippocampus_cli.cli.context import begin

app = typer.Typer(add_completion=False, no_args_is_help=True)


@app.callback()
def bench() -> None:
    """Measure answers, tokens and time against a full scan, grep and BM25, and what size does to speed.

    Everything happens in scratch folders that are gone afterwards; nothing of yours is changed.

    Examples:
      hippo bench workspace
      hippo bench scale --files 1000,10000
      hippo bench locomo locomo10.json --methods bm25-turns,hybrid --csv figures.csv
      hippo bench corf fixtures/corf.json
      hippo bench peers locomo10.json --limit-questions 200
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
    chosen = chosen_conversations(read_conversations(file), conversation)
    config = load(None, session.environ)
    keys = possible(session, config.embedding, named)
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


@app.command()
def corf(
    ctx: typer.Context,
    dataset: own.CorfFile,
    ablation: own.Ablations = None,
    at: own.At = own.AT,
    chunks: own.Chunks = 0,
    csv: own.Csv = None,
    plot: own.Plot = None,
    folder: options.Workspace = None,
    as_json: options.Json = False,
) -> None:
    """Ask questions that retrieval tends to fail, with and without each part of a lookup of anchors.

    A copy of the workspace that DATASET names (or --workspace) is built, without the lines of questions marked
    updated_after_build, then brought in step, and asked; beside it stand a hybrid query and BM25 over the same
    chunks. `hippo bench make-corf` draws up questions; those that you write yourself show more:

      {"version": 1, "workspace": "workspace", "queries": [
        {"id": "price", "text": "what did we decide about its price?", "kind": "pronoun",
         "project": "plumbline", "gold": [{"path": "projects/plumbline/DECISIONS.md", "start": 29, "end": 29}],
         "updated_after_build": false}]}

    Kinds: failed, pronoun (has a project), associative, source, silent, paraphrase, absent (has no gold).

    Examples:
      hippo bench corf fixtures/corf.json
      hippo bench corf corf.json --ablation no-rerank --at 10 --json
      hippo bench corf corf.json --chunks 50000 --csv corf.csv
    """
    from hippocampus_cli.benchmarks.corf.findings import findings
    from hippocampus_cli.benchmarks.corf.reading import read_dataset
    from hippocampus_cli.benchmarks.corf.run import Plan, run
    from hippocampus_cli.benchmarks.saving import check_targets

    session = begin(ctx, workspace=folder, as_json=as_json)
    check_targets(csv, plot)
    named = choices.chosen(own.listed(ablation), own.ABLATIONS, "--ablation")
    plan = Plan(tuple(named), own.ks(at), chunks)
    questions = read_dataset(dataset)
    session.workspace = session.workspace or questions.root
    with session.output.progress("asking") as advance:
        report = run(questions, session.root(), session.config(), session.now, plan, advance)
    own.deliver(session, findings(report), csv, plot)


@app.command("make-corf")
def make_corf(
    ctx: typer.Context,
    out: own.CorfTarget = Path("corf.json"),
    paraphrases: own.Paraphrases = 100,
    seed: own.Seed = 1,
    folder: options.Workspace = None,
    as_json: options.Json = False,
) -> None:
    """Draw up questions about your own notes for `hippo bench corf`.

    Queries that failed and were answered later come from the journal of accesses; the others are made from
    headings, project folders, the company that words keep, and the thesaurus: the same ones for the same notes
    and seed. They show whether places are found again, not how people ask. A file that is there is left alone.

    Examples:
      hippo bench make-corf
      hippo bench make-corf --out questions.json --paraphrases 50 --seed 7
    """
    from hippocampus_cli.benchmarks.corf.making import WARNING, Plan, counts, make
    from hippocampus_cli.benchmarks.corf.writing import check_new, write_new
    from hippocampus_cli.cli.render.corf import print_made

    session = begin(ctx, workspace=folder, as_json=as_json)
    check_new(out)
    plan = Plan(paraphrases, seed)
    made = make(session.root(), session.config(), out, plan, session.now)
    write_new(out, made)
    print_made(session.output, out, made.workspace, counts(made), WARNING)


@app.command()
def peers(
    ctx: typer.Context,
    file: own.PeersFile = None,
    peer: own.Peers = None,
    embeddings: own.Embeddings = None,
    conversation: own.Conversations = None,
    questions: own.Questions = None,
    limit: own.LimitQuestions = None,
    rounds: own.Rounds = 3,
    csv: own.Csv = None,
    plot: own.Plot = None,
    folder: options.Workspace = None,
    as_json: options.Json = False,
) -> None:
    """Measure other tools beside hippo, those that you have: ripgrep, qmd, basic-memory, memsearch.

    Each gets a copy of the same notes and a home of its own in a scratch folder, none of your keys, and is told
    to stay off the network; what is not installed is a row that says so. FILE is LoCoMo's; without it your own
    notes are asked, as `hippo bench workspace` does. memsearch needs vectors: --embeddings names a server of
    yours on this machine.

    Examples:
      hippo bench peers locomo10.json --conversation conv-26 --limit-questions 100
      hippo bench peers --questions questions.toml --peers rg,qmd
      hippo bench peers locomo10.json --embeddings http://127.0.0.1:8080/v1 --json
    """
    from hippocampus_cli.benchmarks.peers.findings import findings
    from hippocampus_cli.benchmarks.peers.known import PEERS
    from hippocampus_cli.benchmarks.peers.run import Plan, run
    from hippocampus_cli.benchmarks.saving import check_targets

    session = begin(ctx, workspace=folder, as_json=as_json)
    check_targets(csv, plot)
    named = choices.chosen(own.listed(peer), own.PEERS, "--peers")
    plan = Plan(own.on_this_machine(embeddings), rounds)
    source, config = source_of_peers(session, file, conversation, questions, limit)
    asked = [one for one in PEERS if not named or one.key in named]
    with session.output.progress("asking") as advance:
        report = run(source, asked, config, plan, advance)
    own.deliver(session, findings(report), csv, plot)
