"""``python -m bench upkeep``: what the cycles take, by default on 2,000 notes and 1,000 entries."""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.arguments import whole
from bench.made_up import write_notes
from bench.places import notes_of
from bench.processes import timed
from bench.sheet import Column, Findings, Sheet
from hippocampus_cli.api import Workspace, open_workspace
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.config import Config
from hippocampus_cli.index.edit import Draft, block
from hippocampus_cli.index.pointers import Pointer

_FIXTURE = Path(__file__).parents[1] / "fixtures/workspace"
ENTRIES, NOTES = 1_000, 2  # so many notes an entry
AIMS = {(1_000, "daily"): 0.5, (1_000, "weekly"): 2.0, (10_000, "weekly"): 10.0}
"""Seconds by entries and cycle."""
_ENTRY_TOKENS = 56  # about what an entry of these notes takes, with its share of the views
_CHANGED, _NEW, _MOVED = 20, 5, 5


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m bench upkeep``; ``--workspace`` names the notes whose lines are used."""
    parser.add_argument("--rounds", type=whole(1), default=5, help="runs of each cycle")
    parser.add_argument("--entries", type=whole(1), default=ENTRIES, help="of twice as many notes")


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """Time the cycles on many made-up notes; nothing but a scratch folder is touched."""
    fixture = options.workspace or _FIXTURE
    with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
        root = Path(scratch) / "workspace"
        now = datetime.now().astimezone()
        return findings(run(fixture, root, now, options.rounds, options.entries))


class Timed(NamedTuple):
    """A cycle's seconds: in a process that has loaded everything, as a whole process, and the aim for it."""

    cycle: str
    warm: float
    slowest: float
    cold: float
    aim: float | None


class Report(NamedTuple):
    """The workspace that was looked after, and each cycle. ``python`` is ``python -c pass`` in seconds."""

    notes: int
    entries: int
    in_topics: int
    changed: int
    rounds: int
    python: float
    cycles: tuple[Timed, ...]


def run(fixture: Path, root: Path, now: datetime, rounds: int, entries: int) -> Report:
    """Measure the cycles in ``root``, an empty folder, on notes made of the lines of ``fixture``."""
    with open_workspace(fixture) as source:
        write_notes(root, notes_of(source), entries * NOTES)
    big = Config().replaced(index=Config().index._replace(max_tokens=entries * _ENTRY_TOKENS))
    with Workspace(root, big) as workspace:
        workspace.at(now).bootstrap()
        _fill(workspace, now, entries)
    with Workspace(root, Config()) as workspace:
        workspace.at(now).upkeep.run("monthly")  # to topic files, what has no room
        days = _days(root, now)
        cycles = tuple(
            _timed(workspace, cycle, days, rounds, AIMS.get((entries, cycle)))
            for cycle in ("daily", "weekly", "monthly")
        )
        index = workspace.index()
    return Report(
        notes=entries * NOTES,
        entries=len(index.entries),
        in_topics=len(index.entries) - len(index.master.entries),
        changed=_CHANGED + _NEW + _MOVED,
        rounds=rounds,
        python=timed(("-c", "pass")),
        cycles=cycles,
    )


def _fill(workspace: Workspace, now: datetime, entries: int) -> None:
    """Add entries until there are so many, each of a section: bootstrap makes fewer of notes that are alike."""
    sections = (
        Pointer(path.relative_to(workspace.root).as_posix(), line.removeprefix("## "))
        for path in sorted(workspace.root.rglob("memory/**/*.md"))
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines()
        if line.startswith("## ")
    )
    drafts = [
        Draft(f"part-{number}", pointer.section or "", f"{pointer}.", (pointer,), now, now, 1.0)
        for number, pointer in enumerate(
            islice(sections, max(0, entries - len(workspace.index().entries)))
        )
    ]
    blocks = [block(draft) for draft in drafts]
    workspace.store.change(lambda index: (index.add(("By Topic", "Notes"), blocks), None))


def _timed(
    workspace: Workspace, cycle: str, days: Iterator[datetime], rounds: int, aim: float | None
) -> Timed:
    warm = [_seconds(lambda now: workspace.at(now).upkeep.run(cycle), days) for _ in range(rounds)]
    arguments = ("-m", "hippocampus_cli", cycle, "--workspace", os.fspath(workspace.root))
    cold = [
        timed(arguments, {"HIPPO_NOW": next(days).isoformat("T", "seconds")}, check=True)
        for _ in range(rounds)
    ]
    return Timed(cycle, median(warm), max(warm), median(cold), aim)


def _seconds(call: Callable[[datetime], object], days: Iterator[datetime]) -> float:
    now = next(days)
    started = time.perf_counter()
    call(now)
    return time.perf_counter() - started


def _days(root: Path, now: datetime) -> Iterator[datetime]:
    """One day after the other; on each, some notes were changed, written and moved."""
    paths = sorted(path for path in (root / "memory").rglob("*.md"))
    step = 7
    for number in range(1, 10_000):
        for at in range(_CHANGED):
            path = paths[(number * 31 + at * step) % len(paths)]
            path.write_text(
                path.read_text(encoding="utf-8", errors="surrogateescape")
                + f"\n## Addendum {number}\n\nSeen again on day {number}, item {at}.\n",
                encoding="utf-8",
                errors="surrogateescape",
            )
        for at in range(_NEW):
            text = f"# Visit {number}-{at}\n\n## What was said\n\nTalk {number} about item {at}.\n"
            (root / f"visit-{number}-{at}.md").write_text(text, encoding="utf-8")
        for at in range(_MOVED):
            place = (number * 97 + at * 13) % len(paths)
            moved = paths[place].with_name(f"{paths[place].stem}-moved.md")
            paths[place] = paths[place].rename(moved)
        yield now + timedelta(days=number)


def findings(report: Report) -> Findings:
    """The report as a document and a table."""
    columns = (
        Column("cycle", "cycle"),
        *(
            Column("warm", "in a process", ".2f"),
            Column("slowest", "slowest", ".2f"),
            Column("cold", "as a process", ".2f"),
            Column("aim", "aim", ".1f"),
        ),
    )
    title = (
        f"{report.notes:,} notes, {report.entries:,} entries ({report.in_topics:,} in topic files), "
        f"{report.changed} notes changed, new or moved before each run; seconds"
    )
    sheet = Sheet(title, columns, tuple(tuple(one) for one in report.cycles))
    document = report._asdict() | {"cycles": [one._asdict() for one in report.cycles]}
    return Findings(document, (sheet,), (f"python -c pass {report.python:.3f}",), sheet)
