"""The services of a user's own manager: systemd's and launchd's."""

from __future__ import annotations

import plistlib
import shutil
import subprocess
from pathlib import Path

import pytest

from hippocampus_cli.errors import ScheduleRefused
from hippocampus_cli.schedule.jobs import Job
from hippocampus_cli.schedule.scheduler import ProgramResult
from hippocampus_cli.schedule.services import Launchd, Systemd
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
ODD = Job("/tmp/it's (a) ~ <b> & c; é日🐚", ("/bin/echo", "hippo"))


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not here")
@pytest.mark.parametrize("job", [JOB, ODD], ids=["plain", "odd"])
def test_systemd_finds_no_fault(job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runnable = Job(job.root, ("/bin/echo", "hippo"))
    units = Systemd(machine(Programs(), tmp_path)).files(runnable)
    for path, text in units.items():
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    args = ["systemd-analyze", "verify", "--user", "--man=no", *map(str, tmp_path.iterdir())]
    done = subprocess.run(args, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_two_units_come_and_go(tmp_path: Path) -> None:
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
    assert (folder / f"{NAME}.service").read_text() == SERVICE
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


LOADED = f"launchctl print gui/1000/{NAME}"


def test_any_path_comes_through_a_property_list() -> None:
    (text,) = Launchd(machine(Programs(), Path())).files(ODD).values()
    assert plistlib.loads(text.encode())["ProgramArguments"][-1] == ODD.root


def test_a_property_list_comes_and_goes(tmp_path: Path) -> None:
    programs = Programs({"launchctl": OK, LOADED: FAILS})
    scheduler = Launchd(machine(programs, tmp_path, "darwin"))
    (change,) = scheduler.to_install(JOB)
    path = tmp_path / f"Library/LaunchAgents/{NAME}.plist"
    assert change.place == str(path)
    scheduler.install(JOB, [change])
    assert plistlib.loads(path.read_bytes())["StartCalendarInterval"] == {"Hour": 2, "Minute": 30}
    assert programs.calls[-1] == f"launchctl bootstrap gui/1000 {path}"
    programs.answers[LOADED] = OK
    assert scheduler.to_install(JOB) == []
    assert scheduler.is_active(JOB)
    scheduler.remove(JOB, scheduler.to_remove(JOB))
    assert not path.exists()
    assert programs.calls[-1] == f"launchctl bootout gui/1000/{NAME}"


def test_an_update_lets_go_of_the_earlier_list_first(tmp_path: Path) -> None:
    programs = Programs({"launchctl": OK})
    scheduler = Launchd(machine(programs, tmp_path, "darwin"))
    scheduler.install(JOB, scheduler.to_install(JOB))
    assert [call.split()[1] for call in programs.calls[-2:]] == ["bootout", "bootstrap"]


def test_what_cannot_be_loaded_is_not_left_behind(tmp_path: Path) -> None:
    programs = Programs({"launchctl": OK, LOADED: FAILS, "launchctl bootstrap": FAILS})
    scheduler = Launchd(machine(programs, tmp_path, "darwin"))
    with pytest.raises(ScheduleRefused, match="launchctl bootstrap"):
        scheduler.install(JOB, scheduler.to_install(JOB))
    assert scheduler.to_remove(JOB) == []


def test_what_launchd_holds_on_to_stays_installed(tmp_path: Path) -> None:
    programs = Programs({"launchctl": OK})
    scheduler = Launchd(machine(programs, tmp_path, "darwin"))
    scheduler.install(JOB, scheduler.to_install(JOB))
    programs.answers["launchctl bootout"] = FAILS
    with pytest.raises(ScheduleRefused, match="launchctl bootout"):
        scheduler.remove(JOB, scheduler.to_remove(JOB))
    assert scheduler.to_install(JOB) == []


def test_nobody_on_the_screen(tmp_path: Path) -> None:
    scheduler = Launchd(machine(Programs({"launchctl": FAILS}), tmp_path, "darwin"))
    assert scheduler.unavailable() == "user 1000 has no graphical login session"
