"""``hippo open``: which editor is started with which file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.cli.main import main
from tests.support.command_line import Hippo

INDEX = """# HIPPOCAMPUS.md

## Deploy
→ TOOLS.md §Deploy
<!-- hx: id=deploy | hits=0 | str=1.00 | accessed=2026-07-01 -->

## Gone
→ gone.md
<!-- hx: id=gone | hits=0 | str=1.00 | accessed=2026-07-01 -->
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "notes"
    (root / "sub").mkdir(parents=True)
    (root / "HIPPOCAMPUS.md").write_text(INDEX, encoding="utf-8")
    (root / "TOOLS.md").write_text("# Tools\n\n## Deploy\n\nmake ship\n", encoding="utf-8")
    editor = tmp_path / "myedit"
    editor.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {tmp_path}/asked\n', encoding="utf-8")
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    monkeypatch.chdir(root / "sub")
    return root


def asked(folder: Path) -> list[str]:
    return (folder.parent / "asked").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("place", "line"), [("deploy", 3), ("TOOLS.md:5", 5), ("TOOLS.md", 1), ("TOOLS.md:0", 1)]
)
def test_an_entry_or_a_line_is_opened(folder: Path, place: str, line: int, hippo: Hippo) -> None:
    hippo("open", place)
    assert asked(folder) == [f"+{line}", str(folder / "TOOLS.md")]


def test_an_editor_that_wants_the_line_behind_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = folder.parent / "code"
    (folder.parent / "myedit").rename(code)
    monkeypatch.setenv("VISUAL", f"{code} --wait")
    assert main(["open", "TOOLS.md:5"]) == 0
    assert asked(folder) == ["--wait", "--goto", f"{folder / 'TOOLS.md'}:5"]


def test_with_json_nothing_is_opened(folder: Path, hippo: Hippo) -> None:
    assert hippo("open deploy --json").json == {"path": "TOOLS.md", "line": 3}
    assert not (folder.parent / "asked").exists()


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("../myedit", 7),
        ("/etc/passwd:1", 7),
        ("nobody", 10),
        ("gone", 6),
        (f"TOOLS.md:{'9' * 5000}", 7),
    ],
)
def test_what_cannot_be_opened(folder: Path, place: str, code: int, hippo: Hippo) -> None:
    hippo("open", place, code=code)
    assert not (folder.parent / "asked").exists()


def test_no_editor(folder: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo) -> None:
    monkeypatch.delenv("VISUAL")
    monkeypatch.delenv("EDITOR", raising=False)
    assert "set EDITOR" in hippo("open deploy", code=2).err
