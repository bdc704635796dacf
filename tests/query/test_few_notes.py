"""A handful of notes, in which a word may stand everywhere."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from hippocampus_cli import open_workspace

NOW = datetime(2026, 8, 1, 12, 0, tzinfo=UTC)
NOTES = {
    "a.md": "# The harbour in March\n\nOn 12 March it froze over.\n",
    "b.md": "# The garden in March\n\nOn 14 March the beans went in.\n",
    "c.md": "# The invoice of March\n\nPaid on 30 March.\n",
    "d.md": "# The boat in March\n\nPainted, of which March is too early.\n",
}


@pytest.mark.parametrize("mode", ["search", "hybrid"])
@pytest.mark.parametrize("text", ["March", "12 March", "12 March 2026", "what froze over in March"])
def test_what_stands_everywhere_is_found_nevertheless(tmp_path: Path, text: str, mode: str) -> None:
    for path, note in NOTES.items():
        (tmp_path / path).write_text(note)
    (tmp_path / "HIPPOCAMPUS.md").write_text("# HIPPOCAMPUS.md\n")
    result = open_workspace(tmp_path).query(text, mode=mode, write=False, now=NOW)
    assert result.results
    assert text == "March" or result.results[0].path == "a.md"
