"""The tables that ``make bench-year`` prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from hippocampus_cli.benchmarks.year.figures import ARMS, Course, Report

if TYPE_CHECKING:
    from rich.table import Table

_LEEWAY = 0.01
_WEEK = 7


def print_report(report: Report) -> None:
    """Print how each arm ended, how the months went, and whether the aims are met."""
    from rich.console import Console

    console = Console(highlight=False, width=None if Console().is_terminal else 110)
    plan = report.plan
    console.print(
        f"{plan.days} days from {report.first}: {report.written:,} notes written with "
        f"{report.facts:,} facts, {plan.days * plan.asked:,} questions asked; "
        f"{report.seconds:.0f} s\n"
    )
    console.print(_at_the_end(report))
    console.print()
    console.print(_by_month(report))
    for line in aims(report):
        console.print(line)
    for course in report.courses:
        for mistake in course.mistakes:
            console.print(f"{course.arm}: {mistake}", markup=False)


def as_document(report: Report) -> dict[str, object]:
    """The report as data."""
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
    ("in the Decay Queue, archived", lambda one: f"{one.end.queue:,}, {one.end.archive:,}"),
    ("broken pointers", lambda one: f"{one.end.broken:,}"),
    ("  their entry says so", lambda one: f"{one.end.marked:,}"),
    ("  their target is elsewhere", lambda one: f"{one.end.lost:,}"),
    ("  oldest unsaid, days", lambda one: f"{one.oldest:,}"),
    ("pointers repaired right, wrong", lambda one: f"{one.right:,}, {one.wrong:,}"),
    ("  only proposed", lambda one: f"{one.proposed:,}"),
    ("entries kept back a question", lambda one: f"{one.end.suppressed:.2f}"),
    ("cycles, refused of them", lambda one: f"{one.cycles:,}, {one.refused:,}"),
)


def _at_the_end(report: Report) -> Table:
    table = _table("on the last day", *(course.arm for course in report.courses))
    for name, figure in ROWS:
        table.add_row(name, *map(figure, report.courses))
    return table


def _by_month(report: Report) -> Table:
    """The arms side by side at the end of each month."""
    arms = report.courses
    columns = [f"{name}\n{course.arm}" for name in ("hit@5", "index", "broken") for course in arms]
    table = _table("day", "notes", *columns)
    for at, month in enumerate(arms[0].months):
        row = [course.months[at] for course in arms]
        hits = (f"{one.hit5:.2f}" for one in row)
        masters = (f"{one.master:,}" for one in row)
        broken = (f"{one.broken:,}" for one in row)
        table.add_row(month.day, f"{month.notes:,}", *hits, *masters, *broken)
    return table


def _table(first: str, *others: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="")
    table.add_column(first)
    for other in others:
        table.add_column(other, justify="right")
    return table
