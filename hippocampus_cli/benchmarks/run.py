"""What ``make bench`` does, step by step."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path
from statistics import median

from hippocampus_cli.api import Workspace, open_workspace
from hippocampus_cli.benchmarks.made_up import write_notes
from hippocampus_cli.benchmarks.methods import full_scan, grep, hippo, notes_of
from hippocampus_cli.benchmarks.processes import in_turn
from hippocampus_cli.benchmarks.quality import Score, measure
from hippocampus_cli.benchmarks.questions import Gold, Question, load_questions
from hippocampus_cli.benchmarks.report import Report, Row
from hippocampus_cli.workspace.note import Note

_MODES = {"index only": "index", "search only": "search", "hybrid": "hybrid"}
_DERIVED = 100
_WARNING = (
    "No questions were given, so the headings of the notes are asked for. Their words stand in the notes: "
    "this shows whether places are found again, not whether paraphrases are."
)


def run(
    copy: Path,
    questions_file: Path | None,
    scratch: Path,
    *,
    now: datetime,
    rounds: int,
    files: int,
) -> Report:
    """Measure ``copy``, a workspace that may be changed."""
    with open_workspace(copy) as workspace:
        workspace.bootstrap(now=now)
        notes = notes_of(workspace)
        if questions_file:
            questions = load_questions(questions_file, workspace.library.note)
        else:
            questions = _from_headings(notes)
        scores = _scores(workspace, notes, questions, now)
    processes = _processes(copy, questions, rounds)
    rows = [_row(name, score, processes) for name, score in scores.items()]
    return Report(
        workspace=str(copy.name),
        files=len(notes),
        questions=len(questions),
        rows=tuple(rows),
        processes=processes,
        rates=_rates(scratch / "many", notes, questions, files, now),
        warning="" if questions_file else _WARNING,
    )


def _scores(
    workspace: Workspace, notes: list[Note], questions: list[Question], now: datetime
) -> dict[str, Score]:
    scores = {
        "full scan": measure(full_scan(notes), questions, everything=True),
        "grep + top 5 files": measure(grep(notes), questions),
    }
    for name, mode in _MODES.items():
        scores[name] = measure(hippo(workspace, mode, now), questions)
    return scores


def _row(name: str, score: Score, processes: dict[str, float]) -> Row:
    mode = _MODES.get(name)
    cold = processes[f"hippo query --mode {mode}"] if mode else None
    return Row(
        name, score.hit1, score.hit5, score.tokens, cold, score.ms, score.refused, score.by_kind
    )


def _processes(copy: Path, questions: list[Question], rounds: int) -> dict[str, float]:
    text = questions[0].text if questions else "memory"
    ask = ("-m", "hippocampus_cli", "query", text, "--workspace", str(copy))
    commands: dict[str, tuple[str, ...]] = {
        "python -c pass": ("-c", "pass"),
        "import typer": ("-c", "import typer"),
        "hippo --version": ("-m", "hippocampus_cli", "--version"),
    }
    for mode in _MODES.values():
        commands[f"hippo query --mode {mode}"] = (*ask, "--mode", mode)
    return in_turn(commands, rounds)


def _rates(
    root: Path, notes: list[Note], questions: list[Question], files: int, now: datetime
) -> dict[str, float]:
    """Bootstrap, first build and warm queries on many notes."""
    write_notes(root, notes, files)
    with open_workspace(root) as workspace:
        started = time.perf_counter()
        workspace.bootstrap(now=now)
        bootstrap = time.perf_counter() - started
        started = time.perf_counter()
        workspace.library.refresh()
        build = time.perf_counter() - started
        times = []
        for question in questions:
            started = time.perf_counter()
            workspace.query(question.text, write=False, now=now)
            times.append((time.perf_counter() - started) * 1000)
    return {
        f"bootstrap, {files:,} files, files/s": files / bootstrap,
        "first cache build, files/s": files / build,
        "warm query, median ms": median(times),
        "warm query, slowest of 20 ms": sorted(times)[-max(1, len(times) // 20)],
    }


def _from_headings(notes: list[Note]) -> list[Question]:
    """Questions that ask for headings, spread over the notes; each once."""
    found: dict[str, Question] = {}
    for note in notes:
        for section in note.sections:
            if section.level and len(section.title) > 3:
                gold = Gold(note.path, section.start, section.tree_end)
                key = section.title.lower()
                old = found.get(key)
                places = (*old.gold, gold) if old else (gold,)
                found[key] = Question(key, section.title, "heading", places)
    every = max(1, len(found) // _DERIVED)
    return list(found.values())[::every][:_DERIVED]
