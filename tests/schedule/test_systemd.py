from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from hippocampus_cli.errors import ScheduleRefused
from hippocampus_cli.schedule.jobs import Job
from hippocampus_cli.schedule.scheduler import ProgramResult
from hippocampus_cli.schedule.systemd import Systemd, service_of, timer_of
from tests.schedule.fakes import FAILS, JOB, NAME, OK, Programs, machine

TIMER = f"{NAME}.timer"
SERVICE = """\
# Written by `hippo schedule install`; `hippo schedule remove` takes it back.
[Unit]
Description=Upkeep of /home/me/my agent by hippo

[Service]
Type=oneshot
Nice=10
ExecStart="/opt/venv/bin/python" "-m" "hippo" "maintain" "--due" "--workspace" "/home/me/my agent"
"""
TIMER_TEXT = """\
# Written by `hippo schedule install`; `hippo schedule remove` takes it back.
[Unit]
Description=Daily upkeep of /home/me/my agent by hippo

[Timer]
OnCalendar=*-*-* 02:30:00
Persistent=true

[Install]
WantedBy=timers.target
"""
ODD = Job('/tmp/50% "of" $HOME it\'s \\', ("/bin/echo", "hippo"))


def test_the_units() -> None:
    assert service_of(JOB) == SERVICE
    assert timer_of(JOB) == TIMER_TEXT


def test_what_a_unit_would_read_otherwise_is_escaped() -> None:
    assert 'Description=Upkeep of /tmp/50%% "of" $HOME it\'s \\ by hippo' in service_of(ODD)
    assert r'"/tmp/50%% \"of\" $$HOME it' in service_of(ODD)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not here")
@pytest.mark.parametrize("job", [JOB, ODD], ids=["plain", "odd"])
def test_systemd_finds_no_fault(job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runnable = Job(job.root, ("/bin/echo", "hippo"))
    texts = {"service": service_of(runnable), "timer": timer_of(runnable)}
    for ending, text in texts.items():
        (tmp_path / f"{job.name}.{ending}").write_text(text, encoding="utf-8")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    args = ["systemd-analyze", "verify", "--user", "--man=no", *map(str, tmp_path.iterdir())]
    done = subprocess.run(args, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_install_twice_and_remove(tmp_path: Path) -> None:
    programs = Programs({"systemctl": OK})
    scheduler = Systemd(machine(programs, tmp_path))
    changes = scheduler.to_install(JOB)
    folder = tmp_path / "config/systemd/user"
    assert [change.place for change in changes] == [
        str(folder / f"{NAME}.service"),
        str(folder / TIMER),
    ]
    assert not folder.exists()
    scheduler.install(JOB, changes)
    assert (folder / TIMER).read_text() == TIMER_TEXT
    assert programs.calls == [
        "systemctl --user daemon-reload",
        f"systemctl --user enable {TIMER}",
        f"systemctl --user restart {TIMER}",
    ]
    assert scheduler.to_install(JOB) == []
    programs.calls.clear()
    scheduler.remove(JOB, scheduler.to_remove(JOB))
    assert list(folder.iterdir()) == []
    assert programs.calls == [
        f"systemctl --user disable --now {TIMER}",
        f"systemctl --user clean --what=state {TIMER}",
        "systemctl --user daemon-reload",
    ]


def test_what_cannot_be_enabled_is_not_left_behind(tmp_path: Path) -> None:
    programs = Programs({"systemctl": OK, "systemctl --user restart": FAILS})
    scheduler = Systemd(machine(programs, tmp_path))
    with pytest.raises(
        ScheduleRefused, match=r"`systemctl --user restart .*` failed: it is broken"
    ):
        scheduler.install(JOB, scheduler.to_install(JOB))
    assert scheduler.to_remove(JOB) == []
    assert programs.calls[-2:] == [
        f"systemctl --user disable --now {TIMER}",
        "systemctl --user daemon-reload",
    ]


def test_an_update_that_fails_leaves_the_earlier_units(tmp_path: Path) -> None:
    programs = Programs({"systemctl": OK})
    scheduler = Systemd(machine(programs, tmp_path))
    scheduler.install(JOB, scheduler.to_install(JOB))
    programs.answers["systemctl --user enable"] = FAILS
    newer = Job(JOB.root, ("/other/python",))
    with pytest.raises(ScheduleRefused):
        scheduler.install(newer, scheduler.to_install(newer))
    assert scheduler.to_install(JOB) == []
    assert not any("disable" in call for call in programs.calls)


def test_what_cannot_be_stopped_stays_installed(tmp_path: Path) -> None:
    programs = Programs({"systemctl": OK})
    scheduler = Systemd(machine(programs, tmp_path))
    scheduler.install(JOB, scheduler.to_install(JOB))
    for failing in ("disable", "daemon-reload"):
        programs.answers[f"systemctl --user {failing}"] = FAILS
        with pytest.raises(ScheduleRefused):
            scheduler.remove(JOB, scheduler.to_remove(JOB))
        assert scheduler.to_install(JOB) == []
        programs.answers[f"systemctl --user {failing}"] = OK


def test_no_manager_no_timer(tmp_path: Path) -> None:
    said = ProgramResult(1, "", "Failed to connect to bus: No medium found\n")
    scheduler = Systemd(machine(Programs({"systemctl": said}), tmp_path))
    assert scheduler.unavailable() == "Failed to connect to bus: No medium found"
    assert not scheduler.is_active(JOB)


@pytest.mark.parametrize(("said", "count"), [("Linger=no\n", 1), ("Linger=yes\n", 0)])
def test_a_user_whose_timers_end_with_the_session_is_told(
    said: str, count: int, tmp_path: Path
) -> None:
    programs = Programs({"loginctl show-user 1000": ProgramResult(0, said, "")})
    assert len(Systemd(machine(programs, tmp_path)).notices()) == count
