from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.entries.check import Follower
from hippocampus_cli.index.pointers import Pointer
from tests.support.workspaces import NOW, WORKSPACES, acme, snapshot


def test_every_kind_of_pointer(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("# Secret\n")
    with acme(tmp_path) as ws:
        (ws.root / "link.md").symlink_to(tmp_path / "secret.md")
        (ws.root / "HIPPOCAMPUS.md").write_text(
            "# Index\n\n"
            "- Fine → TOOLS.md §Vercel | projects/acme/ <!-- hx: id=fine -->\n"
            "- Gone → gone.md <!-- hx: id=gone -->\n"
            "- Away → ../../etc/passwd | link.md | ~/x.md <!-- hx: id=away -->\n"
            f"- Here → {ws.root.as_posix()}/TOOLS.md <!-- hx: id=here -->\n\n"
            "## Full\nSummary.\n→ TOOLS.md §Verzel\n→ TOOLS.md §Nothing like it\n"
            "<!-- hx: id=full | created=2026-01-01 | accessed=2026-01-01 | hits=0 | str=1.7 -->\n"
        )
        before = snapshot(ws.root)
        checked = ws.at(NOW).check()
        assert snapshot(ws.root) == before
    found = [(one.line, one.code, one.severity.value) for one in checked.diagnostics]
    assert found == [
        (4, "missing-file", "error"),
        (5, "outside", "error"),
        (5, "outside", "error"),
        (5, "outside", "error"),
        (6, "absolute-path", "warning"),
        (10, "fuzzy-section", "warning"),
        (11, "missing-section", "warning"),
        (12, "out-of-range", "warning"),
    ]
    assert (checked.errors, checked.warnings, checked.entries, checked.pointers) == (4, 4, 5, 9)
    assert "matched by likeness with §Vercel" in checked.diagnostics[5].message
    assert checked.diagnostics[0].entry == "gone"


def test_nothing_to_find(tmp_path: Path) -> None:
    with acme(tmp_path) as ws:
        (ws.root / "HIPPOCAMPUS.md").write_text("")
        assert ws.at(NOW).check().diagnostics == ()


def test_a_note_that_cannot_be_read_is_named_with_its_line(tmp_path: Path) -> None:
    with acme(tmp_path) as ws:
        (ws.root / "HIPPOCAMPUS.md").write_text("")
        (ws.root / "memory" / "latin.md").write_bytes("# Visit\n\nThe café.\n".encode("latin-1"))
        (ws.root / "memory" / "wide.md").write_bytes("# Visit\n".encode("utf-16"))
        log = ws.root / "memory" / "log.md"
        log.write_bytes(b"# Log\n\n- zebra\0crossing\n" + b"- nothing of note\n" * 50)
        found = ws.at(NOW).check().diagnostics
        answer = ws.at(NOW).query("zebra crossing")
    places = [(each.path, each.line, each.code) for each in found]
    assert places == [
        ("memory/latin.md", 3, "not-utf-8"),
        ("memory/log.md", 3, "not-utf-8"),
        ("memory/wide.md", 1, "unread"),
    ]
    assert answer.results[0].path == "memory/log.md"
    assert "memory/log.md" not in " ".join(answer.notices)


def test_an_index_of_several_files_is_one(tmp_path: Path) -> None:
    workspace = acme(tmp_path)
    topics = workspace.root / ".hippocampus" / "topics"
    topics.mkdir(parents=True)
    known = workspace.index().entries[0].entry.id
    values = "created=2026-01-01 | accessed=2026-01-01 | hits=0 | str=1.00 | src=auto"
    (topics / "one.md").write_text(
        "# One\n\n## By Topic\n\n### Elsewhere\n→ TOOLS.md\nWhat it says.\n"
        f"<!-- hx: id=elsewhere | {values} | rel={known},nobody -->\n"
        f"\n### The same\n→ TOOLS.md\nWhat it says.\n<!-- hx: id={known} | {values} -->\n"
    )
    there = ".hippocampus/topics/one.md"
    found = workspace.at(NOW).check().diagnostics
    assert [(one.code, one.line, one.message) for one in found if one.path == there] == [
        ("unknown-relation", 8, "related to 'nobody', which is not in the index"),
        ("duplicate-id", 10, f"the id {known!r} is in HIPPOCAMPUS.md as well"),
    ]


@pytest.fixture
def follower() -> Follower:
    return Follower(WORKSPACES / "acme", 1_000_000)


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
