from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hippocampus_cli.cli.commands import status
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import option, takes
from hippocampus_cli.errors import EntryNotFound, FileUnreadable
from tests.support.command_line import Hippo

Raise = Callable[[BaseException], None]


@pytest.fixture
def fails(monkeypatch: pytest.MonkeyPatch) -> Raise:
    """``hippo status`` raises what it is told to."""

    def set_up(error: BaseException) -> None:
        @takes(option("--text", "Some text."))
        def command(session: CommandContext, *, text: str | None) -> None:
            """Fail."""
            raise error

        monkeypatch.setattr(status, "command", command)

    return set_up


def test_an_expected_failure_says_what_where_and_what_next(fails: Raise, hippo: Hippo) -> None:
    fails(FileUnreadable(path="a\x1b[2J.md", line=3, reason="no such file"))
    out, err = hippo("status", code=6)
    assert out == ""
    assert err == (
        "hippo: cannot read the file: no such file\n"
        "  at a␛[2J.md:3\n"
        "  next: check that it exists, is a regular file, and that you may read it\n"
    )


def test_with_json_the_failure_is_one_document(fails: Raise, hippo: Hippo) -> None:
    fails(EntryNotFound(id="x\udcff", nearest=""))
    out, err = hippo("status --json", code=10)
    error = json.loads(out)["error"]
    assert error["code"] == "no-entry"
    assert list(error) == ["code", "message", "path", "line", "next"]
    assert err.startswith("hippo: no entry with the id")


def test_json_after_the_end_of_options_is_text(fails: Raise, hippo: Hippo) -> None:
    fails(EntryNotFound(id="x", nearest=""))
    assert hippo("status -- --json", code=2).out == ""


def test_a_bug_leaves_a_report_and_no_bare_traceback(
    fails: Raise, hippo: Hippo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    fails(ZeroDivisionError("oh \x1b no"))
    out, err = hippo("status", "--text=my secret", code=70)
    assert out == ""
    assert "Traceback" not in err
    (report,) = tmp_path.iterdir()
    assert str(report) in err
    text = report.read_text(encoding="utf-8")
    assert "ZeroDivisionError: oh ␛ no" in text
    assert "command: hippo status --text\n" in text
    assert "secret" not in text


def test_a_report_that_cannot_be_saved_is_shown(
    fails: Raise, hippo: Hippo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    fails(ZeroDivisionError("oh"))
    assert "ZeroDivisionError: oh" in hippo("status", code=70).err


def test_an_interrupt_is_quiet(fails: Raise, hippo: Hippo, monkeypatch: pytest.MonkeyPatch) -> None:
    fails(KeyboardInterrupt())
    assert hippo("status", code=130) == ("", "")
    monkeypatch.setattr("hippocampus_cli.cli.output.shows_terminal", lambda environ: True)
    assert hippo("status", code=130) == ("", "\n")


def test_a_reader_that_leaves_is_no_failure(fails: Raise, hippo: Hippo) -> None:
    fails(BrokenPipeError(32, "Broken pipe"))
    assert hippo("status", code=141) == ("", "")


@pytest.mark.skipif(os.name == "nt", reason="a pipe that closes is another error there")
@pytest.mark.parametrize("command", [["config"], ["--version"], ["--help"]])
def test_a_closed_pipe_leaves_no_trace_in_a_real_process(command: list[str]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "hippocampus_cli", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(20) == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("command", [["config"], ["--version"], ["--help"], ["config", "--help"]])
def test_a_full_disk_behind_the_output_is_told_in_one_line(command: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "hippocampus_cli", *command],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
            check=False,
        )
    assert done.stderr == b"hippo: cannot write: No space left on device\n"
    assert done.returncode == 6


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["--version", "--help", "list --json", "query lunch --json"])
def test_closed_streams_are_no_error(
    tmp_path: Path, command: str, closed: str, hippo: Hippo
) -> None:
    (tmp_path / "MEMORY.md").write_text("# Memory\n\nLunch is at noon.\n")
    hippo("bootstrap", "-w", str(tmp_path))
    done = shell(tmp_path, f"{command} {closed}")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(os.name == "nt", reason="a folder that is in use cannot be removed there")
def test_a_current_folder_that_was_removed(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    (tmp_path / "MEMORY.md").write_text("# Memory\n\nLunch is at noon.\n")
    gone.mkdir()
    remove = f"rmdir '{gone}'"
    found = shell(gone, f"query lunch --no-write -w '{tmp_path}'", remove)
    assert found.returncode == 0 and "noon" in found.stdout
    gone.mkdir()
    lost = shell(gone, "status", remove)
    assert (lost.returncode, "folder was removed" in lost.stderr) == (3, True), lost.stderr


def shell(folder: Path, command: str, before: str = "true") -> subprocess.CompletedProcess[str]:
    script = f"{before}; '{sys.executable}' -m hippocampus_cli {command}"
    return subprocess.run(
        ["sh", "-c", script], cwd=folder, capture_output=True, text=True, check=False
    )


def test_an_import_into_a_folder_that_is_no_workspace_says_how(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HIPPO_WORKSPACE", raising=False)
    assert "next: name the folder to import into" in hippo("import m.zip", code=3).err
