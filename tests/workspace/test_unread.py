"""Notes that cannot be read are named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.read import BINARY
from hippocampus_cli.workspace.regular import NOT_REGULAR
from hippocampus_cli.workspace.scan import Reason, Scan, Skipped, scan
from hippocampus_cli.workspace.unread import LEFT_OUT, unread_notes


def unread(root: Path, *paths: str) -> dict[str, str]:
    found = Scan([FileStat(path, 1, 0, 0) for path in paths], [Skipped("z.md", Reason.TOO_LARGE)])
    return dict(unread_notes(root, found)[1])


def test_what_is_no_text_or_gone_since_the_scan_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n")
    (tmp_path / "b.md").write_bytes(b"a\0b")
    assert unread(tmp_path, "a.md", "b.md", "c.md") == {
        "b.md": BINARY,
        "c.md": "No such file or directory",
        "z.md": "larger than scan.max_file_bytes; split it, or raise that setting",
    }


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_what_has_become_no_file_since_the_scan_is_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "folder.md").mkdir()
    assert unread(tmp_path, "pipe.md", "folder.md") == {
        "folder.md": NOT_REGULAR,
        "pipe.md": NOT_REGULAR,
        "z.md": "larger than scan.max_file_bytes; split it, or raise that setting",
    }


def test_a_memory_that_git_is_told_to_leave_out_is_named_until_the_user_decides(
    tmp_path: Path,
) -> None:
    for path in ("memory/2026-01-31.md", "memory/2026-02-01.md", "MEMORY.md", "docs/a.md"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("# Text\n")
    rules = tmp_path / ".gitignore"
    rules.write_text("memory/\nMEMORY.md\ndocs/\n")
    left = [(path, LEFT_OUT.format(path)) for path in ("MEMORY.md", "memory/")]
    assert [*unread_notes(tmp_path, scan(tmp_path))[1]] == left
    rules.write_text("memory/*\n!MEMORY.md\n")
    assert [*unread_notes(tmp_path, scan(tmp_path))[1]] == left[1:]
    (tmp_path / "memory/2026-02-01.md").rename(tmp_path / "memory/[x] y.md")
    (tmp_path / "memory/2026-01-31.md").unlink()
    assert dict(unread_notes(tmp_path, scan(tmp_path))[1]) == {
        "memory/[x] y.md": LEFT_OUT.format(r"memory/\[x\] y.md")
    }
    for decided in ("!memory/\n", "memory/\n", "!memory/\\[x\\] y.md\n"):
        (tmp_path / ".hippoignore").write_text(decided)
        assert not unread_notes(tmp_path, scan(tmp_path))[1]
