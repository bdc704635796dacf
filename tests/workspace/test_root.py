"""Where a workspace begins."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from hippocampus_cli.cli.main import main
from hippocampus_cli.errors import WorkspaceNotFound, WorkspaceUnusable
from hippocampus_cli.workspace.root import find_workspace


def test_the_nearest_index_wins_over_a_nearer_memory_file(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "HIPPOCAMPUS.md").write_text("")
    (tmp_path / "a" / "MEMORY.md").write_text("")
    assert find_workspace(inner, None, None) == tmp_path
    (tmp_path / "a" / "HIPPOCAMPUS.md").write_text("")
    assert find_workspace(inner, None, None) == tmp_path / "a"


@pytest.mark.parametrize("sign", ["MEMORY.md", "AGENTS.md", "memory/"])
def test_signs_of_a_workspace_without_index(tmp_path: Path, sign: str) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    if sign.endswith("/"):
        (tmp_path / sign).mkdir()
    else:
        (tmp_path / sign).write_text("")
    assert find_workspace(inner, None, None) == tmp_path


def test_a_file_called_memory_is_no_sign(tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("")
    with pytest.raises(WorkspaceNotFound) as caught:
        find_workspace(tmp_path, None, None)
    for sign in ("HIPPOCAMPUS.md", "MEMORY.md", "AGENTS.md", "memory/"):
        assert sign in caught.value.message
    assert "bootstrap" in caught.value.advice


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_a_broken_index_is_still_a_sign(tmp_path: Path) -> None:
    (tmp_path / "HIPPOCAMPUS.md").symlink_to(tmp_path / "nowhere")
    assert find_workspace(tmp_path, None, None) == tmp_path


def test_named_folders_in_order(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    (tmp_path / "HIPPOCAMPUS.md").write_text("")
    assert find_workspace(tmp_path, one, str(two)) == one
    assert find_workspace(tmp_path, None, str(two)) == two
    assert find_workspace(tmp_path, None, "") == tmp_path
    assert find_workspace(tmp_path, Path("one/../two"), None) == two


@pytest.mark.parametrize(
    ("given", "reason"),
    [("gone", "does not exist"), ("file", "is not a folder"), ("a\0b", "does not exist")],
)
def test_a_named_folder_must_be_one(tmp_path: Path, given: str, reason: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WorkspaceUnusable, match=reason) as caught:
        find_workspace(tmp_path, Path(given), None)
    assert "--workspace" in caught.value.message
    with pytest.raises(WorkspaceNotFound, match="HIPPO_WORKSPACE"):
        find_workspace(tmp_path, None, given)


def test_the_root_of_the_file_system_is_never_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os.path, "lexists", lambda path: True)
    monkeypatch.setattr(os.path, "isdir", lambda path: True)
    with pytest.raises(WorkspaceNotFound):
        find_workspace(Path(Path.cwd().anchor), None, None)


def git(folder: Path, *words: str) -> None:
    own = {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "PATH": os.environ["PATH"],
    }
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *who, *words], cwd=folder, env=own, check=True, capture_output=True)


def test_worktrees_of_a_repository_share_one_memory(tmp_path: Path) -> None:
    main, other = tmp_path / "main", tmp_path / "other"
    (main / "src").mkdir(parents=True)
    (main / "src/a.py").write_text("")
    (main / "AGENTS.md").write_text("# Rules\n")
    git(main, "init", "-q")
    git(main, "add", ".")
    git(main, "commit", "-qm", "first")
    git(main, "worktree", "add", "-q", str(other))
    assert find_workspace(other / "src", None, None) == other  # no index anywhere
    (main / "HIPPOCAMPUS.md").write_text("# HIPPOCAMPUS.md\n")
    assert find_workspace(other, None, None) == main
    assert find_workspace(other / "src", None, None) == main
    assert find_workspace(other, other, None) == other
    (other / "HIPPOCAMPUS.md").write_text("# HIPPOCAMPUS.md\n")
    assert find_workspace(other / "src", None, None) == other
    (main / "HIPPOCAMPUS.md").rename(main / "src/HIPPOCAMPUS.md")
    (other / "HIPPOCAMPUS.md").unlink()
    assert find_workspace(other / "src", None, None) == main / "src"
    assert find_workspace(other, None, None) == other


def test_a_link_to_a_repository_that_does_not_know_it_leads_nowhere(tmp_path: Path) -> None:
    main, planted = tmp_path / "main", tmp_path / "planted"
    main.mkdir()
    planted.mkdir()
    (main / "HIPPOCAMPUS.md").write_text("# HIPPOCAMPUS.md\n")
    (planted / "AGENTS.md").write_text("# Rules\n")
    git(main, "init", "-q")
    git(main, "commit", "-q", "--allow-empty", "-m", "first")
    git(main, "worktree", "add", "-q", str(tmp_path / "other"))
    (planted / ".git").write_text(f"gitdir: {main}/.git/worktrees/other\n")
    assert find_workspace(planted, None, None) == planted


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
