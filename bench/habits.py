"""``python -m bench habits``: for a month half of the questions are asked every week; then all, in fewer words.

What an index can know and a search cannot: which of several places that match has answered such questions. *Word* is
the commonest word of a question's cue, of those that stand in three notes or more.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from bench.corpora import workspaces
from bench.dataset import Case, Folder, plainly
from bench.metrics import Shown, Span
from bench.sheet import Column, Findings, Sheet
from hippocampus_cli.api import Workspace, open_workspace
from hippocampus_cli.cli.context import CommandContext

WEEKS = 4
MODES = ("search", "hybrid")
_WORD = re.compile(r"\w{3,}")
_COMMON = 3  # notes that hold an ambiguous word


class Asked(NamedTuple):
    """One question in one form, with the place of the right answer in each of :data:`MODES`; 0: not in five."""

    habit: bool
    form: str
    places: tuple[int, ...]


def arguments(parser: argparse.ArgumentParser) -> None:
    """It has no options of its own."""


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """Ask in scratch copies of the workspaces; those are written for the purpose and stand in the project."""
    asked: list[Asked] = []
    questions, cues = (read(Path()) for read in (workspaces.read, workspaces.read_cues))
    assert questions is not None and cues is not None
    for folder, short in zip(questions.folders, cues.folders, strict=True):
        with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
            asked += _month(Path(scratch), folder, short)
    return findings(asked)


def _month(root: Path, folder: Folder, short: Folder) -> Iterator[Asked]:
    folder.write(root)
    start = folder.now
    there = [case for case in folder.cases if case.kind != "absent"]
    cue_of = {case.id: case.text for case in short.cases}
    with open_workspace(root) as workspace:
        workspace.at(start).bootstrap()
        for week in range(WEEKS):
            for at, case in enumerate(filter(is_habit, there)):
                workspace.at(start + timedelta(days=7 * week, minutes=at)).query(case.text)
            workspace.at(start + timedelta(days=7 * week, hours=12)).upkeep.run("daily")
        word_of = _commonest(folder)
        for case in there:
            cue = cue_of.get(case.id, "")
            forms = {"question": case.text, "cue": cue, "word": word_of(cue)}
            for form, text in forms.items():
                if text:
                    yield Asked(is_habit(case), form, _places(workspace, case, text, folder))


def is_habit(case: Case) -> bool:
    """Whether a question is one of the half that is asked every week."""
    return zlib.crc32(case.id.encode()) % 2 == 1


def _commonest(folder: Folder) -> Callable[[str], str]:
    """Of a cue's words the one that stands in most notes, if it stands in some."""
    held = Counter[str]()
    for lines in folder.corpus.files.values():
        held.update(set(_WORD.findall(plainly("\n".join(lines)))))

    def commonest(cue: str) -> str:
        known = [word for word in _WORD.findall(cue.casefold()) if held[word] >= _COMMON]
        return max(known, key=lambda word: (held[word], word), default="")

    return commonest


def _places(workspace: Workspace, case: Case, text: str, folder: Folder) -> tuple[int, ...]:
    now = folder.now + timedelta(days=7 * WEEKS)
    found = []
    for mode in MODES:
        results = workspace.at(now).query(text, mode=mode, write=False).results
        shown = [
            Shown(one.path, one.text, (Span(one.path, one.start_line, one.end_line),))
            for one in results
        ]
        right = (rank for rank, one in enumerate(shown, 1) if case.answered_by(one))
        found.append(next(right, 0))
    return tuple(found)


def findings(asked: Sequence[Asked]) -> Findings:
    """The shares of right first places, and of right ones among five, by what was asked before and how."""
    columns = (
        *(
            Column("before", "asked before"),
            Column("form", "in the form of"),
            Column("asked", "asked"),
        ),
        *(Column(f"first_{mode}", f"first, {mode}", ".3f") for mode in MODES),
        *(Column(f"five_{mode}", f"five, {mode}", ".3f") for mode in MODES),
    )
    rows = []
    for habit in (True, False):
        for form in ("question", "cue", "word"):
            places = [one.places for one in asked if (one.habit, one.form) == (habit, form)]
            by_mode = list(zip(*places, strict=True)) or [()] * len(MODES)
            first = [
                sum(place == 1 for place in column) / max(1, len(places)) for column in by_mode
            ]
            five = [sum(place > 0 for place in column) / max(1, len(places)) for column in by_mode]
            rows.append(("weekly" if habit else "never", form, len(places), *first, *five))
    title = f"{WEEKS} weeks in which half of the questions were asked once a week; then"
    sheet = Sheet(title, columns, tuple(rows))
    keys = [column.key for column in columns]
    document = {"rows": [dict(zip(keys, row, strict=True)) for row in rows]}
    return Findings(document, (sheet,), (), sheet)
