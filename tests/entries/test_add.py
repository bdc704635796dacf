from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.entries.add import passage_at, section_path
from hippocampus_cli.entries.check import Follower
from hippocampus_cli.errors import (
    EntryExists,
    EntryNotFound,
    IndexNotFound,
    OutsideWorkspace,
    PointerBroken,
    UsageError,
)
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.pointers import Pointer
from tests.support.workspaces import NOW, WORKSPACES, acme, index_of, snapshot


def test_an_entry_is_added_and_no_other_line_changes(tmp_path: Path) -> None:
    with acme(tmp_path) as ws:
        before = index_of(ws)
        added = ws.at(NOW).entries.add(
            "Tomatoes",
            ["memory/garden.md §Gardening"],
            summary="When to plant.",
            tags=["garden", "#may"],
            rel=["grace"],
            pri="low",
            section="By Topic/Garden",
        )
        after = index_of(ws)
    assert (added.id, added.section) == ("tomatoes", ("By Topic", "Garden"))
    block = (
        "### Garden\n\n#### Tomatoes\nWhen to plant.\n→ memory/garden.md §Gardening\n"
        "<!-- hx: id=tomatoes | created=2026-02-01 | tags=garden,may | rel=grace | pri=low\n"
        "| src=manual -->\n"
    )
    assert after.splitlines()[added.line - 1] == "#### Tomatoes"
    assert after == before.replace("entries: 5", "entries: 6").replace(
        "## Decay Queue", block + "\n## Decay Queue"
    )


def test_pointers_are_written_as_they_should_be(tmp_path: Path) -> None:
    with acme(tmp_path) as ws:
        absolute = str(ws.root / "TOOLS.md")
        added = ws.at(NOW).entries.add(
            "All",
            ["./TOOLS.md §vercel | projects", absolute, "TOOLS.md §Verzel", "TOOLS.md §Vercel"],
        )
    assert added.pointers == ("TOOLS.md §vercel", "projects/", "TOOLS.md", "TOOLS.md §Vercel")
    assert added.notices == ("§Verzel was read as §Vercel",)


@pytest.mark.parametrize(
    ("to", "error", "words"),
    [
        ("TOLS.md", PointerBroken, "there is no such file; did you mean TOOLS.md?"),
        ("TOOLS.md §Staging databse server", PointerBroken, "no such section"),
        ("../../etc/passwd", OutsideWorkspace, "leads out of the workspace"),
        ("/etc/passwd", OutsideWorkspace, "leads out of the workspace"),
        ("~/notes.md", OutsideWorkspace, "leads out of the workspace"),
        ("", UsageError, "not a pointer"),
        (" | ", UsageError, "not a pointer"),
        ("TOOLS.md\0", PointerBroken, "no such file"),
    ],
)
def test_a_pointer_that_leads_nowhere_is_refused(
    tmp_path: Path, to: str, error: type[Exception], words: str
) -> None:
    with acme(tmp_path) as ws:
        before = snapshot(ws.root)
        with pytest.raises(error, match=words.replace("?", r"\?")):
            ws.at(NOW).entries.add("X", [to])
        assert snapshot(ws.root) == before


def test_force_allows_what_is_still_to_come_and_never_what_is_outside(tmp_path: Path) -> None:
    with acme(tmp_path) as ws:
        added = ws.at(NOW).entries.add("X", ["later.md §Soon"], rel=["nobody"], force=True)
        assert added.notices == ("later.md §Soon: there is no such file yet",)
        with pytest.raises(OutsideWorkspace):
            ws.at(NOW).entries.add("Y", ["../x.md"], force=True)


def test_a_link_that_leads_out_is_outside(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("# Secret\n")
    with acme(tmp_path) as ws:
        (ws.root / "link.md").symlink_to(tmp_path / "secret.md")
        with pytest.raises(OutsideWorkspace):
            ws.at(NOW).entries.add("X", ["link.md §Secret"])


def test_ids(tmp_path: Path) -> None:
    with acme(tmp_path) as ws:
        with pytest.raises(EntryExists):
            ws.at(NOW).entries.add("Grace", ["USER.md"], id="grace", force=True)
        assert ws.at(NOW).entries.add("Grace", ["TOOLS.md"]).id == "grace-2"
        with pytest.raises(EntryExists):  # the very same once more
            ws.at(NOW).entries.add("Grace", ["memory/2026-01-30.md §Grace calls"])
        for wrong in ("", "two words", "a\x1b[31m", "x" * 81):
            with pytest.raises(UsageError):
                ws.at(NOW).entries.add("Y", ["TOOLS.md"], id=wrong)
        assert ws.at(NOW).entries.add("Y", ["TOOLS.md"], id="o|d,d>").id == "o|d,d>"
        assert "o|d,d>" in ws.index().by_key


def test_an_unknown_relation_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with acme(tmp_path) as ws, pytest.raises(EntryNotFound, match="did you mean grace"):
        ws.at(NOW).entries.add("X", ["TOOLS.md"], rel=["gracie"])


def test_without_an_index_nothing_is_made(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("x")
    with pytest.raises(IndexNotFound):
        Workspace(tmp_path, Config()).at(NOW).entries.add("X", ["MEMORY.md"])
    assert list(snapshot(tmp_path)) == ["MEMORY.md"]


@pytest.mark.parametrize("topic", ["# → <!-- x -->", "a\nb\x1b[2J", "```", "日本語 🚀", "\udcff"])
def test_any_topic_is_one_entry_that_reads_back(tmp_path: Path, topic: str) -> None:
    with acme(tmp_path) as ws:
        added = ws.at(NOW).entries.add(topic, ["TOOLS.md"], summary="--> <!-- hx: id=evil -->")
        document = ws.index()
    assert len(document.entries) == 6
    assert document.by_key[added.id].entry.pointers[0].path == "TOOLS.md"
    assert parse(document.master.text) == document.master


def test_a_path_of_sections_is_read_from_the_outside_in() -> None:
    assert section_path(" By Topic / **People** ") == ("By Topic", "People")


@pytest.mark.parametrize("text", ["", "/", "By Topic//People", "# /x"])
def test_a_section_without_a_name_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        section_path(text)


@pytest.mark.parametrize(
    ("pointer", "body"),
    [
        (Pointer("TOOLS.md", "Staging"), "\nThe staging database listens on port 5432.\n"),
        (Pointer("memory/garden.md"), "\nTomatoes in May.\n"),
        (Pointer("memory"), ""),
        (Pointer("gone.md", "Nowhere"), ""),
        (Pointer("../../etc/passwd"), ""),
    ],
)
def test_the_passage_is_what_the_pointer_leads_to(pointer: Pointer, body: str) -> None:
    follower = Follower(WORKSPACES / "acme", 1_000_000)
    assert passage_at(pointer, follower, NOW.date()).body == body
