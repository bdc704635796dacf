from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.entries.status import Status
from hippocampus_cli.errors import (
    EntryNotFound,
    HippoError,
    IndexNotFound,
    IndexRefused,
    IndexUnreadable,
    OutsideWorkspace,
    UsageError,
)
from tests.support.workspaces import NOW, WORKSPACES, acme, index_of, snapshot


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
    assert ws.at(NOW).entries.adopt() == []


def test_status(tmp_path: Path) -> None:
    with acme(tmp_path) as ws:
        (ws.root / "HIPPOCAMPUS.md").write_text(
            index_of(ws)
            .replace("hits=0 | str=0.2 | base=0.9", "hits=0 | base=0.2")
            .replace("## By Topic", "- Everything → projects/\n\n## By Topic")
        )
        (ws.root / "projects/more.md").write_text("x" * 400)
        (ws.root / ".secret.md").write_text("x")
        stock = ws.at(NOW).status()
    assert stock == Status(
        version="1.0",
        reindexed="2026-01-31T02:30:00Z",
        entries=6,
        bands={"strong": 1, "moderate": 1, "weak": 2, "decaying": 0, "silent": 2},
        pinned=0,
        queued=1,
        tokens=stock.tokens,
        max_tokens=15_000,
        notes=6,
        note_tokens=stock.note_tokens,
        skipped={"hidden": 1},
        unindexed=("memory/garden.md",),
        bare=1,
        in_topics=0,
        cycles={"daily": None, "weekly": None, "monthly": None},
        overdue=("daily", "weekly", "monthly"),
        missing=("memory/wifi.md",),
        fades_on=date(2026, 2, 18),
        fades_first=1,
    )
    assert 400 < stock.tokens < 500
    assert (
        stock.note_tokens
        == sum(
            len(data)
            for name, data in snapshot(WORKSPACES / "acme").items()
            if name != "HIPPOCAMPUS.md"
        )
        // 4
        + 100
    )


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


@pytest.mark.parametrize("place", ["none", "folder", "link outside"])
def test_an_index_that_cannot_be_used(tmp_path: Path, place: str) -> None:
    root = tmp_path / "ws"
    root.mkdir()
    if place == "folder":
        (root / "HIPPOCAMPUS.md").mkdir()
    elif place == "link outside":
        (tmp_path / "theirs.md").write_text("- A → a.md\n")
        (root / "HIPPOCAMPUS.md").symlink_to(tmp_path / "theirs.md")
    ws = Workspace(root, Config())
    before = snapshot(tmp_path)
    for call in (
        lambda: ws.entries.list(),
        lambda: ws.entries.show("a"),
        lambda: ws.check(),
        lambda: ws.status(),
        lambda: ws.entries.tag("a", priority="low"),
        lambda: ws.entries.tag("a", add=["x"]),
        lambda: ws.entries.adopt(),
        lambda: ws.entries.add("A", ["a.md"], force=True),
    ):
        with pytest.raises(HippoError) as caught:
            call()
        errors = {
            "none": IndexNotFound,
            "folder": IndexUnreadable,
            "link outside": OutsideWorkspace,
        }
        assert type(caught.value) is errors[place]
    assert snapshot(tmp_path) == before
