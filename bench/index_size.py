"""``python -m bench index [FOLDER]``: how large an index is, what it names and reaches, what quiet days change in it.

With FOLDER each folder in it is a workspace; ``--questions`` says what is asked of them, as for
``python -m bench real``.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from bench.arguments import whole
from bench.corpora.workspaces import WORKSPACES
from bench.sheet import Column, Findings, Sheet
from hippocampus_cli.api import Workspace
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.config import Config
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.markdown.tokens import tokens

_FIXTURE = Path(__file__).parents[1] / "fixtures/workspace"
FIRST = datetime(2026, 8, 1, 2, 30, tzinfo=UTC)
AIMS = {10: 1_000, 50: 5_000, 100: 6_000, 1_000: 6_000}
"""The tokens of an index for so many notes."""
_QUIET = 1
_METADATA, _NAMED = 0.35, 0.6
_TELLING = 300
"""Bytes from which a note must be reached: an empty one, or a word in a scratch file, is worth no entry."""
_COMMENT = re.compile(r"<!-- hx:.*?-->", re.DOTALL)


class Size(NamedTuple):
    """An index after bootstrap: its tokens and the aim for that many notes, entries in the master and in topic files,
    notes that an entry leads to. ``metadata`` is the share of the master's bytes in ``hx`` comments, ``named`` that
    of the questions whose note the master names. ``quiet``: lines that the worst quiet day changes, the header
    aside; ``month``: what the monthly cycle changes then. ``missed``: notes worth an entry that none leads to."""

    workspace: str
    notes: int
    tokens: int
    aim: int
    entries: int
    topics: int
    reached: int
    metadata: float
    named: float
    quiet: int
    month: int
    missed: int


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m bench index``; ``--workspace`` names other notes than those of the repository."""
    parser.add_argument("folder", nargs="?", type=Path, help="workspaces, a folder each")
    parser.add_argument("--questions", type=Path, help="what is asked of them")
    parser.add_argument("--days", type=whole(1), default=30, help="quiet days")


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """Index copies of workspaces in scratch folders, and look after them for a month in which nothing happens."""
    if options.folder:
        roots = sorted(path for path in options.folder.iterdir() if path.is_dir())
    else:
        roots = [options.workspace] if options.workspace else [_FIXTURE, *_written()]
    asked = _asked(options.questions) if options.questions else {}
    return findings(run(root, options.days, asked.get(root.name, ())) for root in roots)


def _asked(questions: Path) -> dict[str, list[set[str]]]:
    """For each workspace the notes that answer each question."""
    found: dict[str, list[set[str]]] = {}
    for row in json.loads(questions.read_text(encoding="utf-8"))["questions"]:
        groups = [row.get("gold") or [], *(row.get("gold_all") or [])]
        paths = {place["path"] for group in groups for place in group}
        if paths:
            found.setdefault(row["workspace"], []).append(paths)
    return found


def _written() -> list[Path]:
    return sorted(path / "notes" for path in WORKSPACES.iterdir() if (path / "notes").is_dir())


def run(root: Path, days: int, asked: Sequence[set[str]] = ()) -> Size:
    """The size of the index of the notes at ``root``, which is only read; ``asked`` are the notes that answer each
    question."""
    with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
        copy = Path(scratch) / "workspace"
        shutil.copytree(root, copy)
        (copy / "HIPPOCAMPUS.md").unlink(missing_ok=True)
        shutil.rmtree(copy / ".hippocampus", ignore_errors=True)
        with Workspace(copy, Config()) as workspace:
            workspace.at(FIRST).bootstrap()
            index = workspace.index()
            workspace.library.refresh()
            files = workspace.library.found.files
            notes = {file.path for file in files}
            changed = _quiet_days(workspace, days)
            upkeep = _after(workspace, "monthly", FIRST + timedelta(days=days + 1))
    name = (
        root.parent.name if root.name == "notes" else "fixture" if root == _FIXTURE else root.name
    )
    master, entries = index.master, len(index.master.entries)
    pointed, named = set(index.pointers), set(Hierarchy({MASTER: master}).pointers)
    held = sum(len(comment.encode()) for comment in _COMMENT.findall(master.text))
    share = sum(bool(paths & named) for paths in asked) / max(1, len(asked))
    return Size(
        workspace=name,
        notes=len(notes),
        tokens=tokens(master.text),
        aim=_aim(len(notes)),
        entries=entries,
        topics=len(index.entries) - entries,
        reached=len(notes & pointed),
        metadata=held / len(master.text.encode()),
        named=share,
        quiet=max(changed, default=0),
        month=upkeep,
        missed=sum(file.path not in pointed for file in files if file.size > _TELLING),
    )


def _quiet_days(workspace: Workspace, days: int) -> list[int]:
    """The lines of the index that each day's upkeep changes, the header aside."""
    found = []
    for day in range(1, days + 1):
        now = FIRST + timedelta(days=day)
        found.append(_after(workspace, "daily" if day % 7 else "weekly", now))
    return found


def _after(workspace: Workspace, cycle: str, now: datetime) -> int:
    """The lines that a cycle changes."""
    before = workspace.index().texts
    workspace.at(now).upkeep.run(cycle)
    after = workspace.index().texts
    return sum(_changed(before.get(path, ""), after[path]) for path in after)


def _changed(before: str, after: str) -> int:
    old, new = (
        [line for line in text.splitlines() if not line.startswith("<!-- hippocampus.md")]
        for text in (before, after)
    )
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return sum(max(b - a, d - c) for tag, a, b, c, d in codes if tag != "equal")


def _aim(notes: int) -> int:
    """The specification's tokens for so many notes, in proportion between its rows."""
    known = [(0, 0), *AIMS.items()]
    for (few, least), (many, most) in pairwise(known):
        if notes <= many:
            return least + (most - least) * (notes - few) // (many - few)
    return known[-1][1]


def findings(sizes: Iterable[Size]) -> Findings:
    """The table, and what misses its aim."""
    rows = tuple(sizes)
    columns = (
        *(Column("workspace", "workspace"), Column("notes", "notes", ",d")),
        *(Column("tokens", "tokens", ",d"), Column("aim", "at most", ",d")),
        *(Column("entries", "entries", ",d"), Column("topics", "in topic files", ",d")),
        *(Column("reached", "notes reached", ",d"), Column("metadata", "metadata", ".2f")),
        *(Column("named", "named", ".2f"), Column("quiet", "lines a quiet day", ",d")),
        Column("month", "the monthly cycle", ",d"),
    )
    missed = (
        f"NOT MET: {one.workspace}: {what}"
        for one in rows
        for what, is_missed in (
            (f"{one.tokens:,} tokens of {one.aim:,}", one.tokens > one.aim),
            (f"{one.missed} notes not reached", one.missed > 0),
            (f"{one.metadata:.2f} of the master is metadata", one.metadata > _METADATA),
            (f"{one.named:.2f} of the questions named", 0 < one.named < _NAMED),
            (f"{one.quiet} lines on a quiet day", one.quiet > _QUIET),
        )
        if is_missed
    )
    sheet = Sheet("the index of each workspace", columns, tuple(tuple(one) for one in rows))
    document = {"workspaces": [one._asdict() for one in rows]}
    return Findings(document, (sheet,), tuple(missed) or ("every aim is met",), sheet)
