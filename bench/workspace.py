"""``python -m bench workspace``: a copy of one's own notes is asked in every way, and whole processes are timed."""

from __future__ import annotations

import argparse
import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from math import inf, log10
from pathlib import Path
from typing import NamedTuple

from bench.arguments import whole
from bench.charts import Spec, labelled_points
from bench.places import (
    ABSENT,
    Method,
    Score,
    bm25_sections,
    full_scan,
    grep,
    hippo,
    notes_of,
    score,
)
from bench.processes import in_turn
from bench.questions import WARNING, Question, derived, load_questions
from bench.sheet import Cell, Column, Findings, Sheet
from hippocampus_cli.api import Workspace
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.config import CONFIG_PATH, Config
from hippocampus_cli.errors import FileUnreadable, FileUnwritable, UsageError
from hippocampus_cli.index.document import MASTER, TOPICS
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.scan import scan


class Kind(NamedTuple):
    """Shares of the questions of one kind, 0 to 1, and how many there are."""

    hit1: float
    hit5: float
    questions: int


class Row(NamedTuple):
    """One method. ``hit1``, ``hit5``: the share of questions that the first place, or the first five, answer;
    ``refused``: the share of those without an answer that got none, where there are such. ``warm_ms`` is a
    question in a process that has answered before, ``cold_ms`` a whole process; ``cost`` is what the tokens of
    a month's questions cost."""

    method: str
    name: str
    tokens: float
    cold_ms: float | None
    warm_ms: float
    hit1: float
    hit5: float
    refused: float | None
    cost: float
    by_kind: Mapping[str, Kind]


class Report(NamedTuple):
    """``note_tokens`` are those of all notes; ``price`` is for a million tokens; ``processes`` are whole
    processes in milliseconds; ``warning`` says what the questions cannot show."""

    workspace: str
    notes: int
    note_tokens: int
    questions: int
    derived: bool
    price: float
    questions_a_month: int
    rows: tuple[Row, ...]
    processes: Mapping[str, float]
    warning: str


Progress = Callable[[int, int], object]

_MODES = {"index": "index only", "search": "search only", "hybrid": "hybrid"}
_NAMES = {
    "full-scan": "full scan",
    "grep": "grep + top 5 files",
    "bm25-sections": "BM25, sections",
    **_MODES,
}


class Plan(NamedTuple):
    """How much is measured, and what tokens cost: ``price`` for a million, ``questions_a_month``."""

    price: float = 3.0
    questions_a_month: int = 2_500
    rounds: int = 9


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the benchmark."""
    add = parser.add_argument
    add(
        "workspace",
        nargs="?",
        type=Path,
        metavar="FOLDER",
        default=argparse.SUPPRESS,
        help="notes; by default found upwards",
    )
    add(
        "--questions",
        type=Path,
        metavar="FILE",
        help="your questions with their right places, as TOML",
    )
    add(
        "--price",
        type=_price,
        default=Plan().price,
        metavar="DOLLARS",
        help="for a million tokens (default 3)",
    )
    add(
        "--per-month",
        type=whole(),
        default=Plan().questions_a_month,
        metavar="N",
        help="questions a month (default 2500)",
    )
    add(
        "--rounds",
        type=whole(1),
        default=Plan().rounds,
        metavar="N",
        help="whole processes of each command (default 9)",
    )


def _price(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 <= float(text) < inf:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number of dollars")


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """Measure your own notes: tokens, time, answers and what a month costs, for each way of asking.

    A copy of the notes, the index and the settings is asked; the folder itself is only read. Without
    --questions the notes are asked for their own headings and facts, which shows whether things are found
    again, not whether other words for them are. A question of yours, any of whose places answers it:

      [[query]]
      text = "how do we ship a release"
      kind = "paraphrase"
      gold = [{ path = "TOOLS.md", section = "Deploy" }]

    Kind "multi" wants all of its places, "absent" has none: nothing should be found.
    """
    plan = Plan(options.price, options.per_month, options.rounds)
    with session.output.progress("asking") as advance:
        report = run(
            session.root(), session.config_anywhere(), options.questions, session.now, plan, advance
        )
    return findings(report)


def run(
    root: Path,
    config: Config,
    questions_file: Path | None,
    now: datetime,
    plan: Plan,
    progress: Progress = lambda done, total: None,
) -> Report:
    """Measure a copy of the workspace ``root``, which is removed afterwards; ``root`` is only read.

    The index is taken as it is; where there is none, one is created. Raises what ``load_questions`` and
    ``copy_workspace`` raise, :class:`UsageError` where there is nothing to ask for.
    """
    with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
        copy = Path(scratch) / "workspace"
        copy_workspace(root, config, copy)
        with Workspace(copy, config) as workspace:
            if not workspace.store.exists():
                workspace.at(now).bootstrap()
            notes = notes_of(workspace)
            given = load_questions(questions_file, workspace.library.note) if questions_file else []
            questions = given or derived(notes)
            if not questions:
                advice = "write some first, or name another folder"
                raise UsageError(reason="the notes hold nothing to ask for", advice=advice)
            scores = _scores(workspace, notes, questions, now, progress)
        processes = _processes(copy, safe_line(questions[0].text), plan.rounds)
    refusable = any(one.kind == ABSENT for one in questions)
    return Report(
        workspace=root.name,
        notes=len(notes),
        note_tokens=sum(tokens(note.text) for note in notes),
        questions=len(questions),
        derived=not given,
        price=plan.price,
        questions_a_month=plan.questions_a_month,
        rows=tuple(_row(key, one, processes, plan, refusable) for key, one in scores.items()),
        processes=processes,
        warning="" if given else WARNING,
    )


def _scores(
    workspace: Workspace,
    notes: Sequence[Note],
    questions: Sequence[Question],
    now: datetime,
    progress: Progress,
) -> dict[str, Score]:
    """Every method's score."""
    methods: dict[str, Method] = {
        "full-scan": full_scan(list(notes)),
        "grep": grep(list(notes)),
        "bm25-sections": bm25_sections(notes),
        **{mode: hippo(workspace, mode, now) for mode in _MODES},
    }
    scores = {}
    for at, (key, method) in enumerate(methods.items()):
        method(questions[0].text)  # so that caches are built, and warm
        scores[key] = score(method, questions, everything=key == "full-scan")
        progress(at + 1, len(methods))
    return scores


def _row(
    key: str, score: Score, processes: Mapping[str, float], plan: Plan, refusable: bool
) -> Row:
    return Row(
        method=key,
        name=_NAMES[key],
        tokens=score.tokens,
        cold_ms=processes.get(_command(key)),
        warm_ms=score.ms,
        hit1=score.hit1,
        hit5=score.hit5,
        refused=score.refused if refusable else None,
        cost=score.tokens * plan.questions_a_month * plan.price / 1_000_000,
        by_kind={kind: Kind(*shares) for kind, shares in score.by_kind.items()},
    )


def _command(mode: str) -> str:
    return f"hippo query --mode {mode}"


def _processes(copy: Path, text: str, rounds: int) -> dict[str, float]:
    """The milliseconds of whole processes. A question is text: it comes after ``--``."""
    ask = ("-m", "hippocampus_cli", "query", "--workspace", str(copy), "--mode")
    commands: dict[str, tuple[str, ...]] = {
        "python -c pass": ("-c", "pass"),
        "import typer": ("-c", "import typer"),
        "hippo --version": ("-m", "hippocampus_cli", "--version"),
        **{_command(mode): (*ask, mode, "--", text) for mode in _MODES},
    }
    return in_turn(commands, rounds)


def copy_workspace(root: Path, config: Config, to: Path) -> None:
    """Copy the notes that a query would read, their times included, the index and the settings.

    The folder itself is only read. A file that is removed meanwhile is left out. Raises
    :class:`FileUnreadable`, :class:`FileUnwritable`.
    """
    notes = [stat.path for stat in scan(root, config.scan).files]
    to.mkdir(parents=True)
    for path in (*notes, *_own(root)):
        with contextlib.suppress(FileNotFoundError):
            _copy(root / path, to / path)


def _own(root: Path) -> Iterator[str]:
    """The index with its topic files, and the settings."""
    yield from (path for path in (MASTER, CONFIG_PATH) if (root / path).is_file())
    topics = root / TOPICS
    if topics.is_dir() and not topics.is_symlink():
        yield from (f"{TOPICS}{file.name}" for file in topics.glob("*.md") if file.is_file())


def _copy(source: Path, target: Path) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileUnwritable(path=str(target), reason=error.strerror or str(error)) from error
    try:
        shutil.copy2(source, target)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise FileUnreadable(path=str(source), reason=error.strerror or str(error)) from error


_NAME = Column("name", "method")
_SCORES = (
    Column("hit1", "hit@1", ".3f"),
    Column("hit5", "hit@5", ".3f"),
    Column("refused", "refused", ".2f"),
)


def findings(report: Report) -> Findings:
    """The report as tables, notes and a chart."""
    return Findings(
        document=document(report),
        sheets=(_main(report), _by_kind(report), _times(report)),
        notes=tuple(_notes(report)),
        table=_table(report),
        chart=_chart(report),
    )


def document(report: Report) -> dict[str, object]:
    """What ``--json`` prints."""
    return {
        "benchmark": "workspace",
        **report._asdict(),
        "rows": [
            {
                **_rounded(row._asdict()),
                "by_kind": {kind: _rounded(one._asdict()) for kind, one in row.by_kind.items()},
            }
            for row in report.rows
        ],
        "processes": _rounded(report.processes),
    }


def _rounded(values: Mapping[str, object]) -> dict[str, object]:
    return {key: round(v, 4) if isinstance(v, float) else v for key, v in values.items()}


def _main(report: Report) -> Sheet:
    columns = (
        _NAME,
        Column("tokens", "tokens", ",.0f"),
        Column("cold_ms", "cold ms", ",.0f"),
        Column("warm_ms", "warm ms", ",.1f"),
        *_SCORES,
        Column("cost", "a month", "$,.2f"),
    )
    rows = tuple(
        (r.name, r.tokens, r.cold_ms, r.warm_ms, r.hit1, r.hit5, r.refused, r.cost)
        for r in report.rows
    )
    title = f"{report.questions:,} questions, {report.notes:,} notes, {report.note_tokens:,} tokens"
    return Sheet(title, columns, rows)


def _kinds(report: Report) -> dict[str, int]:
    return {kind: one.questions for kind, one in report.rows[0].by_kind.items()}


def _by_kind(report: Report) -> Sheet:
    kinds = _kinds(report)
    columns = tuple(Column(kind, f"{kind} {count:,}", ".2f") for kind, count in kinds.items())
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (row.name, *(row.by_kind[kind].hit5 for kind in kinds)) for row in report.rows
    )
    return Sheet("hit@5 by kind", (_NAME, *columns), rows)


def _times(report: Report) -> Sheet:
    base = report.processes["import typer"]
    columns = (
        Column("process", "process"),
        Column("ms", "ms", ",.0f"),
        Column("times", "× import typer", ".2f"),
    )
    rows = tuple((name, ms, ms / base) for name, ms in report.processes.items())
    return Sheet("whole processes", columns, rows)


def _notes(report: Report) -> Iterator[str]:
    yield (
        "tokens: what a question returns (estimates). cold: a whole process, warm: a question in a process "
        "that has answered before (grep and BM25 with all notes in memory). hit@1, hit@5: the first place, or the "
        "first five, answer the question. refused: of the questions without an answer, those that got none. "
        f"a month: {report.questions_a_month:,} questions at ${report.price:g} for a million tokens."
    )
    if report.warning:
        yield report.warning


def _table(report: Report) -> Sheet:
    kinds = _kinds(report)
    keys = ("method", "tokens", "cold_ms", "warm_ms", "hit1", "hit5", "refused", "cost")
    columns = (*keys, *(f"hit5_{kind}" for kind in kinds))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (*(getattr(row, key) for key in keys), *(row.by_kind[kind].hit5 for kind in kinds))
        for row in report.rows
    )
    return Sheet("workspace", tuple(Column(key, "") for key in columns), rows)


def _chart(report: Report) -> Spec:
    places: dict[tuple[float, float], list[str]] = {}
    for row in report.rows:  # methods at one point share a label
        place = (round(log10(max(1.0, row.tokens)), 1), round(row.hit5, 2))
        places.setdefault(place, []).append(row.name)
    rows = [
        {"name": ", ".join(names), "tokens": 10**tokens, "hit5": hit5}
        for (tokens, hit5), names in places.items()
    ]
    title = (
        f"{report.questions:,} questions, {report.notes:,} notes: answered, by tokens a question"
    )
    up = ("hit5", "answered by the first five")
    return labelled_points(rows, title, across=("tokens", "tokens a question"), up=up)
