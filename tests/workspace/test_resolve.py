"""What a pointer leads to, and what it must never lead to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippocampus_cli.workspace import paths
from hippocampus_cli.workspace.note import Section
from hippocampus_cli.workspace.read import read_note
from hippocampus_cli.workspace.resolve import Resolved, Status, follow

needs_links = pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")


@dataclass(frozen=True)
class To:
    path: str
    section: str | None = None


@pytest.fixture
def root(tmp_path: Path) -> Path:
    ws = tmp_path / "ws"
    (ws / "memory").mkdir(parents=True)
    (ws / "TOOLS.md").write_text("# Tools\n## Vercel setup\ntext\n")
    (ws / "memory" / "2026-01-31.md").write_text("## Notes\n## Notes\n")
    (ws / "photo.png").write_bytes(b"\0")
    (tmp_path / "secret.md").write_text("# Secret\n")
    return ws


def ask(root: Path, path: str, section: str | None = None) -> Resolved:
    pointer = To(path, section)

    def sections_of(path: str) -> Sequence[Section] | None:
        return read_note(root, path, 1000).sections if path.endswith(".md") else None

    return follow(root, pointer, sections_of)


def test_a_file_and_a_section(root: Path) -> None:
    assert ask(root, "TOOLS.md") == Resolved(Status.OK, "TOOLS.md")
    found = ask(root, "TOOLS.md", "vercel SETUP")
    assert (found.status, found.path, found.fuzzy) == ("ok", "TOOLS.md", False)
    assert found.section is not None and found.section.start == 2
    assert ask(root, "TOOLS.md", "Vercel").fuzzy
    assert ask(root, "memory/2026-01-31.md", "Notes #2").section is not None


@pytest.mark.parametrize(
    "path", ["./TOOLS.md", "memory/../TOOLS.md", "memory//..//TOOLS.md", "memory\\..\\TOOLS.md"]
)
def test_a_crooked_path_inside(root: Path, path: str) -> None:
    assert ask(root, path) == Resolved(Status.OK, "TOOLS.md")


def test_what_is_not_there(root: Path) -> None:
    assert ask(root, "gone.md", "x") == Resolved(Status.MISSING_FILE, "gone.md")
    assert ask(root, "TOOLS.md/x").status == "missing-file"
    assert ask(root, "TOOLS.md", "Kubernetes") == Resolved(Status.MISSING_SECTION, "TOOLS.md")
    assert ask(root, "photo.png") == Resolved(Status.OK, "photo.png")
    assert ask(root, "photo.png", "x").status == "unreadable"


@pytest.mark.parametrize("path", ["memory", "memory/", ".", "./", "memory/.."])
def test_folders(root: Path, path: str) -> None:
    found = ask(root, path, "Notes")
    assert (found.status, found.section) == (Status.FOLDER, None)


def test_absolute_paths_are_flagged(root: Path) -> None:
    found = ask(root, str(root / "TOOLS.md"), "Tools")
    assert (found.status, found.path, found.fuzzy) == ("absolute", "TOOLS.md", False)
    assert ask(root, str(root / "gone.md")).status == "missing-file"
    assert ask(root, str(root)).status == "folder"
    assert ask(root, str(root.parent / "secret.md")).status == "outside"
    assert ask(root, str(root) + "-other/x.md").status == "outside"
    assert ask(root, str(root / ".." / "secret.md")).status == "outside"


@pytest.mark.parametrize(
    "path",
    [
        "../secret.md",
        "../../etc/passwd",
        "memory/../../secret.md",
        "..\\secret.md",
        "..",
        "/etc/passwd",
        "/",
        "//etc/passwd",
        "~",
        "~/notes.md",
        "~root/x.md/../../..",
        "C:\\Windows\\win.ini",
        "c:/Windows/win.ini",
        "\\\\server\\share\\x.md",
        "\\etc\\passwd",
    ],
)
def test_outside(root: Path, path: str) -> None:
    assert ask(root, path, "Secret") == Resolved(Status.OUTSIDE, path)


@pytest.mark.parametrize("path", ["", "a\0b.md", "\0", "x" * 5000, "x/" * 2500, "x" * 300])
def test_impossible_names(root: Path, path: str) -> None:
    assert ask(root, path, "x").status == "missing-file"


@needs_links
def test_links_are_judged_by_where_they_lead(root: Path) -> None:
    (root / "alias.md").symlink_to("TOOLS.md")
    (root / "out.md").symlink_to("../secret.md")
    (root / "sys").symlink_to("/")
    (root / "memory" / "back").symlink_to("..")
    (root / "loop").symlink_to("loop")
    (root / "dead.md").symlink_to("gone.md")
    assert ask(root, "alias.md", "Tools").path == "TOOLS.md"
    assert ask(root, "memory/back/TOOLS.md").path == "TOOLS.md"
    for path in ("out.md", "sys/etc/passwd", "sys", "memory/back/out.md", "sys/../sys/x"):
        assert ask(root, path).status == "outside", path
    assert ask(root, "sys/../TOOLS.md").path == "TOOLS.md"
    assert ask(root, "loop").status == "missing-file"
    assert ask(root, "dead.md").status == "missing-file"


@needs_links
def test_a_root_that_is_a_link(root: Path) -> None:
    link = root.parent / "link"
    link.symlink_to(root)
    assert ask(link, "TOOLS.md").path == "TOOLS.md"
    assert ask(link, str(root / "TOOLS.md")).path == "TOOLS.md"
    assert ask(link, str(link / "TOOLS.md")).path == "TOOLS.md"


def test_foreign_places_are_not_looked_at(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An absolute path could name a server or a drive that wakes up: its text alone decides."""
    asked: list[str] = []
    real = os.path.realpath

    def watched(path: str) -> str:
        asked.append(path)
        return real(path)

    monkeypatch.setattr(paths.os.path, "realpath", watched)
    for path in ("/net/server/x.md", "//server/x.md", "\\\\server\\x", "~/x", "../x"):
        assert ask(root, path).status == "outside"
    assert set(asked) <= {str(root)}


@pytest.mark.skipif(os.name == "nt", reason="there, a backslash separates")
def test_a_backslash_may_be_part_of_a_name(root: Path) -> None:
    (root / "a\\b.md").write_text("x")
    assert ask(root, "a\\b.md") == Resolved(Status.OK, "a\\b.md")


PIECES = st.sampled_from(["..", ".", "", "memory", "TOOLS.md", "sys", "~", "C:", "\\", "\0", "x"])


@settings(deadline=None)
@given(st.lists(PIECES, max_size=7).map("/".join), st.text(max_size=10) | st.none())
def test_no_pointer_ever_leaves(path: str, section: str | None) -> None:
    root = Path(__file__).parent
    found: Resolved = follow(root, To(path, section), lambda path: None)
    if found.status in (Status.OK, Status.ABSOLUTE, Status.FOLDER):
        assert (root / found.path).resolve().is_relative_to(root.resolve())
        assert ".." not in found.path.split("/")


@settings(deadline=None)
@given(st.text(max_size=60), st.text(max_size=10))
def test_any_text_is_answered(path: str, section: str) -> None:
    pointer = To(path, section)
    assert follow(Path(__file__).parent, pointer, lambda path: None).status in Status
