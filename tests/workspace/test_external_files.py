"""Files of other programs: all of them are changed or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.errors import FileUnwritable
from hippocampus_cli.workspace.external_files import Change, difference, made

OLD = {"a": "1\n", "b": "", "c": "3\n"}
NEW = {"a": "one\n", "b": "two\n", "c": ""}


@pytest.fixture
def changes(tmp_path: Path) -> list[Change]:
    for name, text in OLD.items():
        if text:
            (tmp_path / name).write_text(text)
    return [change for name in NEW for change in difference(tmp_path / name, NEW[name])]


def texts(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text() if (folder / name).exists() else "" for name in OLD}


def test_all_of_them_are_changed(tmp_path: Path, changes: list[Change]) -> None:
    with made(changes):
        assert texts(tmp_path) == NEW
    assert texts(tmp_path) == NEW


def test_whatever_is_raised_puts_all_of_them_back(tmp_path: Path, changes: list[Change]) -> None:
    with pytest.raises(KeyboardInterrupt), made(changes):
        raise KeyboardInterrupt
    assert texts(tmp_path) == OLD


@pytest.mark.parametrize("name", NEW)
def test_what_somebody_changed_meanwhile_stays(
    tmp_path: Path, changes: list[Change], name: str
) -> None:
    (tmp_path / name).write_text("theirs\n")
    with pytest.raises(FileUnwritable, match="somebody else"), made(changes):
        raise AssertionError
    assert texts(tmp_path) == {**OLD, name: "theirs\n"}


def test_what_somebody_changed_since_is_not_put_back(tmp_path: Path, changes: list[Change]) -> None:
    with pytest.raises(AssertionError), made(changes):
        (tmp_path / "b").write_text("theirs\n")
        raise AssertionError
    assert texts(tmp_path) == {**OLD, "b": "theirs\n"}
