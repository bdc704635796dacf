"""Looking again at some files only."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.config.settings import Scan as ScanSettings
from hippocampus_cli.workspace.scan import rescan, scan

_SETTINGS = ScanSettings(max_file_bytes=30)
_NAMES = (
    *("a.md", "B.MD", "notes/a.md", "notes/é.md", "notes/b.txt", "notes/.hidden.md", "notes/x.log"),
    *(".gitignore", ".hippoignore", "HIPPOCAMPUS.md", "notes/HIPPOCAMPUS.md", "notes/big.md"),
)
_TEXTS = ("", "short", "x.log\nb.txt\n", "!a.md\n", "long " * 10)


def _write(root: Path, name: str, text: str) -> None:
    (root / name).unlink(missing_ok=True)
    (root / name).write_text(text)


def _remove(root: Path, name: str, text: str) -> None:
    (root / name).unlink(missing_ok=True)


_DEEDS: tuple[Callable[[Path, str, str], None], ...] = (_write, _write, _remove)
_CHANGE = st.tuples(st.sampled_from(_DEEDS), st.sampled_from(_NAMES), st.sampled_from(_TEXTS))


@given(before=st.lists(_CHANGE, max_size=8), after=st.lists(_CHANGE, max_size=4))
def test_it_finds_what_a_scan_finds_or_leaves_it_to_one(
    before: list[tuple[Callable[[Path, str, str], None], str, str]],
    after: list[tuple[Callable[[Path, str, str], None], str, str]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    root = tmp_path_factory.mktemp("ws")
    (root / "notes").mkdir()
    for deed, name, text in before:
        deed(root, name, text)
    earlier = scan(root, _SETTINGS)
    for deed, name, text in after:
        deed(root, name, text)
    found = rescan(root, _SETTINGS, earlier, {name for _, name, _ in after})
    if found is not None:
        now = scan(root, _SETTINGS)
        assert (found.files, found.skipped) == (now.files, now.skipped)
        assert (found.folders, found.linked) == (now.folders, now.linked)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    for name in ("a.md", "notes/a.md", "notes/c.md", "notes/x.log"):
        (tmp_path / name).write_text("text")
    return tmp_path


@pytest.mark.parametrize(
    "name", ["notes/a.md", "notes/b.md", "a.md", "0.md", "notes/z.md", "notes/x.log"]
)
@pytest.mark.parametrize("text", ["other text", None])
def test_plain_notes_need_no_scan(root: Path, name: str, text: str | None) -> None:
    before = scan(root, _SETTINGS)
    if text is None:
        (root / name).unlink(missing_ok=True)
    else:
        (root / name).write_text(text)
    found = rescan(root, _SETTINGS, before, [name])
    if text is None and name == "notes/x.log":  # what was passed over is no longer there
        assert found is None
    else:
        assert found is not None
        assert (found.files, found.skipped) == scan(root, _SETTINGS)[:2]


@pytest.mark.parametrize("name", ["new.log", ".hidden.md", "sub", ".gitignore", "huge.md"])
def test_what_is_no_plain_note_is_left_to_a_scan(root: Path, name: str) -> None:
    before = scan(root, _SETTINGS)
    if name == "sub":
        (root / name).mkdir()
    else:
        (root / name).write_text("x" * 100)
    assert rescan(root, _SETTINGS, before, [name]) is None


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_links_are_left_to_a_scan(root: Path) -> None:
    before = scan(root, _SETTINGS)
    (root / "link.md").symlink_to("a.md")
    assert rescan(root, _SETTINGS, before, ["link.md"]) is None
    (root / "hard.md").hardlink_to(root / "a.md")
    assert rescan(root, _SETTINGS, before, ["hard.md"]) is None
    assert rescan(root, _SETTINGS, before, ["a.md"]) is None


def test_very_many_are_left_to_a_scan(root: Path) -> None:
    assert rescan(root, _SETTINGS, scan(root, _SETTINGS), {f"{n}.md" for n in range(1000)}) is None
