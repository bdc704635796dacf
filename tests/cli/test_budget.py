"""The master's budget is one number, whichever command says it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hippocampus_cli.cli.main import main

SETTINGS = "[index]\nmax_tokens = 1500\nsharded_tokens = 900\n"


def budgets(capsys: pytest.CaptureFixture[str]) -> set[int]:
    found = set()
    for words in ("bootstrap", "status", "report"):
        capsys.readouterr()
        assert main([words, "--json"]) == 0
        found.add(json.loads(capsys.readouterr().out)["max_tokens"])
    return found


@pytest.mark.parametrize(("notes", "budget"), [(1, 1_500), (60, 900)])
def test_every_command_says_the_same(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    notes: int,
    budget: int,
) -> None:
    (tmp_path / ".hippocampus").mkdir()
    (tmp_path / ".hippocampus" / "config.toml").write_text(SETTINGS)
    (tmp_path / "MEMORY.md").write_text("# Memory\n")
    for number in range(notes):
        text = f"# Gate {number}\n\nGate {number} of the northern wall is painted every {number} years.\n"
        (tmp_path / f"gate-{number}.md").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert main(["bootstrap"]) == 0
    assert budgets(capsys) == {budget}
    assert main(["weekly"]) == 0
    assert budgets(capsys) == {budget}
