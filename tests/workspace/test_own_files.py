from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hippocampus_cli.errors import FileUnreadable, FileUnwritable
from hippocampus_cli.maintenance import history
from hippocampus_cli.workspace import own_files
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.commit import read_or_none
from hippocampus_cli.workspace.fingerprints import KeptFingerprints
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.meta import Meta, read_meta
from hippocampus_cli.workspace.own_files import FOLDER, blocked_folder, ensure_folder
from hippocampus_cli.workspace.store import IndexStore


@pytest.mark.parametrize("before", [b"cache/\n", b"mine \xff", b""])
def test_an_older_list_learns_of_it_once_and_keeps_the_rest(before: bytes, tmp_path: Path) -> None:
    ignore = tmp_path / ".hippocampus/.gitignore"
    ignore.parent.mkdir()
    ignore.write_bytes(before)
    ensure_folder(tmp_path, own_files.LOCK)
    once = ignore.read_bytes()
    ensure_folder(tmp_path, own_files.LOCK)
    assert ignore.read_bytes() == once
    assert once.startswith(before) and b"upkeep.log*" in once.split(b"\n")


def test_a_file_where_a_folder_must_be_is_named(tmp_path: Path) -> None:
    (tmp_path / own_files.FOLDER).write_text("a file")
    assert read_or_none(tmp_path, own_files.BELIEFS) is None
    with pytest.raises(FileUnwritable, match="a file stands where"):
        ensure_folder(tmp_path, own_files.BELIEFS)


@pytest.mark.parametrize("name", ["cache/text.sqlite", "cache/text.sqlite-wal"])
def test_what_may_not_be_looked_at_cannot_be_written(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a folder without permissions; those do not hold for root, who may run the tests."""
    (tmp_path / ".hippocampus/cache").mkdir(parents=True)
    forbidden, real = tmp_path / ".hippocampus" / name, Path.stat

    def stat(self: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if self == forbidden:
            raise PermissionError(13, "Permission denied")
        return real(self, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(Path, "stat", stat)
    with pytest.raises(FileUnwritable, match="Permission denied"):
        ensure_folder(tmp_path, f"{own_files.CACHE}/text.sqlite")


def _hold(root: Path) -> None:
    with locked(root, 0.1):
        pass


no_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")


@no_pipes
@pytest.mark.parametrize(
    ("name", "use", "outcome"),
    [
        ("HIPPOCAMPUS.md", lambda root: IndexStore(root).read(), FileUnreadable),
        (own_files.LOCK, _hold, FileUnwritable),
        (f"{own_files.LOCK}-journal", _hold, FileUnwritable),
        (f"{own_files.FOLDER}/.gitignore", _hold, FileUnwritable),
        (own_files.PENDING, lambda root: read_or_none(root, own_files.PENDING), FileUnreadable),
        (own_files.META, read_meta, Meta()),
        (f"{own_files.CACHE}/fingerprints.sqlite", lambda root: {**KeptFingerprints(root)}, {}),
        (f"{own_files.HISTORY}/0001-daily.json", lambda root: list(history.records(root)), []),
    ],
)
def test_a_named_pipe_is_not_waited_for(
    name: str, use: Callable[[Path], object], outcome: object, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)
    if isinstance(outcome, type):
        with pytest.raises(outcome, match="not a regular file"):
            use(tmp_path)
    else:
        assert use(tmp_path) == outcome


@no_pipes
@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal"])
def test_a_database_that_is_a_named_pipe_is_refused(ending: str, tmp_path: Path) -> None:
    path = tmp_path / own_files.CACHE / f"text.sqlite{ending}"
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    with pytest.raises(FileUnwritable, match="not a regular file") as caught:
        ensure_folder(tmp_path, f"{own_files.CACHE}/text.sqlite")
    assert caught.value.path == f"{own_files.CACHE}/text.sqlite{ending}"


def test_what_others_make_and_remove_while_it_is_looked_at_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / FOLDER
    journal, look = folder / "lock-journal", os.stat

    def stat(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        """Others are at work right after each look."""
        try:
            return look(path, follow_symlinks=follow_symlinks)
        finally:
            if path == folder and not os.path.lexists(folder):
                folder.mkdir()
            if path == journal and follow_symlinks and os.path.lexists(journal):
                journal.unlink()

    monkeypatch.setattr(os, "stat", stat)
    assert blocked_folder(tmp_path, FOLDER) is None
    folder.mkdir(exist_ok=True)
    journal.touch()
    assert ensure_folder(tmp_path, own_files.LOCK) == folder / "lock"
    assert not journal.exists()


@pytest.mark.parametrize(
    ("folder", "umask", "mode"), [(0o755, 0o077, 0o600), (0o777, 0o022, 0o644)]
)
def test_a_new_file_is_no_wider_than_its_user_has_files(
    tmp_path: Path, folder: int, umask: int, mode: int
) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER).chmod(folder)
    before = os.umask(umask)
    try:
        replace_bytes(ensure_folder(tmp_path, f"{FOLDER}/meta.json"), b"{}", "meta.json")
    finally:
        os.umask(before)
    assert (tmp_path / FOLDER / "meta.json").stat().st_mode & 0o777 == mode
