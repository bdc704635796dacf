"""``hippo forget`` on the command line."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hippocampus_cli.cli.main import main

KEY = "sk-live-51HxQp0a9Zr"
NOW = "2026-08-01T09:00:00+00:00"


@pytest.fixture
def hippo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    (tmp_path / "TOOLS.md").write_text(f"# Tools\n\n## Vault\n\nThe vault takes {KEY} today.\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HIPPO_NOW", NOW)

    def run(*words: str, given: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
        code = main(words)
        said = capsys.readouterr()
        return code, said.out, said.err

    (tmp_path / "MEMORY.md").write_text("# Memory\n\nLunch is at noon.\n")
    run("bootstrap")
    return run


def test_it_shows_asks_and_forgets(hippo: Any, tmp_path: Path) -> None:
    code, out, err = hippo("forget", KEY)
    assert (code, "found in" in out, "add --yes" in err) == (2, True, True)
    assert KEY in (tmp_path / "HIPPOCAMPUS.md").read_text()
    code, out, _ = hippo("forget", KEY, "--yes")
    assert code == 0
    assert "forgotten  tombstone 1" in out
    assert f"$ hippo forget {KEY} --notes" in out
    assert "takes" not in out  # nothing that was not typed
    assert KEY not in (tmp_path / "HIPPOCAMPUS.md").read_text()
    assert "tombstones" in hippo("forget", "--list")[1]


def test_a_text_on_standard_input_is_never_printed(hippo: Any, tmp_path: Path) -> None:
    code, out, err = hippo("forget", "-", "--dry-run", given=f"{KEY}\n")
    assert code == 0
    assert KEY not in out + err
    code, out, err = hippo("forget", "-", "--yes", "--notes", given=f"{KEY}\n")
    assert code == 0
    assert "TOOLS.md:5  The vault takes  today." in out
    assert KEY not in out + err + (tmp_path / "TOOLS.md").read_text()


@pytest.mark.parametrize("path", ["HIPPOCAMPUS.md", ".hippocampus", ".hippocampus/meta.json"])
def test_hippos_own_files_are_no_notes(hippo: Any, tmp_path: Path, path: str) -> None:
    before = (tmp_path / "HIPPOCAMPUS.md").read_bytes()
    code, _, err = hippo("forget", "--path", path, "--notes", "--yes")
    assert (code, "no note" in err) == (2, True)
    assert (tmp_path / "HIPPOCAMPUS.md").read_bytes() == before


def test_what_was_agreed_to_is_done_also_where_nobody_reads_on(hippo: Any, tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "hippocampus_cli", "forget", KEY, "--notes", "--yes"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")
    assert KEY not in (tmp_path / "TOOLS.md").read_text()


def test_a_question_and_a_memory_that_speak_of_it_are_told(hippo: Any) -> None:
    hippo("forget", "Lunch is at noon", "--yes")
    assert "were forgotten (hippo forget --list)" in hippo("query", "lunch is at noon", "--json")[1]
    _, _, err = hippo("remember", "Lunch is at noon again.")
    assert "holds what was forgotten" in err and "secret" not in err


def test_json(hippo: Any) -> None:
    code, out, _ = hippo("forget", KEY, "--yes", "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["sort"], found["tombstone"], found["damaged"]) == ("text", 1, [])
    assert {"name": "HIPPOCAMPUS.md", "files": 1, "places": found["held"][0]["places"]} == found[
        "held"
    ][0]
    assert found["notes"] == [{"path": "TOOLS.md", "lines": [5]}]
    stones = json.loads(hippo("forget", "--list", "--json")[1])["tombstones"]
    assert [one["id"] for one in stones] == [1]
    assert json.loads(hippo("forget", "--undo", "1", "--json")[1])["undone"]["id"] == 1
    assert hippo("forget", "--list")[1] == "finished: yes\n"


def test_paths_are_meant_from_the_root_or_from_here(
    hippo: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/2026-07-30.md").write_text("# Day\n\n## Pier\n\nWe met on the pier.\n")
    hippo("bootstrap")
    monkeypatch.chdir(tmp_path / "memory")
    assert hippo("forget", "--path", "2026-07-30.md", "--yes", "--notes")[0] == 0
    assert not (tmp_path / "memory/2026-07-30.md").exists()
    assert "pier" not in (tmp_path / "HIPPOCAMPUS.md").read_text().lower()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["forget"], 2),
        (["forget", "x", "--path", "TOOLS.md"], 2),
        (["forget", "ab"], 2),
        (["forget", "--since", "never"], 2),
        (["forget", "--path", "../x.md"], 2),
        (["forget", "nothing of the kind stands here"], 1),
        (["forget", "--undo", "7"], 1),
        (["forget", "--session", "none"], 10),
    ],
)
def test_exit_codes(hippo: Any, words: list[str], code: int) -> None:
    found, _, err = hippo(*words, "--yes") if "--undo" not in words else hippo(*words)
    assert found == code
    assert "Traceback" not in err
