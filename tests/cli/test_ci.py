"""What `hippo ci` says of a shared memory, to a person and to GitHub."""

from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli import open_workspace
from hippocampus_cli.cli.main import main
from tests.support.command_line import Hippo

_MEMORY = "# Memory\n\n## Doors\n\nThe doors are blue and heavy.\n"


def test_a_pull_request_is_told_what_it_must_not_bring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    (tmp_path / "MEMORY.md").write_text(_MEMORY)
    (tmp_path / "lamps.md").write_text("# Lamps\n\nThe lamps are green and bright.\n")
    assert main(["bootstrap"]) == main(["ci"]) == 0
    before = (tmp_path / "HIPPOCAMPUS.md").read_bytes()
    (tmp_path / "MEMORY.md").write_text(
        _MEMORY
        + "\n## Key, 100%\n\npassword: hunter2horse\n```\npostgres://a:hunter2horse@db/x?password=hunter2horse\n```\n"
    )
    (tmp_path / "lamps.md").unlink()
    shown = hippo("ci", code=1).out
    assert "MEMORY.md:9: secret it holds" in shown and "hunter2" not in shown
    assert shown.count(": secret ") == 2
    assert ": missing-file " in shown and "HIPPOCAMPUS.md:1: out-of-date " in shown
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    shown = hippo("ci", code=1).out
    assert "::error file=MEMORY.md,line=9,title=secret::it holds" in shown
    assert "; next: hippo check --drop" in shown  # a message is escaped less than a property
    assert (tmp_path / "HIPPOCAMPUS.md").read_bytes() == before


def test_what_was_asked_on_one_machine_is_no_finding(tmp_path: Path) -> None:
    for name in ("doors", "gates"):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nThe {name} have blue and heavy locks.\n")
    at = ["-w", str(tmp_path)]
    assert main(["bootstrap", *at]) == main(["query", "blue heavy locks", *at]) == 0
    assert [task.id for task, _ in open_workspace(tmp_path).curation.tasks(kinds=["compare"])]
    assert main(["ci", *at]) == 0
