"""``python -m bench year``: a simulated year of an agent's notes, and the tables of what upkeep did for them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator

from bench.arguments import whole
from bench.sheet import Cell, Column, Findings, Sheet
from bench.year.life import ARMS, USED, Course, Plan, Report, run
from hippocampus_cli.cli.context import CommandContext

_LEEWAY = 0.01
_WEEK = 7


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m bench year``."""
    add = parser.add_argument
    add("--days", type=whole(1), default=365)
    add("--seed", type=int, default=1)
    add("--asked", type=whole(1), default=Plan().asked, help="questions a day")
    add("--arm", choices=ARMS, action="append", help="only this one; repeatable")
    add("--jobs", type=whole(1), default=min(len(ARMS), os.cpu_count() or 1))


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """Live a year with upkeep, without, and keeping everything; nothing but scratch folders is touched."""
    plan = Plan(days=options.days, seed=options.seed, asked=options.asked)
    with session.output.progress("living") as advance:
        return findings(run(plan, options.arm or ARMS, options.jobs, advance))


def findings(report: Report) -> Findings:
    """How each arm ended, how the months went, whether the aims are met, and what went wrong."""
    mistakes = (f"{one.arm}: {mistake}" for one in report.courses for mistake in one.mistakes)
    end = _at_the_end(report)
    return Findings(
        document=_document(report),
        sheets=(end, _by_month(report)),
        notes=(*aims(report), *mistakes),
        table=end,
    )


def _document(report: Report) -> dict[str, object]:
    courses = [
        course._asdict() | {"months": [month._asdict() for month in course.months]}
        for course in report.courses
    ]
    return report._asdict() | {"plan": report.plan._asdict(), "courses": courses}


def aims(report: Report) -> Iterator[str]:
    """Each aim with what was reached; empty unless upkeep and the yardstick were both measured."""
    courses = {course.arm: course for course in report.courses}
    upkeep, everything = courses.get(ARMS[0]), courses.get(ARMS[2])
    if upkeep is None or everything is None:
        return
    most = f"index within its budget: at most {upkeep.most:,} of {upkeep.budget:,} tokens"
    yield _verdict(most, upkeep.most <= upkeep.budget)
    behind = everything.end.hit5 - upkeep.end.hit5
    text = f"hit@5 within a point of keeping everything: {behind * 100:+.1f} points behind"
    yield _verdict(text, behind <= _LEEWAY)
    text = f"no broken pointer that its entry does not admit for a week: {upkeep.oldest} days"
    yield _verdict(text, upkeep.oldest <= _WEEK)


def _verdict(text: str, met: bool) -> str:
    return f"{'met' if met else 'NOT MET'}: {text}"


ROWS: tuple[tuple[str, Callable[[Course], str]], ...] = (
    ("hit@5", lambda one: f"{one.end.hit5:.3f}"),
    ("hit@1", lambda one: f"{one.end.hit1:.3f}"),
    ("hit@5, asked as on other days", lambda one: f"{one.end.hits['asked']:.3f}"),
    ("hit@5, any fact since the start", lambda one: f"{one.end.hits['any']:.3f}"),
    ("hit@5 of the index alone", lambda one: f"{one.end.index5:.3f}"),
    ("tokens a question", lambda one: f"{one.end.tokens:,.0f}"),
    ("index in tokens", lambda one: f"{one.end.master:,}"),
    ("index in tokens, at most", lambda one: f"{one.most:,}"),
    ("entries in the index", lambda one: f"{one.end.entries:,}"),
    ("entries in topic files", lambda one: f"{one.end.topics:,}"),
    (f"most used {USED} in the index", lambda one: f"{one.end.used}"),
    ("in the Decay Queue, archived", lambda one: f"{one.end.queue:,}, {one.end.archive:,}"),
    ("broken pointers", lambda one: f"{one.end.broken:,}"),
    ("  their entry says so", lambda one: f"{one.end.marked:,}"),
    ("  their target is elsewhere", lambda one: f"{one.end.lost:,}"),
    ("  oldest unsaid, days", lambda one: f"{one.oldest:,}"),
    ("pointers repaired right, wrong", lambda one: f"{one.right:,}, {one.wrong:,}"),
    ("entries kept back a question", lambda one: f"{one.end.suppressed:.2f}"),
    ("cycles, refused of them", lambda one: f"{one.cycles:,}, {one.refused:,}"),
)


def _at_the_end(report: Report) -> Sheet:
    plan = report.plan
    title = (
        f"{plan.days} days from {report.first}: {report.written:,} notes written with "
        f"{report.facts:,} facts, {plan.days * plan.asked:,} questions asked; {report.seconds:.0f} s"
    )
    arms = (Column(course.arm, course.arm) for course in report.courses)
    rows = ((name, *map(figure, report.courses)) for name, figure in ROWS)
    return Sheet(title, (Column("figure", "on the last day"), *arms), tuple(rows))


def _by_month(report: Report) -> Sheet:
    """The arms side by side at the end of each month."""
    arms = report.courses
    columns = [
        Column(f"{key} {course.arm}", f"{head} {course.arm}", shape)
        for key, head, shape in (
            ("hit5", "hit@5", ".2f"),
            ("master", "index", ",d"),
            ("broken", "broken", ",d"),
        )
        for course in arms
    ]
    rows: list[tuple[Cell, ...]] = []
    for at, month in enumerate(arms[0].months):
        row = [course.months[at] for course in arms]
        cells = [getattr(one, key) for key in ("hit5", "master", "broken") for one in row]
        rows.append((month.day, month.notes, *cells))
    head = (Column("day", "day"), Column("notes", "notes", ",d"))
    return Sheet("at the end of each month", (*head, *columns), tuple(rows))
