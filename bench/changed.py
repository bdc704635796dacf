"""``python -m bench changed FOLDER``: questions whose answer changed, before and after one round of judgements.

Each question of the kind *changed* is asked, with ``--phrasings`` in other words, too. What hippo then asks as a
``compare`` task of it is written to ``--tasks``, with its evidence alone. With ``--judgements``, a file of answers by
the tasks' ids, these are applied and the questions are asked again. Current first: the first place shown is the gold;
stale marked: of the shown places with an earlier value, those that say that they are outdated.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

from bench.real import any_of
from bench.samples import Answers, Lines
from bench.sheet import Column, Findings, Sheet
from hippocampus_cli.api import Workspace, open_workspace
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.output import plain
from hippocampus_cli.query.results import Result
from hippocampus_cli.workspace.kinds import date_of

_CHANGED = "changed"
_COLUMNS = (
    Column("when", "when"),
    Column("questions", "questions", ",d"),
    Column("current_first", "current first", ",d"),
    Column("stale_first", "stale first", ",d"),
    Column("stale_shown", "stale shown", ",d"),
    Column("stale_marked", "marked", ",d"),
    Column("current_marked", "current marked", ",d"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the measure."""
    add = parser.add_argument
    add("folder", type=Path, metavar="FOLDER", help="the workspaces, a folder each")
    add("--questions", type=Path, required=True, metavar="FILE", help="what is asked")
    add("--phrasings", type=Path, metavar="FILE", help="other wordings by a question's number")
    add("--tasks", type=Path, metavar="FILE", help="write the tasks that are asked then")
    add("--judgements", type=Path, metavar="FILE", help="answers by the ids of the tasks")


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """Ask, take the judgements, and ask again; nothing but scratch folders is touched."""
    given = json.loads(options.questions.read_text(encoding="utf-8"))["questions"]
    others = json.loads(options.phrasings.read_text(encoding="utf-8")) if options.phrasings else {}
    rows = [
        {**row, "phrasings": others.get(str(number), [])}
        for number, row in enumerate(given)
        if row["kind"] == _CHANGED
    ]
    names = [
        n for n in dict.fromkeys(r["workspace"] for r in rows) if (options.folder / n).is_dir()
    ]
    answers = (
        json.loads(options.judgements.read_text(encoding="utf-8")) if options.judgements else {}
    )
    tasks: list[Mapping[str, Any]] = []
    counts: list[list[list[int]]] = []
    with session.output.progress("asking") as advance:
        for number, name in enumerate(names, 1):
            own = [row for row in rows if row["workspace"] == name]
            with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
                copy = Path(scratch) / name
                ignore = shutil.ignore_patterns(".git")
                shutil.copytree(options.folder / name, copy, symlinks=True, ignore=ignore)
                counts.append(_of_workspace(copy, own, answers, tasks))
            advance(number, len(names))
    if options.tasks:
        options.tasks.write_text(json.dumps(tasks, ensure_ascii=False, indent=1), encoding="utf-8")
    return _findings(counts)


def _of_workspace(
    root: Path,
    rows: Sequence[Mapping[str, Any]],
    answers: Mapping[str, Any],
    tasks: list[Mapping[str, Any]],
) -> list[list[int]]:
    """The outcomes of each question, before and after; what was asked is added to ``tasks``."""
    sides = [(_any(root, row, "gold"), _any(root, row, "stale")) for row in rows]
    days = filter(None, (date_of(path.relative_to(root).as_posix()) for path in root.rglob("*.md")))
    now = datetime.combine(max(days, default=date.today()), time(12), UTC)
    with open_workspace(root, environ={}) as workspace:
        workspace.at(now).bootstrap()
        outcomes = [
            _asked(workspace, row, *side, now) for row, side in zip(rows, sides, strict=True)
        ]
        found = workspace.at(now).curation.tasks(kinds=["compare"], limit=100)
        tasks += [
            plain({"id": task.id, **task._asdict(), "workspace": root.name}) for task, _ in found
        ]
        ids = [task.id for task, _ in found if task.id in answers]
        workspace.at(now).curation.answer([(id, answers[id]) for id in ids], who="agent")
        again = (_asked(workspace, row, *side, now) for row, side in zip(rows, sides, strict=True))
        return [before + after for before, after in zip(outcomes, again, strict=True)]


def _any(root: Path, row: Mapping[str, Any], name: str) -> Answers:
    golds = row.get(name) or []
    return any_of(root, golds if isinstance(golds, list) else [golds])


def _asked(
    workspace: Workspace, row: Mapping[str, Any], gold: Answers, stale: Answers, now: datetime
) -> list[int]:
    """Whether the first place is current, or stale; how many stale ones are shown, how many of them marked; how many
    current ones are marked."""
    shown = workspace.at(now).query(row["question"], phrasings=row["phrasings"]).results

    def marked(side: Answers) -> list[bool]:
        return [bool(result.superseded) for result in shown if _is(result, side)]

    first = [_is(result, side) for side in (gold, stale) for result in shown[:1]] or [False, False]
    old = marked(stale)
    return [*map(int, first), len(old), sum(old), sum(marked(gold))]


def _is(result: Result, side: Answers) -> bool:
    return side(Lines(result.path, result.start_line, result.end_line), result.text)


def _findings(counts: Sequence[Sequence[Sequence[int]]]) -> Findings:
    outcomes = [outcome for each in counts for outcome in each]
    half = len(_COLUMNS) - 2
    sums = [sum(column) for column in zip(*outcomes, strict=True)]
    rows = (
        ("before", len(outcomes), *sums[:half]),
        ("after", len(outcomes), *sums[half:]),
    )
    keys = [column.key for column in _COLUMNS]
    document = {"rows": [dict(zip(keys, row, strict=True)) for row in rows]}
    sheet = Sheet("Questions whose answer changed", _COLUMNS, rows)
    legend = (
        "A place is gold or stale by its lines and words; judgements see a task's evidence alone."
    )
    return Findings(document, (sheet,), (legend,), sheet)
