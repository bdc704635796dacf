"""Tombstones hold nothing of what was forgotten, and keep it out of the scan and of what is derived."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hippocampus_cli.errors import FileUnreadable
from hippocampus_cli.redaction.phrases import runs_of
from hippocampus_cli.workspace import tombstones
from hippocampus_cli.workspace.own_files import FORGOTTEN
from hippocampus_cli.workspace.redaction import redactor_for
from hippocampus_cli.workspace.scan import scan
from hippocampus_cli.workspace.tombstones import Forgotten, Tombstone, path_phrase

NOW = datetime(2026, 8, 1, 9, tzinfo=UTC)


def bury(root: Path, text: str = "", path: str = "") -> None:
    def change(there: Forgotten) -> list[Tombstone]:
        stone = Tombstone(
            there.next_number(),
            NOW,
            "text" if text else "path",
            3,
            tuple(there.hashes.phrase(row) for row in runs_of(text)),
            (path_phrase(there.hashes, path),) if path else (),
        )
        return [*there.tombstones, stone]

    tombstones.change(root, 5, change)


def test_a_tombstone_reads_back_and_holds_no_content(tmp_path: Path) -> None:
    bury(tmp_path, text="hunter2xy")
    bury(tmp_path, path="memory/affair.md")
    found = tombstones.load(tmp_path)
    assert [(one.number, one.sort, one.places) for one in found.tombstones] == [
        (1, "text", 3),
        (2, "path", 3),
    ]
    data = (tmp_path / FORGOTTEN).read_bytes()
    assert b"hunter" not in data
    assert b"affair" not in data
    if os.name == "posix":
        assert (tmp_path / FORGOTTEN).stat().st_mode & 0o077 == 0
    assert "forgotten.jsonl" in (tmp_path / ".hippocampus/.gitignore").read_text()
    assert redactor_for(tmp_path).redact("is HUNTER2XY") == "is [redacted:forgotten]"


def test_forgotten_notes_are_no_notes(tmp_path: Path) -> None:
    for name in ("a.md", "memory/b.md", "memory/old/c.md", "hunter2xy.md"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("# x\n")
    bury(tmp_path, path="memory/old")
    bury(tmp_path, text="hunter2xy")
    found = scan(tmp_path)
    assert [one.path for one in found.files] == ["a.md", "memory/b.md"]


@pytest.mark.parametrize("text", ["{", '{"version":2,"salt":"00"}\n', '{"version":1}\n', "[]\n"])
def test_damaged_tombstones_are_an_error_not_an_end_of_forgetting(
    tmp_path: Path, text: str
) -> None:
    (tmp_path / ".hippocampus").mkdir()
    (tmp_path / FORGOTTEN).write_text(text)
    with pytest.raises(FileUnreadable):
        redactor_for(tmp_path)
