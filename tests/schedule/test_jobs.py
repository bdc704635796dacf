from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime

import pytest

from hippocampus_cli.errors import ScheduleRefused
from hippocampus_cli.schedule.jobs import Job, next_daily, next_hourly
from tests.schedule.fakes import JOB, NAME


@pytest.fixture(autouse=True)
def _berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if not hasattr(time, "tzset"):
        pytest.skip("the time zone cannot be set here")
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_a_name_tells_folders_apart_also_where_they_are_called_the_same() -> None:
    assert JOB.name == NAME
    other = Job("/srv/my agent", JOB.program)
    assert other.name.startswith("hippo-my-agent-") and other.name != NAME


@pytest.mark.parametrize("root", ["/", "/日本", "/---"])
def test_a_folder_without_plain_letters_has_a_name_too(root: str) -> None:
    assert Job(root, ()).name.startswith("hippo-workspace-")


def test_a_long_name_is_cut() -> None:
    assert len(Job("/" + "long-" * 40, ()).name) <= len("hippo-") + 24 + len("-12345678")


def test_the_command() -> None:
    assert JOB.command == (*JOB.program, "maintain", "--due", "--workspace", JOB.root)


@pytest.mark.parametrize(
    ("root", "what"),
    [
        ("/a\nb", "a line break"),
        ("/a\rb", "a line break"),
        ("/a\x1bb", r"'\x1b'"),
        ("/a\udcff", r"'\udcff'"),
    ],
)
def test_a_path_that_no_scheduler_can_hold(root: str, what: str) -> None:
    with pytest.raises(ScheduleRefused) as refused:
        Job(root, ("python",))
    assert f"no scheduler accepts {what} in a path" in refused.value.message
    assert refused.value.advice == "rename the folder"


@pytest.mark.parametrize(
    ("now", "daily", "hourly"),
    [
        ("2026-01-10T00:00:00+01:00", "2026-01-10T02:30:00+01:00", "2026-01-10T02:30:00+01:00"),
        ("2026-01-10T02:30:00+01:00", "2026-01-11T02:30:00+01:00", "2026-01-10T03:30:00+01:00"),
        ("2026-01-10T22:45:00+00:00", "2026-01-11T02:30:00+01:00", "2026-01-11T02:30:00+01:00"),
        ("2026-03-28T12:00:00+01:00", "2026-03-29T03:30:00+02:00", "2026-03-28T12:30:00+01:00"),
        ("2026-03-29T12:00:00+02:00", "2026-03-30T02:30:00+02:00", "2026-03-29T12:30:00+02:00"),
        ("2026-12-31T23:31:00+01:00", "2027-01-01T02:30:00+01:00", "2027-01-01T02:30:00+01:00"),
    ],
)
def test_the_next_run_by_this_machines_clock(now: str, daily: str, hourly: str) -> None:
    moment = datetime.fromisoformat(now)
    assert next_daily(moment).isoformat() == daily
    assert next_hourly(moment).isoformat() == hourly
