from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hippocampus_cli.cli.logged import FULL

ROOT = Path(__file__).parents[2]
MOMENT = r"== \d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d{4} "


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "HIPPOCAMPUS.md").write_text("# HIPPOCAMPUS.md\n")
    (tmp_path / ".hippocampus").mkdir()
    return tmp_path


def logged(*argv: str) -> subprocess.CompletedProcess[str]:
    """As a scheduler runs it: hardly any environment, nothing that is a terminal."""
    bare = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    if os.name == "nt":
        bare["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
    args = [sys.executable, "-X", "utf8", "-P", "-m", "hippocampus_cli.cli.logged", *argv]
    return subprocess.run(args, env=bare, capture_output=True, text=True, encoding="utf-8")


def test_both_outputs_are_appended_between_the_moments(workspace: Path) -> None:
    log = workspace / ".hippocampus/upkeep.log"
    log.write_text("before\n")
    done = logged("config", "--workspace", str(workspace))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    again = logged("config", "--bogus", "--workspace", str(workspace))
    assert (again.returncode, again.stdout, again.stderr) == (2, "", "")
    text = log.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    moments = re.findall(f"^{MOMENT}(.*)$", text, re.M)
    assert moments == ["hippo config", "exit code 0", "hippo config --bogus", "exit code 2"]
    assert "there is no option --bogus" in text


def test_words_of_any_alphabet_reach_the_log(workspace: Path) -> None:
    (workspace / "HIPPOCAMPUS.md").write_text(
        "# HIPPOCAMPUS.md\n\n## Möwe 🐚\n<!-- hx: id=m -->\n", encoding="utf-8"
    )
    logged("list", "--workspace", str(workspace))
    assert "Möwe 🐚" in (workspace / ".hippocampus/upkeep.log").read_text(encoding="utf-8")


def test_a_full_log_is_set_aside_once(workspace: Path) -> None:
    log, aside = (workspace / f".hippocampus/upkeep.log{ending}" for ending in ("", ".1"))
    aside.write_text("oldest\n")
    log.write_text("x" * (FULL + 1))
    logged("list", "--workspace", str(workspace))
    assert aside.stat().st_size == FULL + 1
    assert log.read_text(encoding="utf-8").startswith("== ")


def test_nothing_is_made_where_the_workspace_is_not(tmp_path: Path) -> None:
    gone = tmp_path / "unmounted"
    done = logged("list", "--workspace", str(gone))
    assert done.returncode == 3
    assert "does not exist" in done.stderr
    assert not gone.exists()
    gone.mkdir()
    assert logged("list", "--workspace", str(gone)).returncode == 4
    assert list(gone.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_log_that_leads_out_of_the_workspace_is_not_written(
    workspace: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other") / "theirs"
    other.write_text("")
    (workspace / ".hippocampus/upkeep.log").symlink_to(other)
    done = logged("config", "--workspace", str(workspace))
    assert done.returncode == 0 and "exit code 0" in done.stdout
    assert other.read_text() == ""
