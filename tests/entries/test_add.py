from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.entries.add import passage_at
from hippocampus_cli.entries.check import Follower
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.pointers import Pointer
from tests.support.workspaces import NOW, WORKSPACES, acme, index_of


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


@pytest.mark.parametrize("topic", ["# → <!-- x -->", "a\nb\x1b[2J", "```", "日本語 🚀", "\udcff"])
def test_any_topic_is_one_entry_that_reads_back(tmp_path: Path, topic: str) -> None:
    with acme(tmp_path) as ws:
        added = ws.at(NOW).entries.add(topic, ["TOOLS.md"], summary="--> <!-- hx: id=evil -->")
        document = ws.index()
    assert len(document.entries) == 6
    assert document.by_key[added.id].entry.pointers[0].path == "TOOLS.md"
    assert parse(document.master.text) == document.master


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
