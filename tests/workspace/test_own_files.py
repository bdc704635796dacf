from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.errors import FileUnwritable
from hippocampus_cli.workspace.own_files import ensure_ignored


def test_a_new_list_names_the_log(tmp_path: Path) -> None:
    ensure_ignored(tmp_path)
    listed = (tmp_path / ".hippocampus/.gitignore").read_text().splitlines()
    assert listed.count("upkeep.log*") == 1


@pytest.mark.parametrize("before", [b"cache/\n", b"mine \xff", b""])
def test_an_older_list_learns_of_it_once_and_keeps_the_rest(before: bytes, tmp_path: Path) -> None:
    ignore = tmp_path / ".hippocampus/.gitignore"
    ignore.parent.mkdir()
    ignore.write_bytes(before)
    ensure_ignored(tmp_path)
    once = ignore.read_bytes()
    ensure_ignored(tmp_path)
    assert ignore.read_bytes() == once
    assert once.startswith(before) and b"upkeep.log*" in once.split(b"\n")


def test_a_list_that_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / ".hippocampus/.gitignore").mkdir(parents=True)
    with pytest.raises(FileUnwritable, match="cannot write"):
        ensure_ignored(tmp_path)
