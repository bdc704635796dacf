from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.errors import (
    EntryNotFound,
    IndexRefused,
    UsageError,
)
from tests.support.workspaces import NOW, acme, index_of, snapshot


def test_an_error_leaves_no_trace_on_disk(tmp_path: Path) -> None:
    with acme(tmp_path) as ws:
        before = snapshot(ws.root)
        for failing in (
            lambda: ws.entries.tag("nobody", priority="amygdala"),
            lambda: ws.entries.tag("nobody", add=["x"]),
            lambda: ws.entries.tag("grace", add=[""]),
            lambda: ws.entries.show("nobody"),
            lambda: ws.entries.list(sort="colour"),
        ):
            with pytest.raises((EntryNotFound, UsageError)):
                failing()
        assert ws.entries.tag("standup", priority="normal").priority == "normal"
        assert ws.entries.adopt() == []
        assert snapshot(ws.root) == before


def test_adopting_takes_the_day_in_the_name(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("x")
    text = "- A → note.md\n- B → memory/2026-01-31.md\n- C → gone.md\n"
    (tmp_path / "HIPPOCAMPUS.md").write_text(text)
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/2026-01-31.md").write_text("x")
    ws = Workspace(tmp_path, Config())
    planned = ws.at(NOW).entries.adopt(dry_run=True)
    assert index_of(ws) == text
    assert not (tmp_path / ".hippocampus").exists()
    assert ws.at(NOW).entries.adopt() == planned
    assert [one.created for one in planned] == [NOW.date(), date(2026, 1, 31), NOW.date()]
    assert "id=b | created=2026-01-31 | accessed=2026-02-01 | src=manual -->\n" in index_of(ws)
    assert ws.at(NOW).entries.adopt() == []


def test_notes_that_cannot_be_read_are_told_apart_from_those_that_are_not_there(
    tmp_path: Path,
) -> None:
    (tmp_path / "HIPPOCAMPUS.md").write_text("- A → a.md §One\n- B → b.md §One\n- C → c.md §One\n")
    (tmp_path / "a.md").write_bytes(b"\0")
    (tmp_path / "b.md").write_text("# Two\n")
    (tmp_path / "big.md").write_bytes(b"x" * 3_000_000)
    with Workspace(tmp_path, Config()) as ws:
        codes = {one.entry: one.code for one in ws.at(NOW).check().diagnostics if one.entry}
        assert codes == {"a": "unreadable", "b": "missing-section", "c": "missing-file"}
        unread = {one.path: one.reason for one in ws.at(NOW).status().unread}
    assert list(unread) == ["a.md", "big.md"]
    assert "binary" in unread["a.md"] and "max_file_bytes" in unread["big.md"]


@pytest.mark.parametrize("pinned", [True, False])
def test_what_an_open_comment_would_swallow_is_refused(tmp_path: Path, pinned: bool) -> None:
    text = "prose\n\n<!-- open\n\n- A → a.md\n"
    (tmp_path / "HIPPOCAMPUS.md").write_text(text)
    ws = Workspace(tmp_path, Config())
    with pytest.raises(IndexRefused) as caught:
        ws.entries.tag("a", priority="amygdala") if pinned else ws.entries.adopt()
    assert caught.value.path == "HIPPOCAMPUS.md"
    assert pinned or caught.value.line == 5
    assert index_of(ws) == text
