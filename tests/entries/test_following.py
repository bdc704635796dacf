from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.entries.check import Follower
from hippocampus_cli.index.pointers import Pointer
from tests.entries.places import WORKSPACES


@pytest.fixture
def follower() -> Follower:
    return Follower(WORKSPACES / "acme", 1_000_000)


def test_a_section_with_those_below_it(follower: Follower) -> None:
    lead = follower.lead(Pointer("TOOLS.md", "vercel"), lines=3)
    assert (lead.status, lead.section, lead.start_line, lead.end_line) == ("ok", "Vercel", 3, 10)
    assert lead.text == "## Vercel\n\nDeploy: `npx vercel --prod` in projects/acme."


def test_a_whole_note(follower: Follower) -> None:
    lead = follower.lead(Pointer("memory/garden.md"))
    assert (lead.start_line, lead.end_line, lead.text) == (1, 3, "# Gardening\n\nTomatoes in May.")


@pytest.mark.parametrize(
    ("pointer", "status", "remark"),
    [
        (Pointer("gone.md"), "missing-file", "there is no such file"),
        (Pointer("TOOLS.md", "Nothing like it"), "missing-section", "no such section"),
        (Pointer("../x.md"), "outside", "leads out"),
        (Pointer("memory"), "folder", "a folder"),
        (Pointer("TOOLS.md", "Verzel"), "ok", "likeness"),
    ],
)
def test_what_is_odd_is_said(
    follower: Follower, pointer: Pointer, status: str, remark: str
) -> None:
    lead = follower.lead(pointer)
    assert lead.status == status
    assert remark in lead.remark


def test_what_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(b"\0\1")
    (tmp_path / "empty.md").write_bytes(b"")
    (tmp_path / "large.md").write_bytes(b"x" * 20)
    follower = Follower(tmp_path, 10)
    for path in ("x.bin", "large.md"):
        lead = follower.lead(Pointer(path))
        assert (lead.status, lead.remark, lead.text) == ("ok", "not a text to read", "")
    assert follower.lead(Pointer("empty.md")).text == ""


def test_front_matter_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\nname: a\n---\n\n# A\n\ntext\n")
    lead = Follower(tmp_path, 1000).lead(Pointer("a.md"))
    assert (lead.start_line, lead.end_line, lead.text) == (5, 7, "# A\n\ntext")
