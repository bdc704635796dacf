from __future__ import annotations

import plistlib
from pathlib import Path

import pytest

from hippocampus_cli.errors import ScheduleRefused
from hippocampus_cli.schedule.jobs import Job
from hippocampus_cli.schedule.launchd import Launchd, plist_of
from tests.schedule.fakes import FAILS, JOB, NAME, OK, Programs, machine

PLIST = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>{NAME}</string>
	<key>ProgramArguments</key>
	<array>
		<string>/opt/venv/bin/python</string>
		<string>-m</string>
		<string>hippo</string>
		<string>maintain</string>
		<string>--due</string>
		<string>--workspace</string>
		<string>/home/me/my agent</string>
	</array>
	<key>StartCalendarInterval</key>
	<dict>
		<key>Hour</key>
		<integer>2</integer>
		<key>Minute</key>
		<integer>30</integer>
	</dict>
	<key>RunAtLoad</key>
	<true/>
	<key>ProcessType</key>
	<string>Background</string>
</dict>
</plist>
"""
LOADED = f"launchctl print gui/1000/{NAME}"


def test_the_property_list() -> None:
    assert plist_of(JOB) == PLIST


def test_any_path_comes_through() -> None:
    odd = Job("/a <b> & \"c\" 'd' %$\\é", ("python",))
    assert plistlib.loads(plist_of(odd).encode())["ProgramArguments"][-1] == odd.root


def test_install_twice_and_remove(tmp_path: Path) -> None:
    programs = Programs({"launchctl": OK, LOADED: FAILS})
    scheduler = Launchd(machine(programs, tmp_path, "darwin"))
    (change,) = scheduler.to_install(JOB)
    path = tmp_path / f"Library/LaunchAgents/{NAME}.plist"
    assert change.place == str(path)
    scheduler.install(JOB, [change])
    assert path.read_text() == PLIST
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


def test_without_launchd(tmp_path: Path) -> None:
    scheduler = Launchd(machine(Programs(), tmp_path))
    assert scheduler.unavailable() == "gone"
    assert not scheduler.is_active(JOB)


def test_nobody_on_the_screen(tmp_path: Path) -> None:
    scheduler = Launchd(machine(Programs({"launchctl": FAILS}), tmp_path, "darwin"))
    assert scheduler.unavailable() == "user 1000 has no graphical login session"
