"""A job: its name, and the paths that it may have."""

from __future__ import annotations

import pytest

from hippocampus_cli.errors import ScheduleRefused
from hippocampus_cli.schedule.jobs import Job
from tests.schedule.fakes import JOB, NAME


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


@pytest.mark.parametrize("sign", [*"\n\x1b\udcff", "%", "$", "\\", '"'])
def test_a_path_that_no_scheduler_can_hold(sign: str) -> None:
    for job in (Job(f"/a{sign}b", ("python",)), Job("/a", (f"{sign}python",))):
        with pytest.raises(ScheduleRefused) as refused:
            job.check()
        assert f"no scheduler accepts {sign!a} in a path" in refused.value.message
        assert refused.value.advice == "rename the folder"
