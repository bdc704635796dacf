"""Files of other programs: all of them are changed or none, also where the process is killed halfway."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hippocampus_cli.errors import HippoError, InstallRefused
from hippocampus_cli.integrations.install import refused
from hippocampus_cli.workspace.external_files import difference, made, undo_interrupted

OLD = {"a": "1\n", "b": "", "c": "3\n"}
NEW = {"a": "one\n", "b": "two\n", "c": ""}
KILLED = """
import os, signal, sys
from pathlib import Path
from hippocampus_cli.integrations.install import refused
from hippocampus_cli.workspace import atomic
from hippocampus_cli.workspace.external_files import difference, made

folder, left = Path(sys.argv[1]), int(sys.argv[2])
changes = [one for name, text in {new!r}.items() for one in difference(folder / name, text, refused)]

def watch(event, args):
    global left
    if event in ("open", "os.rename", "os.remove"):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))

sys.addaudithook(watch)
with made(changes, refused, folder / "it.pending"):
    pass
""".replace("{new!r}", repr(NEW))


def fill(folder: Path, texts: dict[str, str]) -> Path:
    for name, text in texts.items():
        if text:
            (folder / name).write_text(text)
    return folder


def texts(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text() if (folder / name).exists() else "" for name in OLD}


def undo(folder: Path) -> None:
    undo_interrupted(folder / "it.pending", [folder / name for name in OLD], refused)


def test_a_kill_at_any_file_operation_leaves_all_of_them_or_none(tmp_path: Path) -> None:
    seen, half = [], 0
    for point in range(1, 60, 2):
        folder = tmp_path / str(point)
        folder.mkdir()
        fill(folder, OLD)
        ran = subprocess.run([sys.executable, "-c", KILLED, str(folder), str(point)])
        half += texts(folder) not in (OLD, NEW)
        undo(folder)
        seen.append(texts(folder))
        assert seen[-1] in (OLD, NEW)
        assert not list(folder.glob("it.*"))
        if ran.returncode == 0:
            break
    assert seen[0] == OLD
    assert seen[-1] == NEW
    assert half


def test_who_was_taken_for_killed_undoes_the_change_itself(tmp_path: Path) -> None:
    fill(tmp_path, OLD)
    changes = [one for name in NEW for one in difference(tmp_path / name, NEW[name], refused)]
    journal = tmp_path / "it.pending"

    class Watched(type(journal)):  # type: ignore[misc]
        def unlink(self, missing_ok: bool = False) -> None:
            undo(tmp_path)
            super().unlink(missing_ok)

    with pytest.raises(InstallRefused), made(changes, refused, Watched(journal)):
        raise AssertionError
    assert texts(tmp_path) == OLD
    assert not list(tmp_path.glob("it.*"))


def test_a_journal_changes_no_other_file_and_a_damaged_one_none(tmp_path: Path) -> None:
    fill(tmp_path, OLD)
    changes = [one for name in NEW for one in difference(tmp_path / name, NEW[name], refused)]
    with made(changes, refused):
        pass
    (tmp_path / "it.pending").write_bytes(b"no zip")
    undo(tmp_path)
    assert texts(tmp_path) == NEW
    assert not list(tmp_path.glob("it.*"))


def test_a_folder_that_takes_no_journal_changes_nothing(tmp_path: Path) -> None:
    fill(tmp_path, OLD)
    (tmp_path / "file").write_text("no folder")
    changes = [one for name in NEW for one in difference(tmp_path / name, NEW[name], refused)]
    with pytest.raises(HippoError), made(changes, refused, tmp_path / "file/it.pending"):
        raise AssertionError
    assert texts(tmp_path) == OLD
