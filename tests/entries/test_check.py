from __future__ import annotations

from pathlib import Path

from tests.entries.places import NOW, acme, snapshot


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
        checked = ws.check(now=NOW)
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
        (12, "out-of-range", "error"),
    ]
    assert (checked.errors, checked.warnings, checked.entries, checked.pointers) == (5, 3, 5, 9)
    assert "matched by likeness with §Vercel" in checked.diagnostics[5].message
    assert checked.diagnostics[0].entry == "gone"


def test_nothing_to_find(tmp_path: Path) -> None:
    with acme(tmp_path) as ws:
        (ws.root / "HIPPOCAMPUS.md").write_text("")
        assert ws.check(now=NOW).diagnostics == ()


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
    found = workspace.check(now=NOW).diagnostics
    assert [(one.code, one.line, one.message) for one in found if one.path == there] == [
        ("unknown-relation", 8, "related to 'nobody', which is not in the index"),
        ("duplicate-id", 10, f"the id {known!r} stands in HIPPOCAMPUS.md, too"),
    ]
