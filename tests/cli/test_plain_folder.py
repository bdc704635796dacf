"""A folder of notes without any sign of a workspace: whoever runs bootstrap in it makes it one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hippocampus_cli.cli.main import main

BEES = "# Bees\n\nThe hive is by the wall.\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    (home / "notes" / "sub").mkdir(parents=True)
    (home / "notes" / "bees.md").write_text(BEES)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.delenv("HIPPO_WORKSPACE", raising=False)
    return home


def test_the_folder_one_stands_in_becomes_the_workspace(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = home / "notes"
    monkeypatch.chdir(notes)
    assert main(["query", "hive"]) == 3
    assert "`hippo bootstrap`" in capsys.readouterr().err
    assert main(["bootstrap", "--dry-run"]) == 0
    assert sorted(path.name for path in notes.iterdir()) == ["bees.md", "sub"]
    assert main(["bootstrap"]) == 0
    assert f"workspace: {notes}  (the folder you stand in" in capsys.readouterr().out
    monkeypatch.chdir(notes / "sub")
    assert main(["query", "where is the hive"]) == 0
    assert "by the wall" in capsys.readouterr().out
    assert main(["bootstrap"]) == 0
    assert f"workspace: {notes}  (found from here upwards)" in capsys.readouterr().out
    assert not list((notes / "sub").iterdir())


@pytest.mark.parametrize(
    ("words", "place", "chosen"),
    [
        ([], "notes", "here"),
        (["--workspace", "."], "notes", "named"),
        ([], "agent", "found"),
        ([], "agent/memory", "above"),
    ],
)
def test_a_script_is_told_which_folder_and_why(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    place: str,
    chosen: str,
) -> None:
    (home / "agent" / "memory").mkdir(parents=True)
    monkeypatch.chdir(home / place)
    assert main(["bootstrap", "--json", *words]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["chosen"] == chosen
    assert said["workspace"] == str(home / place.partition("/")[0])


@pytest.mark.parametrize("name", ["package.json", "main.py", "requirements.txt", ".hidden.md"])
def test_a_folder_without_markdown_is_refused(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (home / "src").mkdir()
    (home / "src" / name).write_text("{}\n")
    monkeypatch.chdir(home / "src")
    assert main(["bootstrap"]) == 3
    assert "it has no markdown notes" in capsys.readouterr().err
    assert [path.name for path in (home / "src").iterdir()] == [name]


def test_the_home_folder_is_taken_only_by_name(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "todo.md").write_text(BEES)
    monkeypatch.chdir(home)
    assert main(["bootstrap"]) == 3
    said = capsys.readouterr().err
    assert "it is your home folder" in said
    assert "`hippo bootstrap --workspace .`" in said
    assert not (home / "HIPPOCAMPUS.md").exists()
    assert main(["bootstrap", "--workspace", "."]) == 0


def test_the_root_of_the_file_system_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("HIPPO_WORKSPACE", raising=False)
    monkeypatch.chdir(Path.cwd().anchor)
    assert main(["bootstrap", "--dry-run"]) == 3
    assert "the root of the file system" in capsys.readouterr().err


def test_a_named_folder_that_is_missing_is_not_replaced_by_this_one(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home / "notes")
    monkeypatch.setenv("HIPPO_WORKSPACE", str(home / "gone"))
    assert main(["bootstrap"]) == 3
    assert not (home / "notes" / "HIPPOCAMPUS.md").exists()
