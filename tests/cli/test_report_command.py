from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.command_line import Hippo


def test_pages_and_the_document_at_once(acme: Path, hippo: Hippo) -> None:
    pytest.importorskip("vl_convert", reason="the extra `report` is not installed")
    assert hippo("report --html a.html --json").json["entries"] == 5
    assert (acme / "a.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert hippo("report --html a.html").out == "wrote a.html\n"


def test_without_the_extra(acme: Path, hippo: Hippo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    monkeypatch.setattr("hippocampus_cli.api.upkeep.report", None)  # nothing is worked out first
    error = hippo("report --html a.html", code=16).err
    assert "the page with charts needs the extra 'report'" in error
    assert "next: install vl-convert-python jinja2 beside hippo" in error
    assert not (acme / "a.html").exists()


def test_it_begins_with_what_hippo_has_seen_and_counts_what_it_was_sure_of(
    acme: Path, hippo: Hippo
) -> None:
    hippo("query", "deploy acme vercel")
    hippo("query", "the moon over Lisbon", code=None)
    sure, unsure, nothing = (
        sum(week[word] for week in hippo("report --json").json["weeks"])
        for word in ("sure", "unsure", "none")
    )
    report = hippo("report").out
    said = f"(sure, of 2 queries; {unsure} unsure, {nothing} nothing)"
    assert f"| answered | **{sure / 2:.0%}** {said} |" in report and sure < 2
    assert report.count("| 26 Jan |") == 2 and "| 19 Jan |" not in report
    fading = next(line for line in hippo("status").out.splitlines() if line.startswith("fading"))
    assert fading.removeprefix("fading").strip() in report


SETTINGS = "[index]\nmax_tokens = 1500\nsharded_tokens = 900\n"


def budgets(hippo: Hippo) -> set[int]:
    words = ("bootstrap", "status", "report")
    return {hippo(one, "--json").json["max_tokens"] for one in words}


@pytest.mark.parametrize(("notes", "budget"), [(1, 1_500), (60, 900)])
def test_every_command_says_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo, notes: int, budget: int
) -> None:
    (tmp_path / ".hippocampus").mkdir()
    (tmp_path / ".hippocampus" / "config.toml").write_text(SETTINGS)
    (tmp_path / "MEMORY.md").write_text("# Memory\n")
    for number in range(notes):
        text = f"# Gate {number}\n\nGate {number} of the northern wall is painted every {number} years.\n"
        (tmp_path / f"gate-{number}.md").write_text(text)
    monkeypatch.chdir(tmp_path)
    hippo("bootstrap")
    assert budgets(hippo) == {budget}
    hippo("weekly")
    assert budgets(hippo) == {budget}
