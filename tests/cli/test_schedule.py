"""``hippo schedule`` from end to end, with a ``crontab`` and a ``systemctl`` made up for it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from hippocampus_cli.cli.main import main
from tests.support.processes import CRONTAB, program

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")

OTHERS = "# mine\n0 5 * * 1 backup 50\\%\n"
SYSTEMCTL = """\
echo "$@" >> FOLDER/asked
"""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the made-up programs keep their files in."""
    folder = tmp_path / "machine"
    (folder / "bin").mkdir(parents=True)
    program(folder, "crontab", CRONTAB)
    (folder / "table").write_text(OTHERS)
    for name in ("cat", "rm"):
        (folder / "bin" / name).symlink_to(f"/bin/{name}")
    monkeypatch.setenv("PATH", str(folder / "bin"))
    monkeypatch.setenv("HIPPO_NOW", "2026-11-21T09:00:00")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    return folder


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace whose path has what a shell reads otherwise."""
    root = tmp_path / "it's (my) ~ agent; é🐚"
    root.mkdir()
    (root / "HIPPOCAMPUS.md").write_text("# HIPPOCAMPUS.md\n")
    monkeypatch.setenv("HIPPO_WORKSPACE", str(root))
    return root


def test_without_a_terminal_it_shows_and_writes_nothing(
    machine: Path, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["schedule", "install"]) == 2
    out, err = capsys.readouterr()
    assert out.startswith("install with cron  hourly from 02:30 to 23:30")
    assert "\n│ +30 2-23 * * * " in out and "\n│  0 5 * * 1 backup 50\\%\n" in out
    assert "nothing was written" in out
    assert "no terminal to ask on; add --yes" in err
    assert (machine / "table").read_text() == OTHERS
    assert not (workspace / ".hippocampus").exists()


def test_a_dry_run_is_no_failure(machine: Path, workspace: Path) -> None:
    assert main(["schedule", "install", "--dry-run", "--yes"]) == 0
    assert (machine / "table").read_text() == OTHERS


def test_install_show_and_remove(
    machine: Path, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["schedule", "install", "--yes"]) == 0
    assert "installed; runs hourly from 02:30 to 23:30" in capsys.readouterr().out
    installed = (machine / "table").read_text()
    assert installed.startswith(OTHERS)
    assert main(["schedule", "install", "--yes"]) == 0
    assert capsys.readouterr().out.startswith("already installed; runs hourly")
    assert (machine / "table").read_text() == installed
    assert main(["schedule", "show"]) == 0
    assert "cron\thourly from 02:30 to 23:30, doing what is due" in capsys.readouterr().out
    assert main(["schedule", "remove", "--yes"]) == 0
    assert "removed; nothing is scheduled for" in capsys.readouterr().out
    assert (machine / "table").read_text() == OTHERS
    assert main(["schedule", "remove"]) == 0
    assert capsys.readouterr().out.startswith("nothing is scheduled for")
    assert main(["schedule", "show"]) == 0
    assert "systemd systemctl is not installed" in capsys.readouterr().out


def test_what_cron_would_run_says_what_is_to_be_run(machine: Path, workspace: Path) -> None:
    """The line as cron gives it to a shell, with a Python that prints its words."""
    main(["schedule", "install", "--yes"])
    (line,) = (x for x in (machine / "table").read_text().splitlines() if x.startswith("30 2"))
    program(machine, "says", "for word; do printf '%s\\0' \"$word\"; done\n")
    command = line.split(" ", 5)[5]
    assert command.startswith(f"{sys.executable} ")
    command = command.replace(sys.executable, str(machine / "bin/says"), 1).replace("\\%", "%")
    done = subprocess.run(["/bin/sh", "-c", command], env={}, capture_output=True, check=True)
    words = done.stdout.decode().split("\0")[:-1]
    assert words[-4:] == ["maintain", "--due", "--workspace", str(workspace)]


def test_with_systemd(machine: Path, workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program(machine, "systemctl", SYSTEMCTL)
    assert main(["schedule", "install", "--yes"]) == 0
    units = sorted((machine / "config/systemd/user").iterdir())
    assert [unit.suffix for unit in units] == [".service", ".timer"]
    out = capsys.readouterr().out
    assert f"{units[0]}\n│ +# Written by `hippo schedule install`" in out
    assert "installed; runs daily at 02:30" in out
    assert (machine / "table").read_text() == OTHERS
    assert main(["schedule", "remove", "--yes"]) == 0
    assert list((machine / "config/systemd/user").iterdir()) == []
    assert f"--user disable --now {units[1].name}" in (machine / "asked").read_text()


def test_as_documents(machine: Path, workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schedule", "install", "--json"]) == 2
    shown = json.loads(capsys.readouterr().out)
    assert shown["written"] is False
    assert main(["schedule", "install", "--json", "--yes"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == {**shown, "written": True}
    assert document["scheduler"] == "cron" and document["workspace"] == str(workspace)
    ((step),) = document["steps"]
    assert (step["scheduler"], step["action"]) == ("cron", "install")
    assert step["changes"][0]["diff"][2] == f"+# hippo:begin {document['name']}"
    assert main(["schedule", "show", "--json"]) == 0
    standing = json.loads(capsys.readouterr().out)
    assert standing["installed"][0]["current"] is True
    assert main(["schedule", "remove", "--json", "--yes"]) == 0
    assert json.loads(capsys.readouterr().out)["scheduler"] is None


class Keyboard(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 1), ("\n", 1)])
def test_on_a_terminal_it_asks(
    answer: str, code: int, machine: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    monkeypatch.setattr("sys.stdin", Keyboard(answer))
    monkeypatch.setattr("hippocampus_cli.cli.output.shows_terminal", lambda _: True)
    assert main(["schedule", "install"]) == code
    assert ((machine / "table").read_text() != OTHERS) == (code == 0)


def test_a_crontab_that_is_refused_is_told_with_what_to_do(
    machine: Path, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (machine / "full").write_text("")
    assert main(["schedule", "install", "--yes"]) == 15
    err = capsys.readouterr().err
    assert "hippo: the schedule was not changed: `crontab -` failed: disk full\n" in err
    assert (machine / "table").read_text() == OTHERS
    (machine / "denied").write_text("")
    assert main(["schedule", "install", "--yes"]) == 15
    err = capsys.readouterr().err
    assert "no scheduler is available here: launchd: launchctl is not installed; systemd:" in err
    assert "cron: not allowed\n" in err
    assert "next: run this every day with a scheduler of your own: " in err


def test_a_path_with_a_line_break(
    machine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a\nb").mkdir()
    assert main(["schedule", "install", "--yes", "-w", str(tmp_path / "a\nb")]) == 15
    assert "no scheduler accepts '\\n' in a path: '" in capsys.readouterr().err
    assert (machine / "table").read_text() == OTHERS


def test_the_schedule_of_a_folder_that_is_gone(machine: Path, workspace: Path) -> None:
    main(["schedule", "install", "--yes"])
    workspace.rename(workspace.with_name("moved"))
    assert main(["schedule", "install", "--yes"]) == 3
    assert main(["schedule", "show"]) == 0
    assert main(["schedule", "remove", "--yes"]) == 0
    assert (machine / "table").read_text() == OTHERS
    assert not workspace.exists()


def test_a_link_to_a_workspace_is_the_same_workspace(
    machine: Path, workspace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["schedule", "install", "--yes"])
    (tmp_path / "link").symlink_to(workspace)
    capsys.readouterr()
    assert main(["schedule", "install", "-w", str(tmp_path / "link")]) == 0
    assert capsys.readouterr().out.startswith("already installed")


def test_what_a_run_would_miss_is_told(
    machine: Path, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / "HIPPOCAMPUS.md").unlink()
    main(["schedule", "install", "--dry-run"])
    err = capsys.readouterr().err
    assert "there is no index yet; run `hippo bootstrap`" in err


def test_alone_it_says_what_there_is(
    machine: Path, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["schedule"]) == 0
    alone = capsys.readouterr().out
    assert "schedule it: hippo schedule install" in alone
    assert main(["schedule", "show"]) == 0
    assert capsys.readouterr().out == alone
