"""What ``make bench-year`` does: the same year in three workspaces, side by side where there are cores."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta
from functools import partial
from pathlib import Path

from hippocampus_cli.benchmarks.year.diary import Diary
from hippocampus_cli.benchmarks.year.figures import ARMS, Course, Plan, Report
from hippocampus_cli.benchmarks.year.living import FIRST, live


def run(plan: Plan, *, arms: Sequence[str] = ARMS, jobs: int = 1, told: bool = False) -> Report:
    """Live the year in every arm; ``told``: each month is named on standard error as it ends."""
    started = time.perf_counter()
    one = partial(_in_scratch, plan, told)
    if jobs > 1:
        with ProcessPoolExecutor(jobs) as pool:
            courses = tuple(pool.map(one, arms))
    else:
        courses = tuple(map(one, arms))
    written, facts = _size(plan)
    return Report(
        plan=plan,
        first=f"{FIRST}",
        written=written,
        facts=facts,
        seconds=time.perf_counter() - started,
        courses=courses,
    )


def _in_scratch(plan: Plan, told: bool, arm: str) -> Course:
    with tempfile.TemporaryDirectory(prefix="hippo-year-") as scratch:
        return live(plan, arm, Path(scratch), _tell if told else lambda _: None)


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _size(plan: Plan) -> tuple[int, int]:
    """The notes and the facts that are written in such a year."""
    diary = Diary(FIRST, plan.seed)
    diary.begin()
    for number in range(plan.days):
        diary.day(FIRST + timedelta(days=number))
    return diary.notes, sum(map(len, diary.by_day.values()))
