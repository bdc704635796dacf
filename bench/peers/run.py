"""``python -m bench peers``: other tools over the same notes, in the same run.

Every tool indexes the same notes and is asked the same questions; then each is timed as a process, in turn.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from math import inf
from pathlib import Path
from typing import NamedTuple

from bench.arguments import chosen, on_this_machine, whole
from bench.charts import Spec, labelled_points
from bench.comparison import answers, only
from bench.dataset import Case, Dataset, Folder, Progress, own_notes, silent
from bench.locomo import read_locomo
from bench.methods import RANKINGS, Ask, Desk, Ranking
from bench.metrics import METRICS, Interval, Ranked, intervals, quantile
from bench.peers.process import Peer, PeerFailed, Place, output, ranked, seconds_of
from bench.peers.tools import PEERS
from bench.processes import medians, timed
from bench.scoring import best_figures
from bench.sheet import Cell, Column, Findings, Sheet
from bench.tables import mean, plain
from hippocampus_cli import __version__
from hippocampus_cli.api import Workspace
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.config import Config, load
from hippocampus_cli.errors import UsageError
from hippocampus_cli.markdown.safe import safe_line

TOLD = ("files_at_1", "files_at_5", "files_at_10", "any_at_5", "cov_1000")
"""The keys of ``METRICS`` that every tool can be measured by."""
MODES = ("search", "hybrid")
_AT = [list(METRICS).index(key) for key in TOLD]
_TYPER = "import typer"
_LONGEST = 100  # characters of what a tool says went wrong
_VERSION = re.compile(r"\d+(?:\.\d+)+\S*")
_COSTS = (
    Column("tokens", "tokens", ",.0f"),
    Column("index_s", "index s", ",.1f"),
    Column("cold_ms", "cold ms", ",.0f"),
    Column("warm_ms", "warm ms", ",.1f"),
)


class Row(NamedTuple):
    """One tool in one way of asking it.

    ``version`` is None where it is not installed, ``problem`` says why there are no figures (else it is
    empty), ``install`` is the command that installs it. ``figures`` have the keys :data:`TOLD`; ``tokens``
    (characters / 4) are those of the first five results. ``index_s`` is the time to index all folders,
    ``cold_ms`` a question as a process of its own, ``warm_ms`` one to a process that runs already, None where
    the tool has no such way.
    """

    peer: str
    name: str
    version: str | None
    install: str
    problem: str
    figures: Mapping[str, Interval]
    tokens: float | None
    index_s: float | None
    cold_ms: float | None
    warm_ms: float | None


class Report(NamedTuple):
    """``embeddings`` tells whether there was a server for tools that need one; ``import_typer_ms`` is a bare
    process of Python beside the cold ones."""

    folders: int
    files: int
    questions: int
    embeddings: bool
    import_typer_ms: float
    rows: tuple[Row, ...]


class Plan(NamedTuple):
    """``embeddings`` is the address of a server on this machine; ``rounds`` are processes of each command."""

    embeddings: str | None = None
    rounds: int = 3


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m bench peers``."""
    add = parser.add_argument
    add("file", type=Path, nargs="?", help="LoCoMo's JSON; without it, --workspace is asked")
    names = f"only these, with commas between: {', '.join(one.key for one in PEERS)}"
    add("--peers", action="append", metavar="NAMES", help=names)
    add("--embeddings", metavar="URL", help="a server on this machine with OpenAI's embeddings")
    add("--conversation", action="append", metavar="ID", help="only this one; repeatable")
    add("--questions", type=Path, metavar="FILE", help="your questions with their places, as TOML")
    add("--limit-questions", type=whole(1), metavar="N", help="so many at most, spread evenly")
    add("--rounds", type=whole(1), default=3, help="whole processes of each command")


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """Measure other tools beside hippo, those that you have: ripgrep, qmd, basic-memory, memsearch.

    Each gets a copy of the same notes and a home of its own in a scratch folder, none of your keys, and is told
    to stay off the network; what is not installed is a row that says so. FILE is LoCoMo's; without it your own
    notes are asked, as `python -m bench workspace` does. memsearch needs vectors: --embeddings names a server of
    yours on this machine.
    """
    named = chosen(options.peers, [one.key for one in PEERS], "--peers")
    plan = Plan(on_this_machine(options.embeddings), options.rounds)
    asked = [one for one in PEERS if not named or one.key in named]
    with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
        dataset, config = _source(session, options, Path(scratch) / "own")
        with session.output.progress("asking") as advance:
            limited = dataset.limited(options.limit_questions)
            return findings(run(limited, asked, config, plan, advance))


def _source(
    session: CommandContext, options: argparse.Namespace, copy: Path
) -> tuple[Dataset, Config]:
    """What to ask, and the settings to ask hippo with. Raises :class:`UsageError`."""
    if options.file is None:
        if options.conversation:
            advice = "name the file first, as `python -m bench peers locomo10.json`"
            raise UsageError(reason="--conversation is for LoCoMo's file", advice=advice)
        root, config = session.root(), session.config_anywhere()
        return own_notes(root, config, options.questions, session.now, copy), config
    if options.questions is not None:
        advice = "leave out the file, and name a folder with --workspace"
        raise UsageError(reason="--questions are for notes of your own", advice=advice)
    return only(read_locomo(options.file), options.conversation), load(None, session.environ)


class Opened(NamedTuple):
    """Somebody whose index is built. ``cold`` times a question as a process, in seconds, also once this has
    been closed; ``warm`` tells whether ``ask`` starts none."""

    ask: Ask
    cold: Callable[[str], float]
    warm: bool


class Contestant(NamedTuple):
    """``version`` is None for a tool that is not installed; ``open`` takes notes and an empty folder to work in."""

    key: str
    name: str
    version: str | None
    install: str
    open: Callable[[Folder, Path], AbstractContextManager[Opened]]


def hippo(config: Config) -> list[Contestant]:
    """hippo's ways of asking."""
    return [
        Contestant(
            *(one.key, f"hippo, {one.key}", __version__, "pip install hippocampus-cli"),
            partial(_open_hippo, one, config),
        )
        for one in RANKINGS
        if one.key in MODES
    ]


@contextmanager
def _open_hippo(
    ranking: Ranking, config: Config, folder: Folder, scratch: Path
) -> Iterator[Opened]:
    root = folder.write(scratch / "notes", own=True)
    ask = ("-m", "hippocampus_cli", "query", "--workspace", str(root), "--mode", ranking.key, "--")
    with Workspace(root, config) as workspace:
        if not workspace.store.exists():
            workspace.at(folder.now).bootstrap()
        desk = Desk(folder.corpus, workspace, folder.now)
        yield Opened(ranking.make(desk), lambda text: timed((*ask, safe_line(text))), warm=True)


def other(peer: Peer, embeddings: str | None, scratch: Path) -> Contestant:
    """Another tool; ``scratch`` is where its version is asked for."""
    program = shutil.which(peer.program)
    version = _version(program, scratch) if program else None
    opened = partial(_open_peer, peer, program or peer.program, embeddings)
    return Contestant(peer.key, peer.name, version, peer.install, opened)


def _version(program: str, scratch: Path) -> str:
    """What it calls itself, "?" where it does not say."""
    try:
        said = output((program, "--version"), _place(program, scratch), seconds=60)
    except PeerFailed:
        return "?"
    found = _VERSION.search(said)
    return found[0] if found else "?"


def _place(program: str, scratch: Path, embeddings: str | None = None) -> Place:
    home, notes = scratch / "home", scratch / "notes"
    for folder in (home, notes):
        folder.mkdir(parents=True, exist_ok=True)
    return Place(program, notes, home, embeddings)


@contextmanager
def _open_peer(
    peer: Peer, program: str, embeddings: str | None, folder: Folder, scratch: Path
) -> Iterator[Opened]:
    folder.write(scratch / "notes")
    place = _place(program, scratch, embeddings)
    with ExitStack() as running:
        with _understood():
            asking = running.enter_context(peer.open(place))

        def ask(text: str) -> Ranked:
            with _understood():
                return ranked(asking.ask(text))

        def cold(text: str) -> float:
            return seconds_of(asking.command(text), place, asking.variables)

        yield Opened(ask, cold, asking.warm)


@contextmanager
def _understood() -> Iterator[None]:
    """What a tool says in another shape than it used to is its failure, not ours."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise PeerFailed(f"what it says is not understood: {error!r}") from error


def run(
    dataset: Dataset, peers: Sequence[Peer], config: Config, plan: Plan, progress: Progress = silent
) -> Report:
    """Work in a scratch folder, which is gone afterwards. What a tool fails at stands in its row.

    Raises :class:`UsageError` where there is no question to ask.
    """
    folders = [folder for folder in dataset.folders if folder.cases]
    if not folders:
        advice = "name another conversation, or all of them"
        raise UsageError(reason="there is no question to ask", advice=advice)
    questions = sum(len(folder.cases) for folder in folders)
    with tempfile.TemporaryDirectory(prefix="hippo-bench-", ignore_cleanup_errors=True) as name:
        scratch = Path(name)
        others = [other(one, plan.embeddings, scratch / "version" / one.key) for one in peers]
        contestants = [*others, *hippo(config)]
        rows, timings = [], {_TYPER: lambda: timed(("-c", _TYPER))}
        for at, one in enumerate(contestants):
            told = partial(_told, progress, at * questions, len(contestants) * questions)
            row, cold = _measured(one, folders, scratch / one.key, told)
            told(questions)
            rows.append(row)
            if cold is not None:
                timings[one.key] = partial(_or_never, cold)
        found = medians(timings, plan.rounds)
    took = {key: ms for key, ms in found.items() if ms < inf}  # those that came to an end
    return Report(
        folders=len(folders),
        files=sum(len(folder.corpus.files) for folder in folders),
        questions=questions,
        embeddings=plan.embeddings is not None,
        import_typer_ms=took[_TYPER],
        rows=tuple(row._replace(cold_ms=took.get(row.peer)) for row in rows),
    )


def _told(progress: Progress, before: int, total: int, done: int) -> None:
    progress(before + done, total)


def _measured(
    one: Contestant, folders: Sequence[Folder], scratch: Path, told: Callable[[int], None]
) -> tuple[Row, Callable[[], float] | None]:
    """All questions put to a contestant, or what it stumbled over; and what times its first question as a process,
    in seconds."""
    row = Row(*one[:4], "", {}, None, None, None, None)
    if one.version is None:
        return row._replace(problem="not installed"), None
    found: list[tuple[Sequence[float], float, int]] = []
    index_s, warm = 0.0, False
    cold: Callable[[], float] | None = None
    try:
        for at, folder in enumerate(folders):
            begun = time.perf_counter()
            with one.open(folder, scratch / str(at)) as opened:
                opened.ask(folder.cases[0].text)  # so that caches are built, and warm
                index_s += time.perf_counter() - begun
                for case, given, ms in answers(partial(_answer, opened.ask), folder.cases):
                    found.append((_figures(given, case, folder), ms, given.tokens))
                    told(len(found))
            warm, cold = opened.warm, cold or partial(opened.cold, folder.cases[0].text)
    except PeerFailed as error:
        return row._replace(problem=safe_line(str(error))[:_LONGEST]), None
    values, times, tokens = zip(*found, strict=True)
    each = (one for one in intervals(list(zip(*values, strict=True))) if one)
    done = row._replace(
        figures=dict(zip(TOLD, each, strict=True)),
        tokens=mean(tokens),
        index_s=index_s,
        warm_ms=quantile(sorted(times), 0.5) if warm else None,
    )
    return done, cold


def _answer(ask: Ask, case: Case) -> Ranked:
    return ask(case.text)


def _figures(given: Ranked, case: Case, folder: Folder) -> tuple[float, ...]:
    """Of the lines that there are: a tool may name others."""
    files = folder.corpus.files
    shown = tuple(
        span._replace(end=min(span.end, len(files[span.path])))
        for span in given.shown
        if span.path in files
    )
    values = best_figures(given._replace(shown=shown), case, folder.corpus)
    return tuple(values[at] for at in _AT)


def _or_never(timing: Callable[[], float]) -> float:
    try:
        return timing()
    except PeerFailed:
        return inf


def findings(report: Report) -> Findings:
    """The report, whoever reads it."""
    rows = [{**plain(row, 2), "figures": plain(row.figures)} for row in report.rows]
    return Findings(
        document={"benchmark": "peers", **plain(report, 2), "rows": rows},
        sheets=tuple(_sheets(report)),
        notes=tuple(_notes(report)),
        table=_table(report),
        chart=_chart(report),
    )


def _sheets(report: Report) -> Iterator[Sheet]:
    folders = f"{report.folders:,} folder{'' if report.folders == 1 else 's'}"
    title = f"{report.questions:,} questions, {report.files:,} files in {folders}"
    name = Column("name", "tool")
    figures = (Column(key, METRICS[key], ".3f") for key in TOLD)
    columns = (name, Column("version", "version"), *figures, *_COSTS)
    yield Sheet(title, columns, tuple(map(_cells, report.rows)))
    if troubled := [row for row in report.rows if row.problem]:
        columns = (name, Column("problem", "why it has no figures"), Column("install", "install"))
        rows = tuple((row.name, row.problem, row.install) for row in troubled)
        yield Sheet("not measured", columns, rows)


def _cells(row: Row) -> tuple[Cell, ...]:
    values = (row.figures[key].value if row.figures else None for key in TOLD)
    return row.name, row.version or "not installed", *values, *_costs(row)


def _costs(row: Row) -> tuple[Cell, ...]:
    return tuple(getattr(row, column.key) for column in _COSTS)


def _notes(report: Report) -> Iterator[str]:
    yield (
        "F: share of the right files among the first k files. any: whether any of them is among the first five. "
        "cov1k: share of the right lines within the first 1,000 tokens (characters / 4) of the notes' lines that "
        "were shown. tokens: the text of the first five results. index: until the first answer was there. cold: "
        f"a whole process; `import typer` alone took {report.import_typer_ms:,.0f} ms. warm: a question to a "
        "process that runs already, where there is such a way."
    )
    if not report.embeddings:
        yield (
            "There was no server of embeddings (--embeddings): a tool that needs vectors had its own model, if it "
            "found one without the network."
        )


def _table(report: Report) -> Sheet:
    bounds = (f"{key}{end}" for key in TOLD for end in ("", "_low", "_high"))
    keys = ("peer", "version", "problem", *bounds, *(one.key for one in _COSTS))
    rows = tuple(
        (row.peer, row.version, row.problem, *_bounds(row), *_costs(row)) for row in report.rows
    )
    return Sheet("peers", tuple(Column(key, "") for key in keys), rows)


def _bounds(row: Row) -> tuple[Cell, ...]:
    if not row.figures:
        return (None,) * (3 * len(TOLD))
    return tuple(value for key in TOLD for value in row.figures[key])


def _chart(report: Report) -> Spec:
    rows = [
        {
            "name": row.name,
            "tokens": max(1.0, row.tokens or 0.0),
            "files_at_5": row.figures["files_at_5"].value,
        }
        for row in report.rows
        if row.figures
    ]
    title = f"{report.questions:,} questions: files found, by tokens of five results"
    across, up = ("tokens", "tokens of five results"), ("files_at_5", "F@5")
    return labelled_points(rows, title, across=across, up=up)
