"""A copy of a workspace is asked what stands in it, by every method, and whole processes are timed."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.api import Workspace
from hippocampus_cli.benchmark.baselines import bm25_sections
from hippocampus_cli.benchmark.copying import copy_workspace
from hippocampus_cli.benchmark.corpus import Corpus, Span
from hippocampus_cli.benchmark.deriving import WARNING, derived
from hippocampus_cli.benchmark.methods import MOST, Given, Method, full_scan, grep, hippo, notes_of
from hippocampus_cli.benchmark.processes import in_turn
from hippocampus_cli.benchmark.quality import ABSENT, Score, measure
from hippocampus_cli.benchmark.questions import Question, Returned, load_questions
from hippocampus_cli.benchmark.report import Kind, Report, Row
from hippocampus_cli.config import Config
from hippocampus_cli.errors import UsageError
from hippocampus_cli.index.budget import tokens
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.workspace.note import Note

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


def run(
    root: Path,
    config: Config,
    questions_file: Path | None,
    now: datetime,
    plan: Plan,
    progress: Progress = lambda done, total: None,
) -> Report:
    """Measure a copy of the workspace ``root``, which is gone afterwards; ``root`` is only read.

    The index is taken as it is; where there is none, one is drawn up. Raises what ``load_questions`` and
    ``copy_workspace`` raise, :class:`UsageError` where there is nothing to ask for.
    """
    with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
        copy = Path(scratch) / "workspace"
        copy_workspace(root, config, copy)
        with Workspace(copy, config) as workspace:
            if not workspace.store.exists():
                workspace.bootstrap(now=now)
            notes = notes_of(workspace)
            given = load_questions(questions_file, workspace.library.note) if questions_file else []
            questions = given or derived(notes)
            if not questions:
                advice = "write some first, or name another folder with --workspace"
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
        "bm25-sections": _bm25(notes),
        **{mode: hippo(workspace, mode, now) for mode in _MODES},
    }
    scores = {}
    for at, (key, method) in enumerate(methods.items()):
        method(questions[0].text)  # so that caches are built, and warm
        scores[key] = measure(method, questions, everything=key == "full-scan")
        progress(at + 1, len(methods))
    return scores


def _bm25(notes: Sequence[Note]) -> Method:
    """Whole sections in the order of SQLite's BM25."""
    files = {note.path: [line.rstrip("\r\n") for line in note.lines] for note in notes}
    sections = tuple(Span(note.path, s.start, s.end) for note in notes for s in note.sections)
    ask = bm25_sections(Corpus(files, frozenset(), sections))

    def method(question: str) -> Given:
        ranked = ask(question)
        places = tuple(Returned(one.path, one.start, one.end) for one in ranked.shown[:MOST])
        return Given(places, ranked.tokens, bool(places))

    return method


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
    """The milliseconds of whole processes. A question is text: it stands behind ``--``."""
    ask = ("-m", "hippocampus_cli", "query", "--workspace", str(copy), "--mode")
    commands: dict[str, tuple[str, ...]] = {
        "python -c pass": ("-c", "pass"),
        "import typer": ("-c", "import typer"),
        "hippo --version": ("-m", "hippocampus_cli", "--version"),
        **{_command(mode): (*ask, mode, "--", text) for mode in _MODES},
    }
    return in_turn(commands, rounds)
