"""The private tier: both are asked, and nothing of it reaches what others see."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hippocampus_cli import open_workspace
from hippocampus_cli.errors import UsageError
from tests.support.command_line import Hippo
from tests.support.workspaces import acme

SECRET = "The zebra passphrase of Quillon is in the second drawer"


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = acme(tmp_path).root
    monkeypatch.chdir(root)
    monkeypatch.setenv("HIPPO_NOW", "2026-06-01T12:00:00+00:00")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


def test_both_are_asked_and_only_one_is_shared(team: Path, tmp_path: Path, hippo: Hippo) -> None:
    assert "private-memory/memory/" in hippo("remember", "--private", SECRET).out
    hippo("add --private Drawers --to memory/2026-06-01.md")
    with open_workspace(team) as opened:
        (place,) = opened.query("where is the passphrase of Quillon").results
        assert place.path.startswith("private-memory/memory/") and SECRET in place.text
        assert SECRET in opened.library.note(place.path).text
        found = opened.recall("where is the zebra passphrase of Quillon?")
        assert found and found.results[0].path == place.path
        both = opened.query("how do we deploy", limit=2)
        assert both.results[0].path == "TOOLS.md" and sum(r.tokens for r in both.results) <= 2_000
    journal = "".join(path.read_text() for path in team.glob(".hippocampus/journal/*"))
    assert "deploy" in journal and "passphrase" not in journal
    listed = subprocess.run(
        ["git", "-C", str(team), "status", "--short", "-uall"], capture_output=True, text=True
    )
    assert "private" not in listed.stdout
    hippo("maintain --daily")
    hippo("export", str(tmp_path / "out"))
    shared = [*(tmp_path / "out").rglob("*"), team / "HIPPOCAMPUS.md"]
    told = [path.read_text("utf-8", "replace") for path in shared if path.is_file()]
    assert told and not any("Quillon" in text for text in told)
    assert "Quillon" not in hippo("ci", code=None).out
    old = "private-memory/memory/2026-06-01.md:5"
    again = hippo("remember", "--private", f"{SECRET} now")
    assert f"may speak of the same: {old}" in again.out
    hippo("remember", "--private", "It is in the tin", "--replaces", old)
    (team / "private-memory/copy.md").write_text(f"# Copy\n\n{SECRET}\n")
    found = hippo("query", "--json", SECRET).json["results"]
    copies = [copy for place in found for copy in place.get("copies", ())]
    assert copies and all(copy.startswith("private-memory/") for copy in copies)


@pytest.mark.parametrize("file", ["notes.md", ".gitignore"])
def test_a_folder_that_others_see_is_refused(team: Path, file: str) -> None:
    (team / "private-memory").mkdir()
    (team / "private-memory" / file).write_text("!*\n")
    with open_workspace(team) as opened:
        with pytest.raises(UsageError):
            opened.private()
        subprocess.run(["git", "-C", str(team), "add", "-f", "private-memory"], check=True)
        with pytest.raises(UsageError, match="others have it"):
            opened.private()
