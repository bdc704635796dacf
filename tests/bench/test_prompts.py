"""At which prompts something is brought."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.prompts import Prompt, asked, findings, read_prompts
from hippocampus_cli import open_workspace
from hippocampus_cli.errors import UsageError

ROWS = [
    {"text": "what is the wifi code of the shed", "language": "en", "kind": "memory", "held": True},
    {"text": "run the tests", "language": "en", "kind": "silent", "held": False},
    {"text": "ja", "language": "de", "kind": "silent", "held": False},
]


def test_what_is_brought_is_counted_by_kind_and_language(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "TOOLS.md").write_text("# Tools\n\n## Shed\n\nThe wifi code of the shed is 4711.\n")
    file = tmp_path / "prompts.json"
    file.write_text(json.dumps(ROWS))
    with open_workspace(notes) as workspace:
        prompts = asked(workspace, read_prompts(file))
    assert [prompt.is_brought for prompt in prompts] == [True, False, False]
    assert findings(prompts).table.rows == (
        ("silent, all", 2, 0.0),
        ("silent, de", 1, 0.0),
        ("silent, en", 1, 0.0),
        ("memory, all", 1, 1.0),
        ("memory, held", 1, 1.0),
        ("memory, en", 1, 1.0),
    )


def test_a_command_of_the_agent_asks_nothing(tmp_path: Path) -> None:
    with open_workspace(tmp_path) as workspace:
        (prompt,) = asked(workspace, [Prompt("/compact the shed", "en", "silent", False)])
    assert not prompt.is_brought


@pytest.mark.parametrize("text", ["", "{}x", '[{"text": "a"}]', "[1]"])
def test_what_is_no_set_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "prompts.json"
    file.write_text(text)
    with pytest.raises(UsageError, match="not a set of prompts"):
        read_prompts(file)
