"""What `hippo check` prints for a pointer that leads nowhere, run as it is printed, mends it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from hippocampus_cli.cli.main import main

MEMORY = "# Memory\n\n## Doors\n\nThe doors are blue and heavy.\n\n## Lamps\n\nThe lamps are green and bright.\n"


def boiler(name: str) -> str:
    return f"# Boiler {name}\n\nThe boiler of {name} is bled every Thursday by hand.\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "MEMORY.md").write_text(MEMORY)
    for name in ("ada", "bo", "cy", "dee"):
        (tmp_path / f"{name}.md").write_text(boiler(name))
    (tmp_path / "dee-too.md").write_text(boiler("dee"))
    monkeypatch.chdir(tmp_path)
    assert main(["bootstrap"]) == 0
    return tmp_path


def remedies(capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    main(["check"])
    lines = capsys.readouterr().out.splitlines()
    return [line.partition("; next: ")[2] for line in lines if "; next: " in line]


def test_each_printed_command_mends_what_it_is_printed_for(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("ada.md", "dee.md"):
        (root / name).unlink()
    (root / "bo.md").rename(root / "moved.md")
    (root / "MEMORY.md").write_text(
        MEMORY.replace("Doors", "Hats").replace("doors are blue", "hat")
    )
    printed = remedies(capsys)
    assert len(printed) == 3
    for command in printed:
        program, *words = shlex.split(command)
        assert program == "hippo"
        main(words)
    capsys.readouterr()
    assert main(["check"]) == 0
    assert "no problems found" in capsys.readouterr().out
    assert main(["list", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)["entries"]
    pointers = {one["topic"]: one["pointers"] for one in entries}
    assert pointers["Boiler bo"] == ["moved.md"]
    assert pointers["Boiler dee"] == ["dee-too.md"]
    assert "Boiler ada" not in pointers
    assert main(["restore", "boiler-ada"]) == 0


def test_it_can_be_tried_and_undone(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    index = root / "HIPPOCAMPUS.md"
    (root / "ada.md").unlink()
    before = index.read_bytes()
    assert main(["check", "--drop", "boiler-ada", "--dry-run"]) == 1
    assert index.read_bytes() == before
    assert main(["check", "--drop", "boiler-ada"]) == 0
    assert main(["undo"]) == 0
    assert index.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "code"), [("--drop nobody", 10), ("--drop boiler-ada --accept", 2)]
)
def test_what_cannot_be_dropped(root: Path, words: str, code: int) -> None:
    before = (root / "HIPPOCAMPUS.md").read_bytes()
    assert main(["check", *words.split()]) == code
    assert main(["check", "--drop", "boiler-ada"]) == 0  # nothing of it is gone
    assert (root / "HIPPOCAMPUS.md").read_bytes() == before
