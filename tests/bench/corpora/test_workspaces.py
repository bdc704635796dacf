"""Workspaces with questions, a row each, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.comparison import run
from bench.corpora.notes import corpus_of
from bench.corpora.questions import read_questions
from bench.corpora.workspaces import read, read_cues
from bench.errors import DatasetInvalid
from bench.methods import RANKINGS
from hippocampus_cli.config import Config

NOTES = {
    "TOOLS.md": "# Tools\n\n## Kiln\n\n- fires at 1240 degrees\n",
    "memory/2025-05-02.md": "# 2025-05-02\n\n- Oda now glazes on Fridays, no longer on Mondays.\n",
    "memory/2025-04-01.md": "# 2025-04-01\n\n- Oda glazes on Mondays.\n",
}
ROWS = [
    {
        "id": "kiln",
        "kind": "fact",
        "question": "How hot does the kiln get?",
        "cue": "kiln degrees",
        "gold": [{"path": "TOOLS.md", "text": "1240 degrees"}],
    },
    {
        "id": "day",
        "kind": "changed",
        "question": "On which day does Oda glaze?",
        "cue": "Oda glazes",
        "gold": [{"path": "memory/2025-05-02.md", "text": "on Fridays"}],
        "stale": [{"path": "memory/2025-04-01.md", "text": "Oda glazes on Mondays"}],
    },
    {"id": "boat", "kind": "absent", "question": "Who rows the boat?", "cue": "", "gold": []},
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """One workspace, ``pottery``."""
    for path, text in NOTES.items():
        file = tmp_path / "pottery/notes" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    lines = "".join(f"{json.dumps(row)}\n" for row in ROWS)
    (tmp_path / "pottery/questions.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


def test_questions_and_cues(root: Path) -> None:
    dataset = read(root, root)
    cues = read_cues(root, root)
    assert dataset and cues
    (folder,) = dataset.folders
    assert (folder.name, f"{folder.now:%Y-%m-%d}") == ("pottery", "2025-05-03")
    kiln, day, boat = folder.cases
    assert kiln.right == (frozenset({("TOOLS.md", 5)}),)
    assert day.stale[0].path == "memory/2025-04-01.md"
    assert boat.right == ()
    assert [case.text for case in cues.folders[0].cases] == ["kiln degrees", "Oda glazes"]


def test_they_are_asked(root: Path) -> None:
    dataset = read(root, root)
    assert dataset
    methods = [one for one in RANKINGS if one.key in ("bm25-sections", "hybrid")]
    report = run(dataset, methods, Config())
    rows = {row.method: row.figures for row in report.rows}
    for figures in rows.values():
        five = figures["five"]
        assert five and five.value == 1
    assert rows["bm25-sections"]["sure_right"] is None
    assert rows["hybrid"]["absent_sure"] is not None
    assert report.categories == {"fact": 1, "changed": 1, "absent": 1}


GOLD = [{"path": "a.md", "text": "words"}]
REFUSED = {
    "{": "Expecting property name",
    "[]": "is no object",
    json.dumps({"id": "a", "kind": "", "question": "b", "gold": GOLD}): "an id and a kind",
    json.dumps({"id": "a", "kind": "fact", "question": 3, "gold": GOLD}): "is a text",
    json.dumps({"id": "a", "kind": "fact", "question": "b", "gold": []}): "all but absent ones",
    json.dumps({"id": "a", "kind": "absent", "question": "b", "gold": GOLD}): "all but absent ones",
    json.dumps({"id": "a", "kind": "fact", "question": "b", "gold": [{"path": "a.md"}]}): "a text",
    json.dumps(
        {"id": "a", "kind": "fact", "question": "b", "gold": [{"path": "a.md", "text": "else"}]}
    ): "a.md does not say 'else'",
}


@pytest.mark.parametrize("line", REFUSED, ids=REFUSED.values())
def test_a_question_that_is_none(line: str, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(DatasetInvalid) as refused:
        read_questions(file, corpus_of({"a.md": ["words"]}))
    assert REFUSED[line] in refused.value.message
