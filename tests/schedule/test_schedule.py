from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from hippocampus_cli.errors import NoScheduler, ScheduleRefused
from hippocampus_cli.schedule.cron import Cron
from hippocampus_cli.schedule.jobs import Job
from hippocampus_cli.schedule.schedule import Schedule, SchedulePlan
from hippocampus_cli.schedule.scheduler import Name, ProgramResult
from tests.schedule.fakes import FAILS, JOB, OK, Programs, machine

BOTH = {"systemctl": OK}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "agent").mkdir()
    return tmp_path / "agent"


def schedule(root: Path, programs: Programs, program: tuple[str, ...] = JOB.program) -> Schedule:
    return Schedule(root, {}, machine(programs, root.parent), program)


def names(scheduled: Schedule) -> list[str]:
    return [installed.scheduler for installed in scheduled.status().installed]


def actions(plan: SchedulePlan) -> list[tuple[Name, bool]]:
    return [(step.scheduler.name, plan.scheduler is not None) for step in plan.steps]


@pytest.mark.parametrize(
    ("answers", "chosen"), [(BOTH, "systemd"), ({}, "cron"), ({"launchctl": OK, **BOTH}, "launchd")]
)
def test_what_fits_is_chosen(answers: dict[str, ProgramResult], chosen: Name, root: Path) -> None:
    assert actions(schedule(root, Programs(dict(answers))).install()) == [(chosen, True)]


def test_none_answers(root: Path) -> None:
    scheduled = schedule(root, Programs({"crontab": FAILS}))
    with pytest.raises(NoScheduler) as error:
        scheduled.install()
    assert error.value.message == (
        "no scheduler is available here: launchd: gone; systemd: gone; cron: it is broken"
    )
    assert error.value.advice.endswith(shlex.join(Job(str(root), JOB.program).command))
    with pytest.raises(NoScheduler, match=r"here: systemd: gone$"):
        scheduled.install("systemd")


def test_a_second_install_changes_nothing_and_stays_with_its_scheduler(root: Path) -> None:
    programs = Programs()
    scheduled = schedule(root, programs)
    scheduled.carry_out(scheduled.install())
    programs.answers.update(BOTH)
    plan = scheduled.install()
    assert plan.steps == ()
    assert plan.scheduler is not None and plan.scheduler.name == "cron"


def test_an_update_changes_the_one_line(root: Path) -> None:
    programs = Programs(crontab="0 5 * * 1 backup\n")
    old, new = schedule(root, programs, ("/old/python",)), schedule(root, programs)
    old.carry_out(old.install())
    plan = new.install()
    ((change,),) = (step.changes for step in plan.steps)
    assert [line[:1] for line in change.diff()] == [" ", " ", "-", "+", " "]
    new.carry_out(plan)
    assert "/old/python" not in (programs.crontab or "")


def test_it_is_not_scheduled_twice(root: Path) -> None:
    programs = Programs(dict(BOTH))
    scheduled = schedule(root, programs)
    scheduled.carry_out(scheduled.install("cron"))
    crontab = programs.crontab
    with pytest.raises(ScheduleRefused, match="already scheduled with cron") as refused:
        scheduled.install("systemd")
    assert refused.value.advice == "remove that first: hippo schedule remove"
    assert names(scheduled) == ["cron"]
    assert programs.crontab == crontab


def test_a_holder_that_does_not_answer_is_not_passed_over(root: Path) -> None:
    programs = Programs(dict(BOTH))
    scheduled = schedule(root, programs)
    scheduled.carry_out(scheduled.install())
    programs.answers = {"systemctl": FAILS}
    with pytest.raises(NoScheduler, match="systemd: it is broken"):
        scheduled.install()


def test_a_timer_that_was_switched_off_is_switched_on(root: Path) -> None:
    programs = Programs(dict(BOTH))
    scheduled = schedule(root, programs)
    scheduled.carry_out(scheduled.install())
    programs.answers["systemctl --user is-active"] = FAILS
    (installed,) = scheduled.status().installed
    assert (installed.current, installed.active) == (True, False)
    programs.calls.clear()
    plan = scheduled.install()
    assert actions(plan) == [("systemd", True)]
    scheduled.carry_out(plan)
    assert any("restart" in call for call in programs.calls)


def test_remove_takes_it_from_wherever_it_is(root: Path) -> None:
    programs = Programs(dict(BOTH), crontab="0 5 * * 1 backup\n")
    scheduled = schedule(root, programs)
    scheduled.carry_out(scheduled.install("systemd"))
    cron, job = Cron(machine(programs, root.parent)), Job(str(root), JOB.program)
    cron.install(job, cron.to_install(job))
    assert actions(scheduled.remove("cron")) == [("cron", False)]
    scheduled.carry_out(scheduled.remove())
    assert names(scheduled) == []
    assert programs.crontab == "0 5 * * 1 backup\n"
    assert scheduled.remove().steps == ()


def test_another_workspace_is_another_job(root: Path) -> None:
    programs = Programs()
    (root / "other/agent").mkdir(parents=True)
    first, other = (schedule(folder, programs) for folder in (root, root / "other/agent"))
    for scheduled in (first, other):
        scheduled.carry_out(scheduled.install())
    first.carry_out(first.remove())
    assert (names(first), names(other)) == ([], ["cron"])


def test_how_it_stands(root: Path) -> None:
    programs = Programs({"pgrep": FAILS})
    scheduled = schedule(root, programs)
    before = scheduled.status()
    assert before.installed == ()
    assert before.refusals == {"launchd": "gone", "systemd": "gone"}
    scheduled.carry_out(scheduled.install())
    folder = root / ".hippocampus"
    (folder / "meta.json").write_text('{"cycles": {"daily": "2026-11-20T02:30:00+00:00"}}')
    (folder / "upkeep.log").write_text("")
    after = schedule(root, programs, ("/new/python",)).status()
    (installed,) = after.installed
    assert (installed.scheduler, installed.places) == ("cron", ("crontab",))
    assert (installed.current, installed.active) == (False, True)
    assert after.last == {"daily": "2026-11-20T02:30:00+00:00", "weekly": None, "monthly": None}
    assert after.log == ".hippocampus/upkeep.log"
    assert after.refusals == {} and len(after.notices) == 1
