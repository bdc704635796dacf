"""``python -m bench brief``: of the places that answer an agent's questions, how many the brief names at a start.

The questions are those of the written workspaces, each as likely as the others to be among the first ten turns of a
session. *Named*: a subject, a rule or a task names the note that answers. *Answered*: ``hippo brief --for QUESTION``
has words that answer.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from bench.corpora import workspaces
from bench.dataset import Folder, plainly
from bench.sheet import Column, Findings, Sheet
from hippocampus_cli.api import Brief, open_workspace
from hippocampus_cli.cli.context import CommandContext

TURNS = 10


class Named(NamedTuple):
    """The brief of one workspace: its tokens, its questions, and of these the shares whose note it names and that
    it answers."""

    workspace: str
    tokens: int
    questions: int
    named: float
    answered: float


def arguments(parser: argparse.ArgumentParser) -> None:
    """It has no options of its own."""


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """Brief scratch copies of the workspaces, and ask."""
    rows = []
    for read in (workspaces.read, workspaces.read_unseen):
        dataset = read(Path())
        for folder in dataset.folders if dataset else ():
            with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
                rows.append(_named(Path(scratch), folder))
    return findings(rows)


def _named(root: Path, folder: Folder) -> Named:
    folder.write(root)
    there = [case for case in folder.cases if case.gold]
    with open_workspace(root) as workspace:
        workspace.at(folder.now).bootstrap()
        brief = workspace.at(folder.now).brief()
        paths = named(brief)
        hits = [any(one.path in paths for one in case.gold) for case in there]
        told = [
            any(plainly(one.text) in plainly(" ".join(answer)) for one in case.gold)
            for case in there
            if (answer := workspace.at(folder.now).brief(case.text).answer) is not None
        ]
    share = 1 / max(1, len(there))
    return Named(folder.name, brief.tokens, len(there), sum(hits) * share, sum(told) * share)


def named(brief: Brief) -> set[str]:
    """The notes that a brief leads to."""
    lines = (*brief.owner, *brief.rules, *brief.credentials, *brief.tasks)
    found = {line.rpartition("(")[2].rstrip(")").partition(":")[0] for line in lines}
    for line in brief.subjects:
        folder, _, names = line.partition(": ")
        for name in re.sub(r" \([^)]*\)", "", names).split(", "):
            path = f"{folder.removeprefix('.')}{name}"
            found |= {path, f"{path}.md"}
    return found


def findings(rows: Iterable[Named]) -> Findings:
    """The table, and what that is in the first turns of a session."""
    rows = tuple(rows)
    columns = (
        *(Column("workspace", "workspace"), Column("tokens", "tokens", ",d")),
        *(Column("questions", "questions", ",d"), Column("named", "named", ".3f")),
        Column("answered", "answered", ".3f"),
    )
    asked = sum(one.questions for one in rows)
    share = sum(one.named * one.questions for one in rows) / max(1, asked)
    note = f"Of {TURNS} questions the brief names the note of {TURNS * share:.1f}."
    sheet = Sheet("what a brief names", columns, tuple(tuple(one) for one in rows))
    document = {"workspaces": [one._asdict() for one in rows], "of_ten": round(TURNS * share, 3)}
    return Findings(document, (sheet,), (note,), sheet)
