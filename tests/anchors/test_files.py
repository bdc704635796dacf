"""All files of the index, or none: at any kill point and on a full disk."""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from hippocampus_cli.anchors import files
from hippocampus_cli.anchors.files import Stored
from hippocampus_cli.errors import AnchorsDamaged, FileUnreadable, FileUnwritable, OutsideWorkspace
from hippocampus_cli.workspace.own_files import ANCHOR_INDEX, ANCHOR_META
from tests.support.failing import Fault, Killed, failing

OLD = Stored(b"{old}", b'{"embeds_sha256":"x" old}', b"old vectors")
NEW = Stored(b"{new}", b'{"embeds_sha256":"y" new}', b"new vectors")
NONE = Stored(b"{new}", b'{"embeds_sha256":null}', None)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    for stored in (OLD, NEW, NONE, OLD):
        files.write(tmp_path, stored)
        assert files.read(tmp_path) == stored
    names = sorted(one.name for one in (tmp_path / ".hippocampus/anchors").iterdir())
    assert names == ["hippocampus-embeds.npz", "hippocampus-index.json", "hippocampus-meta.json"]
    ignored = (tmp_path / ".hippocampus/.gitignore").read_text().splitlines()
    assert "anchors/" in ignored


@pytest.mark.parametrize("new", [NEW, NONE])
@pytest.mark.parametrize("point", range(12))
def test_a_kill_at_any_rename_leaves_all_of_them_or_none(
    point: int, new: Stored, tmp_path: Path
) -> None:
    files.write(tmp_path, OLD)
    count = 0

    def killed_at(self: Path, target: Path, *, real=Path.replace) -> Path:  # type: ignore[no-untyped-def]
        nonlocal count
        count += 1
        if count > point:
            raise Killed
        return real(self, target)

    def rename(self: Path, target: Path, *, real=Path.rename) -> Path:  # type: ignore[no-untyped-def]
        return killed_at(self, target, real=real)

    finished = False
    with patch.object(Path, "replace", killed_at), patch.object(Path, "rename", rename):
        try:
            files.write(tmp_path, new)
            finished = True
        except Killed:
            pass
    files.settle(tmp_path)
    found = files.read(tmp_path)
    assert found in (OLD, new)
    assert not finished or found == new
    files.write(tmp_path, NEW)
    assert files.read(tmp_path) == NEW


@pytest.mark.parametrize("fault", [Fault.FULL, Fault.FULL_ONCE])
@pytest.mark.parametrize("write", range(1, 4))
def test_a_full_disk_changes_nothing(fault: Fault, write: int, tmp_path: Path) -> None:
    files.write(tmp_path, OLD)
    with failing(fault, write), pytest.raises(FileUnwritable):
        files.write(tmp_path, NEW)
    assert files.read(tmp_path) == OLD
    assert not files.is_half_done(tmp_path)


def test_a_missing_file_is_told_of(tmp_path: Path) -> None:
    files.write(tmp_path, OLD)
    (tmp_path / ANCHOR_META).unlink()
    with pytest.raises(AnchorsDamaged, match="it is missing"):
        files.read(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
def test_links_that_lead_out_are_not_followed(tmp_path: Path) -> None:
    root, outside = tmp_path / "ws", tmp_path / "outside"
    files.write(root, OLD) if root.mkdir() is None else None
    outside.mkdir()
    (outside / "hippocampus-index.json").write_bytes(b"secret")
    (root / ANCHOR_INDEX).unlink()
    (root / ANCHOR_INDEX).symlink_to(outside / "hippocampus-index.json")
    with pytest.raises(FileUnreadable, match="leads out"):
        files.read(root)
    files.write(root, NEW)  # the link is replaced, not followed
    assert (outside / "hippocampus-index.json").read_bytes() == b"secret"
    assert files.read(root) == NEW


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
@pytest.mark.parametrize("name", ["", "/making", "/next"])
def test_a_folder_that_is_a_link_to_outside_is_refused(name: str, tmp_path: Path) -> None:
    root, outside = tmp_path / "ws", tmp_path / "outside"
    (root / ".hippocampus/anchors").mkdir(parents=True)
    outside.mkdir()
    (outside / "keep").write_text("mine")
    place = root / f".hippocampus/anchors{name}"
    if not name:
        place.rmdir()
    place.symlink_to(outside, target_is_directory=True)
    if name == "/making":
        files.write(root, OLD)
    else:
        with pytest.raises(OutsideWorkspace):
            files.write(root, OLD)
    assert [one.name for one in outside.iterdir()] == ["keep"]


@pytest.mark.parametrize("name", ["making", "next"])
def test_a_folder_that_may_not_be_looked_at_cannot_be_written(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a folder without permissions; those do not hold for root, who may run the tests."""
    files.write(tmp_path, OLD)
    (tmp_path / ".hippocampus/anchors" / name).mkdir()
    real = Path.exists

    def exists(self: Path, **given: bool) -> bool:
        if self.name == name:
            raise PermissionError(13, "Permission denied")
        return real(self, **given)

    monkeypatch.setattr(Path, "exists", exists)
    with pytest.raises(FileUnwritable, match="Permission denied"):
        files.write(tmp_path, NEW)
