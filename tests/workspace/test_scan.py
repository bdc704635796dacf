"""Finding the notes of a workspace."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippocampus_cli.config.settings import Scan as Settings
from hippocampus_cli.errors import FileUnreadable
from hippocampus_cli.workspace.scan import IgnoreDecisions, Reason, Scan, scan

needs_links = pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")


def make(root: Path, *paths: str) -> Path:
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x\n", encoding="utf-8")
    return root


def paths(found: Scan) -> list[str]:
    return [file.path for file in found.files]


def skipped(found: Scan) -> dict[str, str]:
    return {item.path: str(item.reason) for item in found.skipped}


def test_notes_in_plain_string_order(tmp_path: Path) -> None:
    make(tmp_path, "b.md", "a/z.md", "a.md", "a-b/c.md", "a/b/c.TXT", "Z.yaml")
    found = scan(tmp_path)
    assert paths(found) == ["Z.yaml", "a-b/c.md", "a.md", "a/b/c.TXT", "a/z.md", "b.md"]
    assert paths(found) == sorted(paths(found))
    stat = (tmp_path / "a.md").stat()
    file = found.files[2]
    assert (file.size, file.mtime_ns) == (stat.st_size, stat.st_mtime_ns)


def test_each_thing_passed_over_has_its_reason(tmp_path: Path) -> None:
    make(
        tmp_path,
        *("note.md", ".secret.md", ".dreams/a.md", "node_modules/x/readme.md", "memory/venv/a.md"),
        *("memory/photo.png", "README", "big.md"),
    )
    (tmp_path / "big.md").write_bytes(b"x" * 101)
    (tmp_path / "folder.md").mkdir()
    found = scan(tmp_path, Settings(max_file_bytes=100))
    assert paths(found) == ["note.md"]
    assert skipped(found) == {
        ".secret.md": "hidden",
        ".dreams/": "hidden",
        "node_modules/": "folder",
        "memory/venv/": "folder",
        "memory/photo.png": "kind",
        "README": "kind",
        "big.md": "too-large",
    }
    assert found.counts[Reason.FOLDER] == 2 and found.counts["hidden"] == 2


def test_the_index_and_its_folder_are_never_notes(tmp_path: Path) -> None:
    make(tmp_path, "HIPPOCAMPUS.md", ".hippocampus/archive/2026-01.md", "a/HIPPOCAMPUS.md")
    found = scan(tmp_path, Settings(include_hidden=True))
    assert (paths(found), found.skipped) == (["a/HIPPOCAMPUS.md"], [])


def test_hidden_notes_when_asked_for(tmp_path: Path) -> None:
    make(tmp_path, ".dreams/a.md", ".b.md", ".git/c.md")
    found = scan(tmp_path, Settings(include_hidden=True))
    assert paths(found) == [".b.md", ".dreams/a.md"]
    assert skipped(found) == {".git/": "folder"}


@needs_links
def test_links_are_not_followed(tmp_path: Path) -> None:
    root = make(tmp_path / "ws", "a/note.md")
    make(tmp_path, "secret/s.md")
    (root / "again.md").symlink_to(root / "a" / "note.md")
    (root / "a" / "loop").symlink_to(root)
    (root / "self").symlink_to(root / "self")
    (root / "dead.md").symlink_to("gone.md")
    (root / "out.md").symlink_to(tmp_path / "secret" / "s.md")
    (root / "outside").symlink_to("../secret")
    (root / "sibling").symlink_to(tmp_path / "ws-other")
    found = scan(root)
    assert paths(found) == ["a/note.md"]
    assert skipped(found) == {
        "again.md": "link",
        "a/loop": "link",
        "self": "link",
        "dead.md": "link",
        "out.md": "link",
        "outside": "link",
        "sibling": "link",
    }


@needs_links
def test_a_root_that_is_a_link(tmp_path: Path) -> None:
    make(tmp_path / "ws", "a.md")
    (tmp_path / "ws" / "b.md").symlink_to(tmp_path / "ws" / "a.md")
    (tmp_path / "link").symlink_to(tmp_path / "ws")
    found = scan(tmp_path / "link")
    assert (paths(found), skipped(found)) == (["a.md"], {"b.md": "link"})


@pytest.mark.skipif(os.name == "nt", reason="named pipes are files on POSIX only")
def test_a_named_pipe_is_no_note(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert skipped(scan(tmp_path)) == {"pipe.md": "kind"}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    with open(os.path.join(os.fsencode(tmp_path), b"caf\xe9.md"), "wb"):  # noqa: PTH118, PTH123
        pass
    assert paths(scan(tmp_path)) == ["caf\udce9.md"]
    make(tmp_path, ".gitignore")
    assert paths(scan(tmp_path)) == ["caf\udce9.md"]


def test_a_root_that_cannot_be_listed_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileUnreadable):
        scan(tmp_path / "gone")


def test_a_folder_that_cannot_be_listed_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, "a.md", "locked/b.md")
    listing = os.scandir

    def locked(path: str) -> object:
        if str(path).rstrip("/\\").endswith("locked"):
            raise PermissionError(13, "Permission denied")
        return listing(path)

    monkeypatch.setattr(os, "scandir", locked)
    found = scan(tmp_path)
    assert (paths(found), skipped(found)) == (["a.md"], {"locked/": "unreadable"})


def ignore(root: Path, file: str, *patterns: str) -> None:
    make(root, file)
    (root / file).write_text("\n".join(patterns) + "\n", encoding="utf-8")


def test_nested_gitignore_files_apply_below_their_folder(tmp_path: Path) -> None:
    make(tmp_path, "a.txt", "x/a.txt", "x/b.md", "x/y/b.md", "y/b.md", "drafts/c.md", "x/keep.txt")
    ignore(tmp_path, ".gitignore", "# comment", "", "*.txt", "/drafts/")
    ignore(tmp_path, "x/.gitignore", "/b.md", "!keep.txt")
    found = scan(tmp_path)
    assert paths(found) == ["x/keep.txt", "x/y/b.md", "y/b.md"]
    assert skipped(found) == {
        "a.txt": "ignored",
        "x/a.txt": "ignored",
        "x/b.md": "ignored",
        "drafts/": "ignored",
    }


def test_hippoignore_has_the_last_word(tmp_path: Path) -> None:
    make(tmp_path, "memory/a.md", "memory/deep/b.md", "memory/c.txt", "public/d.md", "private/e.md")
    ignore(tmp_path, ".gitignore", "memory/", "private/")
    assert paths(scan(tmp_path)) == ["public/d.md"]
    ignore(tmp_path, ".hippoignore", "!memory/", "*.txt", "public")
    assert paths(scan(tmp_path)) == ["memory/a.md", "memory/deep/b.md"]
    ignore(tmp_path, ".hippoignore", "!memory/**/b.md")
    assert paths(scan(tmp_path)) == ["memory/deep/b.md", "public/d.md"]


def test_hippoignore_counts_at_the_root_only(tmp_path: Path) -> None:
    make(tmp_path, "a/b.md")
    ignore(tmp_path, "a/.hippoignore", "*")
    assert paths(scan(tmp_path)) == ["a/b.md"]


def test_broken_patterns_are_passed_over(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "b.txt")
    ignore(tmp_path, ".gitignore", "/", "!", "[", "**", "\\", "[z-a]")
    scan(tmp_path)
    ignore(tmp_path, ".gitignore", "/", "!", "[", "\\", "[z-a]", "*.txt")
    assert paths(scan(tmp_path)) == ["a.md"]
    (tmp_path / ".gitignore").write_bytes(b"\xef\xbb\xbf*.txt\r\n\xff\xfe\x00\r\n")
    assert paths(scan(tmp_path)) == ["a.md"]


def test_a_gitignore_that_is_a_folder_or_a_link_is_none(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "sub/b.md", "sub/rules")
    (tmp_path / ".gitignore").mkdir()
    ignore(tmp_path, "sub/rules", "*")
    if os.name != "nt":
        (tmp_path / "sub" / ".gitignore").symlink_to(tmp_path / "sub" / "rules")
    assert paths(scan(tmp_path)) == ["a.md", "sub/b.md"]


def test_known_verdicts_are_used_while_the_fingerprint_holds(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "b.md", "sub/c.md")
    ignore(tmp_path, ".gitignore", "b.md")
    first = scan(tmp_path)
    verdicts = {"a.md": False, "b.md": True, "sub/": False, "sub/c.md": False}
    assert first.decisions.ignored == verdicts
    lie = IgnoreDecisions(first.decisions.fingerprint, {**first.decisions.ignored, "a.md": True})
    assert paths(scan(tmp_path, known=lie)) == ["sub/c.md"]
    stale = IgnoreDecisions("other", lie.ignored)
    assert scan(tmp_path, known=stale) == first


@pytest.mark.parametrize("change", ["edit", "remove", "nested"])
def test_a_changed_ignore_file_makes_verdicts_stale(tmp_path: Path, change: str) -> None:
    make(tmp_path, "a.md", "b.md", "sub/c.md")
    ignore(tmp_path, ".gitignore", "b.md")
    known = scan(tmp_path).decisions
    if change == "edit":
        ignore(tmp_path, ".gitignore", "a.md # longer", "a.md")
    elif change == "remove":
        (tmp_path / ".gitignore").unlink()
    else:
        ignore(tmp_path, "sub/.gitignore", "*")
    again = scan(tmp_path, known=known)
    assert again == scan(tmp_path)
    assert again.decisions.fingerprint != known.fingerprint


@pytest.mark.parametrize("patterns", [(), ("# nothing but a comment", "")])
def test_no_matcher_is_loaded_without_a_pattern(tmp_path: Path, patterns: tuple[str, ...]) -> None:
    make(tmp_path, "a.md")
    ignore(tmp_path, ".gitignore", *patterns)
    assert "pathspec" not in _loaded_by_a_scan(tmp_path, "IgnoreDecisions()")


def test_no_matcher_is_loaded_when_every_verdict_is_known(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "b/c.md")
    ignore(tmp_path, ".gitignore", "*.log")
    assert "pathspec" in _loaded_by_a_scan(tmp_path, "IgnoreDecisions()")
    decisions = scan(tmp_path).decisions
    known = f"IgnoreDecisions({decisions.fingerprint!r}, {decisions.ignored!r})"
    assert "pathspec" not in _loaded_by_a_scan(tmp_path, known)


def _loaded_by_a_scan(root: Path, known: str) -> set[str]:
    code = (
        "import sys, pathlib\n"
        "from hippocampus_cli.workspace.scan import scan, IgnoreDecisions\n"
        f"scan(pathlib.Path({str(root)!r}), known={known})\n"
        "print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


NAMES = st.sampled_from(["a", "b", "memory", "x.md", "y.md", "z.txt", ".dot"])
PATTERNS = st.lists(
    st.builds(
        "{}{}{}{}".format,
        st.sampled_from(["", "!", "/", "!/", "**/"]),
        st.sampled_from(["", "", "a/", "b/", "*/", "memory/"]),
        st.sampled_from(["a", "b", "*", "*.md", "x.md", "**", "memory", "?.md", "[xy].md"]),
        st.sampled_from(["", "", "/", "/*"]),
    ),
    max_size=4,
)


@settings(deadline=None, max_examples=30)
@given(
    st.sets(st.lists(NAMES, min_size=1, max_size=4).map("/".join), max_size=8), PATTERNS, PATTERNS
)
def test_scanning_with_known_verdicts_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, files: set[str], top: list[str], inner: list[str]
) -> None:
    root = tmp_path_factory.mktemp("ws")
    for path in files:
        if (
            not any(parent.is_file() for parent in (root / path).parents)
            and not (root / path).exists()
        ):
            make(root, path)
    ignore(root, ".gitignore", *top)
    if (root / "a").is_dir():
        ignore(root, "a/.gitignore", *inner)
    first = scan(root)
    assert scan(root, known=first.decisions) == first
    everything = {*paths(first), *(item.path for item in first.skipped)}
    assert len(everything) == len(first.files) + len(first.skipped)
