"""A year in one workspace: notes change, questions come, and at night upkeep runs, or does not; what is measured."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day
from functools import partial
from pathlib import Path
from typing import NamedTuple

from bench.dataset import Progress, silent
from bench.places import MOST, Method, Retrieved, given, hippo
from bench.places import score as score_of
from bench.year.diary import Diary
from bench.year.pointers import Broken, Following
from bench.year.questions import Asker
from bench.year.world import Change
from hippocampus_cli.api import Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.config.settings import Bands, Decay, Index, Upkeep
from hippocampus_cli.errors import LossRefused
from hippocampus_cli.index.archive import is_queued
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.markdown.tokens import tokens

ARMS = ("upkeep", "no upkeep", "keep everything")
"""An arm on request: decay that learns from the journal."""


class Plan(NamedTuple):
    """How a year is made: ``asked`` questions a day, ``held_out`` to measure a month with, ``last`` at the end."""

    days: int = 365
    seed: int = 1
    asked: int = 6
    held_out: int = 50
    last: int = 300


class Month(NamedTuple):
    """How an arm stands on a day. Shares from 0 to 1; ``index5`` is hit@5 of the index alone.

    ``hits`` is hit@5 by kind of question; ``tokens`` a question; ``master`` the master's tokens now;
    ``suppressed`` entries a question that matched and were kept back. ``broken``: pointers that lead
    nowhere; ``marked`` of them stand in an entry that says so, ``lost`` of them mean what is elsewhere now;
    ``oldest``: days that one has been broken without its entry saying so. ``used``: of the :data:`USED` entries of
    most hits those in the master.
    """

    day: str
    notes: int
    hit1: float
    hit5: float
    index5: float
    hits: dict[str, float]
    tokens: float
    suppressed: float
    master: int
    entries: int
    topics: int
    queue: int
    archive: int
    broken: int
    marked: int
    lost: int
    oldest: int
    used: int


class Course(NamedTuple):
    """A year of one arm. ``most`` is the largest master in tokens, ``budget`` what it may hold at the end,
    ``oldest`` the oldest unmarked broken pointer.

    ``right`` and ``wrong`` are re-pointed pointers by whether they lead to what they meant; ``refused`` are
    cycles that stopped at the loss limit; ``slowest`` is the slowest cycle in seconds. ``mistakes`` names
    wrong repairs and refusals.
    """

    arm: str
    months: tuple[Month, ...]
    most: int
    budget: int
    oldest: int
    right: int
    wrong: int
    cycles: int
    refused: int
    slowest: float
    mistakes: tuple[str, ...]

    @property
    def end(self) -> Month:
        """How it stands on the last day."""
        return self.months[-1]


class Report(NamedTuple):
    """All that was measured: the plan, the first day, how much was written, the arms."""

    plan: Plan
    first: str
    written: int
    facts: int
    seconds: float
    courses: tuple[Course, ...]


FIRST = date(2025, 1, 6)
_WRITTEN, _ASKED, _NIGHT = time_of_day(9), time_of_day(14), time_of_day(2, 30)
USED = 50
_ROOM = 10_000_000
_KEPT = Config(
    decay=Decay(forgetting=0.0),
    bands=Bands(silent=0.0, prune=0.0),
    index=Index(max_tokens=_ROOM, sharded_tokens=_ROOM),
    upkeep=Upkeep(loss_limit=1.0),
)
"""Neither forgetting nor a budget: every entry stays in the master for good."""


@dataclass
class _Life:
    """One workspace on its way through the year."""

    plan: Plan
    arm: str
    workspace: Workspace

    def __post_init__(self) -> None:
        self.diary = Diary(FIRST, self.plan.seed)
        self.asker = Asker(self.diary, self.plan.seed)
        self.following = Following(self.diary.world)
        self.most = self.cycles = self.refused = 0
        self.slowest = 0.0
        self.refusals: list[str] = []

    def course(self) -> Course:
        months = tuple(self._months())
        wrong = self.following.wrong
        return Course(
            arm=self.arm,
            months=months,
            most=self.most,
            budget=self.workspace.index().budget(self.workspace.config.index),
            oldest=self.following.oldest_ever,
            right=self.following.right,
            wrong=len(wrong),
            cycles=self.cycles,
            refused=self.refused,
            slowest=self.slowest,
            mistakes=(*self.refusals, *wrong),
        )

    def _months(self) -> Iterable[Month]:
        self._apply(self.diary.begin(), FIRST - timedelta(days=1))
        self.workspace.at(_at(FIRST, _NIGHT)).bootstrap()
        for number in range(self.plan.days):
            day = FIRST + timedelta(days=number)
            broken = self._day(day)
            is_last = number == self.plan.days - 1
            if is_last or (day + timedelta(days=1)).day == 1:
                yield self._measured(day, broken, self.plan.last if is_last else 0)

    def _day(self, day: date) -> Broken:
        """A day and the night after it."""
        self._apply(self.diary.day(day), day)
        for number, question in enumerate(self.asker.daily(day, self.plan.asked)):
            now = _at(day, _ASKED) + timedelta(minutes=20 * number)
            self.workspace.at(now).query(question.text)
        self.most = max(self.most, tokens(self.workspace.index().master.text))
        if self.arm != ARMS[1]:
            self._maintain(_at(day + timedelta(days=1), _NIGHT))
        index = self.workspace.index()
        self.most = max(self.most, tokens(index.master.text))
        return self.following.look(index, day)

    def _maintain(self, now: datetime) -> None:
        due = self.workspace.at(now).upkeep.due()
        if not due:
            return
        self.cycles += 1
        started = time.perf_counter()
        try:
            outcome = self.workspace.at(now).upkeep.run(due[-1])
        except LossRefused as error:
            self.refused += 1
            self.refusals.append(f"{now:%Y-%m-%d} {due[-1]}: {error.message}")
            return
        self.slowest = max(self.slowest, time.perf_counter() - started)
        self.following.judge(outcome.actions)

    def _measured(self, day: date, broken: Broken, count: int) -> Month:
        now = _at(day + timedelta(days=1), _ASKED)
        questions = self.asker.held_out(day, count or self.plan.held_out)
        kept_back: list[int] = []
        score = score_of(self._hybrid(now, kept_back), questions)
        alone = score_of(hippo(self.workspace, "index", now), questions)
        index = self.workspace.store.read(archive=True)
        by_use = sorted(index.entries, key=lambda one: -one.entry.hits)
        return Month(
            day=f"{day}",
            notes=len(self.diary.world.pages),
            hit1=score.hit1,
            hit5=score.hit5,
            index5=alone.hit5,
            hits={kind: found[1] for kind, found in score.by_kind.items()},
            tokens=score.tokens,
            suppressed=sum(kept_back) / len(kept_back),
            master=tokens(index.master.text),
            entries=len(index.master.entries),
            topics=len(index.entries) - len(index.master.entries),
            queue=sum(map(is_queued, index.entries)),
            archive=len(index.archived),
            broken=broken.nowhere,
            marked=broken.marked,
            lost=broken.lost,
            oldest=broken.oldest,
            used=sum(one.file == MASTER for one in by_use[:USED]),
        )

    def _hybrid(self, now: datetime, kept_back: list[int]) -> Method:
        """A question asked as users ask; ``kept_back`` collects how many entries were suppressed."""

        def ask(text: str) -> Retrieved:
            result = self.workspace.at(now).query(text, write=False, limit=MOST)
            kept_back.append(len(result.suppressed))
            return given(result)

        return ask

    def _apply(self, changes: Iterable[Change], day: date) -> None:
        """Carry out the changes on disk, each at its moment of the made-up clock."""
        moment = _at(day, _WRITTEN).timestamp()
        for number, change in enumerate(changes):
            file = self.workspace.root / change.path
            file.parent.mkdir(parents=True, exist_ok=True)
            if change.source is not None:
                (self.workspace.root / change.source).rename(file)
            elif change.text is None:
                file.unlink()
            else:
                file.write_text(change.text, encoding="utf-8")
                os.utime(file, (moment + number, moment + number))


def _at(day: date, time: time_of_day) -> datetime:
    return datetime.combine(day, time, UTC)


def run(
    plan: Plan, arms: Sequence[str] = ARMS, jobs: int = 1, progress: Progress = silent
) -> Report:
    """Live the year in every arm, in scratch folders that are gone afterwards, ``jobs`` at a time."""
    started = time.perf_counter()
    courses: list[Course] = []
    with ExitStack() as running:
        every = running.enter_context(ProcessPoolExecutor(jobs)).map if jobs > 1 else map
        for course in every(partial(_live, plan), arms):
            courses.append(course)
            progress(len(courses), len(arms))
    written, facts = _size(plan)
    return Report(
        plan=plan,
        first=f"{FIRST}",
        written=written,
        facts=facts,
        seconds=time.perf_counter() - started,
        courses=tuple(courses),
    )


def _live(plan: Plan, arm: str) -> Course:
    """A year of one of ``ARMS``."""
    config = _KEPT if arm == ARMS[2] else Config()
    with (
        tempfile.TemporaryDirectory(prefix="hippo-year-") as scratch,
        Workspace(Path(scratch), config) as workspace,
    ):
        return _Life(plan, arm, workspace).course()


def _size(plan: Plan) -> tuple[int, int]:
    """The notes and the facts that are written in such a year."""
    diary = Diary(FIRST, plan.seed)
    diary.begin()
    for number in range(plan.days):
        diary.day(FIRST + timedelta(days=number))
    return diary.notes, sum(map(len, diary.by_day.values()))
