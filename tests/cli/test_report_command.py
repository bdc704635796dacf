from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from hippocampus_cli.cli.main import main

ACME = Path(__file__).parents[1] / "workspaces/acme"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "acme"
    shutil.copytree(ACME, root)
    monkeypatch.chdir(root)
    monkeypatch.setenv("HIPPO_NOW", "2026-02-01T09:00:00+00:00")
    return root


def test_pages_and_the_document_at_once(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("vl_convert", reason="the extra `report` is not installed")
    assert main(["report", "--html", "a.html", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["entries"] == 5
    assert (root / "a.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert main(["report", "--html", "a.html"]) == 0
    assert capsys.readouterr().out == "wrote a.html\n"


def test_without_the_extra(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    monkeypatch.delitem(sys.modules, "hippocampus_cli.report.charts", raising=False)
    assert main(["report", "--html", "a.html"]) == 16
    error = capsys.readouterr().err
    assert "the page with charts needs the extra 'report'" in error
    assert "next: install vl-convert-python jinja2 beside hippo" in error
    assert not (root / "a.html").exists()
    assert main(["report"]) == 0
    assert capsys.readouterr().out.startswith("# Memory health of acme")


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
