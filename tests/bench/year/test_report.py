"""The first fortnight of the year: what upkeep is for holds, and the tables say so. Quality only, never time."""

from __future__ import annotations

import json
import re

import pytest

from bench.deliver import deliver
from bench.year.life import ARMS, Course, Plan, Report, run
from bench.year.report import ROWS, aims, findings
from hippocampus_cli.cli.output import open_output
from tests.support.pages import read


@pytest.fixture(scope="module")
def report() -> Report:
    return run(Plan(days=14, asked=3, last=40))


@pytest.fixture(scope="module")
def courses(report: Report) -> dict[str, Course]:
    return {course.arm: course for course in report.courses}


@pytest.mark.long
def test_every_aim_is_met(report: Report) -> None:
    verdicts = list(aims(report))
    assert len(verdicts) == 3
    assert all(verdict.startswith("met: ") for verdict in verdicts)


@pytest.mark.long
def test_an_aim_that_is_missed_is_said(report: Report, courses: dict[str, Course]) -> None:
    upkeep, _, everything = report.courses
    late = report._replace(courses=(upkeep._replace(oldest=8), everything))
    large = report._replace(courses=(upkeep._replace(most=15_001), everything))
    months = (upkeep.end._replace(hit5=everything.end.hit5 - 0.02),)
    worse = report._replace(courses=(upkeep._replace(months=months), everything))
    for missed in (late, large, worse):
        assert sum(line.startswith("NOT MET: ") for line in aims(missed)) == 1


@pytest.mark.long
def test_upkeep_repairs_what_moved_and_never_wrongly(courses: dict[str, Course]) -> None:
    upkeep, off = courses["upkeep"], courses["no upkeep"]
    assert upkeep.right >= 2 and upkeep.end.broken == 0  # all that moved, of few entries
    assert upkeep.wrong == upkeep.refused == 0
    assert upkeep.cycles == 14
    assert upkeep.oldest == 0 < off.oldest


@pytest.mark.long
def test_upkeep_answers_as_well_as_keeping_everything(courses: dict[str, Course]) -> None:
    upkeep, off, everything = (courses[arm] for arm in ARMS)
    assert upkeep.end.hit5 >= 0.85
    assert upkeep.end.index5 >= everything.end.index5 - 0.05
    assert upkeep.end.index5 >= off.end.index5 + 0.15
    assert everything.end.master > everything.end.tokens > 0


def test_the_tables(capsys: pytest.CaptureFixture[str]) -> None:
    found = findings(run(Plan(days=3, asked=1, last=5)))
    deliver(open_output({}), found, None, None)
    printed = capsys.readouterr().out
    assert printed.startswith("3 days from 2025-01-06: ")
    assert all(name in printed for name, _ in ROWS)
    assert json.loads(json.dumps(found.document))["courses"][0]["arm"] == "upkeep"


def test_the_documentation_has_the_table_of_a_whole_year() -> None:
    text = read("measurements")
    table = text[text.index("<!-- year:begin -->") : text.index("<!-- year:end -->")]
    assert re.search(r"^365 days from 2025-01-06: ", table, re.M)
    assert [name for name, _ in ROWS if name not in table] == []
    assert "make bench-year" in table
