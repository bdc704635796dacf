"""``hippo forget`` on the command line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hippocampus_cli.maintenance import scrub, upkeep
from hippocampus_cli.maintenance.forgotten_state import STATE
from hippocampus_cli.workspace.own_files import CACHE, FORGOTTEN
from tests.support.command_line import Hippo

KEY = "sk-live-51HxQp0a9Zr"
NOW = "2026-08-01T09:00:00+00:00"
KINDS = {
    "a file": Path.touch,
    "a link to no folder": lambda path: path.symlink_to("nowhere"),
    **({"a pipe or device": os.mkfifo} if hasattr(os, "mkfifo") else {}),
}


@pytest.fixture(autouse=True)
def _workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo) -> None:
    (tmp_path / "TOOLS.md").write_text(f"# Tools\n\n## Vault\n\nThe vault takes {KEY} today.\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HIPPO_NOW", NOW)
    (tmp_path / "MEMORY.md").write_text("# Memory\n\nLunch is at noon.\n")
    hippo("bootstrap")


def test_it_shows_asks_and_forgets(hippo: Hippo, tmp_path: Path) -> None:
    out, err = hippo("forget", KEY, code=2, given="")
    assert "found in" in out and "add --yes" in err
    assert KEY in (tmp_path / "HIPPOCAMPUS.md").read_text()
    out, _ = hippo("forget", KEY, "--yes")
    assert "forgotten  tombstone 1" in out
    assert f"$ hippo forget {KEY} --notes" in out
    assert "takes" not in out  # nothing that was not typed
    assert KEY not in (tmp_path / "HIPPOCAMPUS.md").read_text()
    assert hippo("forget --list").out.endswith("  a text, out of 2 places\n")


def test_a_text_on_standard_input_is_never_printed(hippo: Hippo, tmp_path: Path) -> None:
    out, err = hippo("forget - --dry-run", given=f"{KEY}\n")
    assert KEY not in out + err
    out, err = hippo("forget - --yes --notes", given=f"{KEY}\n")
    assert "TOOLS.md:5  The vault takes  today." in out
    assert KEY not in out + err + (tmp_path / "TOOLS.md").read_text()


def test_what_was_agreed_to_is_done_also_where_nobody_reads_on(
    hippo: Hippo, tmp_path: Path
) -> None:
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


def test_a_memory_that_speaks_of_it_is_told(hippo: Hippo) -> None:
    hippo("forget", "Lunch is at noon", "--yes")
    err = hippo("remember", "Lunch is at noon again.").err
    assert "holds what was forgotten" in err and "secret" not in err


@pytest.mark.parametrize("at", [(scrub, "forget_shared"), (upkeep, "scrub")])
def test_what_was_interrupted_is_said_and_finished_by_the_next_that_may_write(
    hippo: Hippo, monkeypatch: pytest.MonkeyPatch, at: tuple[object, str]
) -> None:
    hippo("remember", "--believe", "Lunch is at noon.")
    with monkeypatch.context() as patched:
        patched.setattr(*at, _killed)
        hippo("forget", "Lunch is at noon", "--yes", "--notes", code=130)
    assert "forgetting was interrupted" in hippo("status").err
    Path(STATE).unlink()  # who deletes a cache is told of nothing
    assert hippo("forget --list").err == hippo("query", "vault").err == ""
    assert "was changed" not in hippo("check", code=None).out  # nor is it said of an episode's text


def test_an_entry_by_hand_loses_the_name_of_a_forgotten_note(hippo: Hippo, tmp_path: Path) -> None:
    (tmp_path / "zanzibar.md").write_text("# Zanzibar\n\nCloves.\n")
    hippo("add Trip --to TOOLS.md --to zanzibar.md")
    hippo("forget Zanzibar --yes")
    assert "→ TOOLS.md\n<!-- hx: id=trip" in (tmp_path / "HIPPOCAMPUS.md").read_text()
    hippo("check")


@pytest.mark.parametrize(("kind", "make"), KINDS.items())
def test_nothing_is_done_where_no_folder_can_be(
    hippo: Hippo, kind: str, make: Callable[[Path], object]
) -> None:
    shutil.rmtree(CACHE)
    make(Path(CACHE))
    for words in (["forget", KEY, "--yes"], ["maintain", "--daily"]):
        err = hippo(*words, code=6).err
        assert f"{kind} stands where hippo needs a folder; nothing was changed" in err
        assert f"at {CACHE}\n  next: move it away" in err
    assert not Path(FORGOTTEN).exists()


def test_damaged_tombstones_are_told_of_once(hippo: Hippo) -> None:
    hippo("forget", "Lunch is at noon", "--yes")
    Path(FORGOTTEN).write_text("no tombstone")
    assert hippo("status", code=6).err.count("damaged") == 1


def _killed(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_json(hippo: Hippo) -> None:
    found = hippo("forget", KEY, "--yes", "--json").json
    assert (found["sort"], found["tombstone"], found["damaged"]) == ("text", 1, [])
    held = found["held"][0]
    assert held == {"name": "HIPPOCAMPUS.md", "files": 1, "places": held["places"]}
    assert found["notes"] == [{"path": "TOOLS.md", "lines": [5]}]
    assert [one["id"] for one in hippo("forget --list --json").json["tombstones"]] == [1]
    assert hippo("forget --undo 1 --json").json["undone"]["id"] == 1
    assert hippo("forget --list").out == "nothing was forgotten\n"


def test_paths_are_meant_from_the_root_or_from_here(
    hippo: Hippo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/2026-07-30.md").write_text("# Day\n\n## Pier\n\nWe met on the pier.\n")
    hippo("bootstrap")
    monkeypatch.chdir(tmp_path / "memory")
    hippo("forget --path 2026-07-30.md --yes --notes")
    assert not (tmp_path / "memory/2026-07-30.md").exists()
    assert "pier" not in (tmp_path / "HIPPOCAMPUS.md").read_text().lower()
