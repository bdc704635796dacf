from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.errors import ScheduleRefused
from hippocampus_cli.schedule.scheduler import difference, made
from hippocampus_cli.workspace.external_files import Change


def test_files_come_change_and_go(tmp_path: Path) -> None:
    new, old, gone = tmp_path / "deep/new", tmp_path / "old", tmp_path / "gone"
    old.write_text("1\n")
    gone.write_text("2\n")
    changes = [*difference(new, "a\n"), *difference(old, "b\n"), *difference(gone, "")]
    with made(changes):
        assert (new.read_text(), old.read_text(), gone.exists()) == ("a\n", "b\n", False)
    assert difference(new, "a\n") == []


def test_an_error_puts_all_of_them_back(tmp_path: Path) -> None:
    new, gone = tmp_path / "new", tmp_path / "gone"
    gone.write_bytes(b"\xff\r\n")
    with pytest.raises(KeyError), made([*difference(new, "a\n"), *difference(gone, "")]):
        raise KeyError
    assert (new.exists(), gone.read_bytes()) == (False, b"\xff\r\n")


def test_what_somebody_else_changed_stays_and_the_others_go_back(tmp_path: Path) -> None:
    first, second = tmp_path / "1", tmp_path / "2"
    second.write_text("theirs\n")
    changes = [Change(str(first), "", "a\n"), Change(str(second), "before\n", "b\n")]
    with pytest.raises(ScheduleRefused, match="somebody else") as refused, made(changes):
        pytest.fail("it was not to come so far")
    assert refused.value.path == str(second)
    assert (first.exists(), second.read_text()) == (False, "theirs\n")


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ScheduleRefused), made([Change(str(tmp_path / "file/x"), "", "a\n")]):
        pytest.fail("it was not to come so far")


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ScheduleRefused):
        difference(tmp_path, "a\n")
