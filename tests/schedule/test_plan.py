from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from hippocampus_cli.errors import NoScheduler, ScheduleRefused
from hippocampus_cli.schedule.jobs import Job
from hippocampus_cli.schedule.plan import (
    Plan,
    carry_out,
    holders,
    plan_install,
    plan_remove,
    schedulers_of,
    status_of,
)
from hippocampus_cli.schedule.scheduler import Name, ProgramResult, Scheduler
from tests.schedule.fakes import FAILS, JOB, OK, Programs, machine

BOTH = {"systemctl": OK}


@pytest.fixture
def job(tmp_path: Path) -> Job:
    (tmp_path / "agent").mkdir()
    return Job(str(tmp_path / "agent"), JOB.program)


def some(programs: Programs, tmp_path: Path) -> tuple[Scheduler, ...]:
    return schedulers_of(machine(programs, tmp_path))


def actions(plan: Plan) -> list[tuple[Name, bool]]:
    return [(step.scheduler.name, plan.scheduler is not None) for step in plan.steps]


@pytest.mark.parametrize(
    ("answers", "chosen"),
    [(BOTH, "systemd"), ({}, "cron"), ({"launchctl": OK, **BOTH}, "launchd")],
)
def test_what_fits_is_chosen(
    answers: dict[str, ProgramResult], chosen: Name, job: Job, tmp_path: Path
) -> None:
    programs = Programs(dict(answers))
    assert actions(plan_install(job, some(programs, tmp_path), None)) == [(chosen, True)]


def test_one_that_is_named_is_taken(job: Job, tmp_path: Path) -> None:
    plan = plan_install(job, some(Programs(dict(BOTH)), tmp_path), "cron")
    assert actions(plan) == [("cron", True)]


def test_none_answers(job: Job, tmp_path: Path) -> None:
    programs = Programs({"crontab": FAILS})
    with pytest.raises(NoScheduler) as error:
        plan_install(job, some(programs, tmp_path), None)
    assert error.value.message == (
        "no scheduler is available here: launchd: gone; systemd: gone; cron: it is broken"
    )
    assert error.value.advice.endswith(shlex.join(job.command))
    with pytest.raises(NoScheduler, match=r"here: systemd: gone$"):
        plan_install(job, some(programs, tmp_path), "systemd")


def test_a_second_install_changes_nothing_and_stays_with_its_scheduler(
    job: Job, tmp_path: Path
) -> None:
    programs = Programs()
    carry_out(plan_install(job, some(programs, tmp_path), None))
    programs.answers.update(BOTH)
    plan = plan_install(job, some(programs, tmp_path), None)
    assert plan.steps == ()
    assert plan.scheduler is not None and plan.scheduler.name == "cron"


def test_an_update_changes_the_one_line(job: Job, tmp_path: Path) -> None:
    programs = Programs(crontab="0 5 * * 1 backup\n")
    schedulers = some(programs, tmp_path)
    carry_out(plan_install(Job(job.root, ("/old/python",)), schedulers, None))
    plan = plan_install(job, schedulers, None)
    ((change,),) = (step.changes for step in plan.steps)
    assert [line[:1] for line in change.diff()] == [" ", " ", "-", "+", " "]
    carry_out(plan)
    assert "/old/python" not in (programs.crontab or "")


def test_it_is_not_scheduled_twice(job: Job, tmp_path: Path) -> None:
    programs = Programs(dict(BOTH))
    schedulers = some(programs, tmp_path)
    carry_out(plan_install(job, schedulers, "cron"))
    crontab = programs.crontab
    with pytest.raises(ScheduleRefused, match="already scheduled with cron") as refused:
        plan_install(job, schedulers, "systemd")
    assert refused.value.advice == "remove that first: hippo schedule remove"
    assert [one.name for one in holders(job, schedulers)] == ["cron"]
    assert programs.crontab == crontab


def test_a_holder_that_does_not_answer_is_not_passed_over(job: Job, tmp_path: Path) -> None:
    programs = Programs(dict(BOTH))
    carry_out(plan_install(job, some(programs, tmp_path), None))
    programs.answers = {"systemctl": FAILS}
    with pytest.raises(NoScheduler, match="systemd: it is broken"):
        plan_install(job, some(programs, tmp_path), None)


def test_a_timer_that_was_switched_off_is_switched_on(job: Job, tmp_path: Path) -> None:
    programs = Programs(dict(BOTH))
    schedulers = some(programs, tmp_path)
    carry_out(plan_install(job, schedulers, None))
    programs.answers["systemctl --user is-active"] = FAILS
    (installed,) = status_of(job, schedulers).installed
    assert (installed.current, installed.active) == (True, False)
    programs.calls.clear()
    plan = plan_install(job, schedulers, None)
    assert actions(plan) == [("systemd", True)]
    carry_out(plan)
    assert any("restart" in call for call in programs.calls)


def test_remove_takes_it_from_wherever_it_is(job: Job, tmp_path: Path) -> None:
    programs = Programs(dict(BOTH), crontab="0 5 * * 1 backup\n")
    schedulers = some(programs, tmp_path)
    for scheduler in schedulers[1:]:
        scheduler.install(job, scheduler.to_install(job))
    assert actions(plan_remove(job, schedulers, "cron")) == [("cron", False)]
    carry_out(plan_remove(job, schedulers, None))
    assert holders(job, schedulers) == []
    assert programs.crontab == "0 5 * * 1 backup\n"
    assert plan_remove(job, schedulers, None).steps == ()


def test_another_workspace_is_another_job(job: Job, tmp_path: Path) -> None:
    schedulers = some(Programs(), tmp_path)
    (tmp_path / "other/agent").mkdir(parents=True)
    other = Job(str(tmp_path / "other/agent"), job.program)
    for one in (job, other):
        carry_out(plan_install(one, schedulers, None))
    carry_out(plan_remove(job, schedulers, None))
    assert holders(job, schedulers) == []
    assert [one.name for one in holders(other, schedulers)] == ["cron"]


def test_the_log_is_not_for_git(job: Job, tmp_path: Path) -> None:
    carry_out(plan_install(job, some(Programs(), tmp_path), None))
    ignored = (Path(job.root) / ".hippocampus/.gitignore").read_text().splitlines()
    assert "upkeep.log*" in ignored


def test_markers_out_of_pair_stop_everything(job: Job, tmp_path: Path) -> None:
    broken = f"# hippo:begin {job.name}\nx\n"
    programs = Programs(crontab=broken)
    for plan in (
        lambda: plan_install(job, some(programs, tmp_path), None),
        lambda: plan_remove(job, some(programs, tmp_path), None),
    ):
        with pytest.raises(ScheduleRefused, match="do not match"):
            plan()
    assert programs.crontab == broken


def test_how_it_stands(job: Job, tmp_path: Path) -> None:
    schedulers = some(Programs({"pgrep": FAILS}), tmp_path)
    before = status_of(job, schedulers)
    assert before.installed == ()
    assert before.refusals == {"launchd": "gone", "systemd": "gone"}
    carry_out(plan_install(job, schedulers, None))
    folder = Path(job.root) / ".hippocampus"
    (folder / "meta.json").write_text('{"cycles": {"daily": "2026-11-20T02:30:00+00:00"}}')
    (folder / "upkeep.log").write_text("")
    after = status_of(Job(job.root, ("/new/python",)), schedulers)
    (installed,) = after.installed
    assert (installed.scheduler, installed.places) == ("cron", ("crontab",))
    assert (installed.current, installed.active) == (False, True)
    assert after.last == {"daily": "2026-11-20T02:30:00+00:00", "weekly": None, "monthly": None}
    assert after.log == ".hippocampus/upkeep.log"
    assert after.refusals == {} and len(after.notices) == 1


@pytest.mark.parametrize("noted", ["", "[]", "null", '{"cycles": []}', "[" * 100_000, "\xff"])
def test_a_damaged_note_of_the_last_runs_says_nothing(noted: str, job: Job, tmp_path: Path) -> None:
    (Path(job.root) / ".hippocampus").mkdir()
    (Path(job.root) / ".hippocampus/meta.json").write_bytes(noted.encode("latin-1"))
    last = status_of(job, some(Programs(), tmp_path)).last
    assert last == {"daily": None, "weekly": None, "monthly": None}
