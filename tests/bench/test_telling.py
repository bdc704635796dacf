"""Which sentence speaks for a passage: chosen by trees that saw other workspaces alone, written from all of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bench import telling
from bench.__main__ import main
from hippocampus_cli.entries.telling import FEATURES
from hippocampus_cli.search.ranker import Trees, read_trees
from tests.support.command_line import Hippo

MOVED = "The kites moved to Emden because the lease in Bremen ended."
NOTE = (
    f"# Kites\n\n- Status: done\n\n{MOVED}\n\n## Tails\n\n- Owner: Ada of Emden\n\nThey are red.\n"
)
ADA: list[dict[str, Any]] = [
    {"path": "kites.md", "good": [MOVED], "bad": ["Status: done"]},
    {"path": "kites.md", "line": 7, "bad": ["They are red."]},
    {"path": "gone.md", "good": ["Nobody reads this."]},
    {"path": "kites.md", "line": 2, "good": ["No section begins here."]},
]
TREES = Trees([0], [FEATURES.index("colons")], [0.5], [-1], [-2], [1.0, -1.0])
"""They choose the first sentence without a colon."""


@pytest.fixture
def bench(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Hippo:
    return Hippo(capsys, monkeypatch, main)


def judged(folder: Path) -> Path:
    """Two workspaces with the same note, three of whose judged passages are still there."""
    for name in ("ada+notes", "ben+notes"):
        (folder / name).mkdir()
        (folder / name / "kites.md").write_text(NOTE)
    rows = [{"workspace": "ada+notes", **row} for row in ADA]
    rows.append({"workspace": "ben+notes", "path": "kites.md", "good": [MOVED]})
    file = folder / "judged.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    return file


def test_each_workspace_is_judged_by_trees_of_the_others(
    tmp_path: Path, bench: Hippo, monkeypatch: pytest.MonkeyPatch
) -> None:
    fits: list[list[Sequence[int]]] = []

    def fit(passages: list[tuple[Any, Sequence[int]]]) -> Trees:
        fits.append([verdicts for _, verdicts in passages])
        return TREES

    monkeypatch.setattr(telling, "fit_telling", fit)
    out = tmp_path / "trees.txt"
    command = ["telling", str(tmp_path), "--judged", str(judged(tmp_path))]
    rows = bench(*command, "--out", str(out), "--json").json["rows"]
    assert rows == [
        {"method": "the first", "good": 0, "bad": 1 / 3, "n": 3},
        {"method": "the longest in a line", "good": 2 / 3, "bad": 0, "n": 3},
        {"method": "learned", "good": 2 / 3, "bad": 1 / 3, "n": 3},
    ]
    ada, ben = [[-1, 1, 0, 0], [0, -1]], [[0, 1, 0, 0]]
    assert sorted(fits) == sorted([ada, ben, ada + ben])
    about = "fitted on 3 passages of 2 workspaces; LightGBM, seed 2"
    assert read_trees(out, 1, len(FEATURES)) == ([TREES], about)


@pytest.mark.parametrize("text", [None, "{", '{"path": "kites.md"}', "[1]"])
def test_a_file_that_holds_no_judgements_is_refused(
    tmp_path: Path, bench: Hippo, text: str | None
) -> None:
    file = tmp_path / "judged.jsonl"
    if text is not None:
        file.write_text(text)
    told = bench("telling", str(tmp_path), "--judged", str(file), code=2)
    assert "judged.jsonl has no judgements: " in told.err and "bench/README.md" in told.err
    assert "the following arguments are required: --judged" in bench("telling .", code=2).err
