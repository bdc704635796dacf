"""``hippo schedule`` from end to end, with a ``crontab`` and a ``systemctl`` made up for it."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from hippocampus_cli.cli.main import main
from tests.support.command_line import Hippo
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
    machine: Path, workspace: Path, hippo: Hippo
) -> None:
    out, err = hippo("schedule install", code=2)
    assert out.startswith("install with cron  hourly from 02:30 to 23:30")
    assert "\n│ +30 2-23 * * * " in out and "\n│  0 5 * * 1 backup 50\\%\n" in out
    assert (out + err).count("nothing was written") == 1
    assert "no terminal to ask on; add --yes" in err
    hippo("schedule install --dry-run --yes")
    assert (machine / "table").read_text() == OTHERS
    assert not (workspace / ".hippocampus").exists()


def test_install_show_and_remove(machine: Path, workspace: Path, hippo: Hippo) -> None:
    assert "installed; runs hourly from 02:30 to 23:30" in hippo("schedule install --yes").out
    installed = (machine / "table").read_text()
    assert installed.startswith(OTHERS)
    assert hippo("schedule install --yes").out.startswith("already installed; runs hourly")
    assert (machine / "table").read_text() == installed
    assert "cron      hourly from 02:30 to 23:30, doing what is due" in hippo("schedule show").out
    assert "removed; nothing is scheduled for" in hippo("schedule remove --yes").out
    assert (machine / "table").read_text() == OTHERS
    assert hippo("schedule remove").out.startswith("nothing is scheduled for")
    assert "systemd   not used: systemctl is not installed" in hippo("schedule show").out


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


def test_with_systemd(machine: Path, workspace: Path, hippo: Hippo) -> None:
    program(machine, "systemctl", SYSTEMCTL)
    told = hippo("schedule install --yes")
    units = sorted((machine / "config/systemd/user").iterdir())
    assert [unit.suffix for unit in units] == [".service", ".timer"]
    out = told.out
    assert f"{units[0]}\n│ +# Written by `hippo schedule install`" in out
    assert "installed; runs daily at 02:30" in out
    assert (machine / "table").read_text() == OTHERS
    hippo("schedule remove --yes")
    assert list((machine / "config/systemd/user").iterdir()) == []
    assert f"--user disable --now {units[1].name}" in (machine / "asked").read_text()


def test_as_documents(machine: Path, workspace: Path, hippo: Hippo) -> None:
    shown = hippo("schedule install --json", code=2).json
    assert shown["written"] is False
    document = hippo("schedule install --json --yes").json
    assert document == {**shown, "written": True}
    assert document["scheduler"] == "cron" and document["workspace"] == str(workspace)
    ((step),) = document["steps"]
    assert (step["scheduler"], step["action"]) == ("cron", "install")
    assert step["changes"][0]["diff"][2] == f"+# hippo:begin {document['name']}"
    standing = hippo("schedule show --json").json
    assert standing["installed"][0]["current"] is True
    assert hippo("schedule remove --json --yes").json["scheduler"] is None


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
    machine: Path, workspace: Path, hippo: Hippo
) -> None:
    (machine / "full").write_text("")
    err = hippo("schedule install --yes", code=15).err
    assert "hippo: the schedule was not changed: `crontab -` failed: disk full\n" in err
    assert (machine / "table").read_text() == OTHERS
    (machine / "denied").write_text("")
    err = hippo("schedule install --yes", code=15).err
    assert "no scheduler is available here: launchd: launchctl is not installed; systemd:" in err
    assert "cron: not allowed\n" in err
    assert "next: run this every day with a scheduler of your own: " in err


def test_the_schedule_of_a_folder_that_is_gone(machine: Path, workspace: Path) -> None:
    main(["schedule", "install", "--yes"])
    workspace.rename(workspace.with_name("moved"))
    assert main(["schedule", "install", "--yes"]) == 3
    assert main(["schedule", "show"]) == 0
    assert main(["schedule", "remove", "--yes"]) == 0
    assert (machine / "table").read_text() == OTHERS
    assert not workspace.exists()


def test_a_link_to_a_workspace_is_the_same_workspace(
    machine: Path, workspace: Path, tmp_path: Path, hippo: Hippo
) -> None:
    hippo("schedule install --yes")
    (tmp_path / "link").symlink_to(workspace)
    told = hippo("schedule", "install", "-w", str(tmp_path / "link"))
    assert told.out.startswith("already installed")


def test_what_a_run_would_miss_is_told(machine: Path, workspace: Path, hippo: Hippo) -> None:
    (workspace / "HIPPOCAMPUS.md").unlink()
    err = hippo("schedule install --dry-run").err
    assert "there is no index yet; run `hippo bootstrap`" in err


def test_alone_it_says_what_there_is(machine: Path, workspace: Path, hippo: Hippo) -> None:
    alone = hippo("schedule").out
    assert "schedule it: hippo schedule install" in alone
    assert hippo("schedule show").out == alone
