"""What `hippo check` prints for a pointer that leads nowhere, run as it is printed, mends it."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from unittest.mock import patch

import pytest

from hippocampus_cli.workspace.fingerprints import KeptFingerprints
from tests.support.command_line import Hippo

MEMORY = "# Memory\n\n## Doors\n\nThe doors are blue and heavy.\n\n## Lamps\n\nThe lamps are green and bright.\n"


def boiler(name: str) -> str:
    return f"# Boiler {name}\n\nThe boiler of {name} is bled every Thursday by hand.\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo) -> Path:
    (tmp_path / "MEMORY.md").write_text(MEMORY)
    for name in ("ada", "bo", "cy", "dee"):
        (tmp_path / f"{name}.md").write_text(boiler(name))
    (tmp_path / "dee-too.md").write_text(boiler("dee"))
    monkeypatch.chdir(tmp_path)
    hippo("bootstrap")
    return tmp_path


def remedies(hippo: Hippo) -> list[str]:
    lines = hippo("check", code=1).out.splitlines()
    return [line.partition("; next: ")[2] for line in lines if "; next: " in line]


def test_each_printed_command_mends_what_it_is_printed_for(root: Path, hippo: Hippo) -> None:
    for name in ("ada.md", "dee.md"):
        (root / name).unlink()
    (root / "bo.md").rename(root / "moved.md")
    (root / "MEMORY.md").write_text(
        MEMORY.replace("Doors", "Hats").replace("doors are blue", "hat")
    )
    printed = remedies(hippo)
    assert len(printed) == 3
    for command in printed:
        program, *words = shlex.split(command)
        assert program == "hippo"
        hippo(*words, code=None)
    assert "no problems found" in hippo("check").out
    entries = hippo("list --json").json["entries"]
    pointers = {one["topic"]: one["pointers"] for one in entries}
    assert pointers["Boiler bo"] == ["moved.md"]
    assert pointers["Boiler dee"] == ["dee-too.md"]
    assert "Boiler ada" not in pointers
    hippo("restore boiler-ada")


def test_it_can_be_tried_and_undone(root: Path, hippo: Hippo) -> None:
    index = root / "HIPPOCAMPUS.md"
    (root / "ada.md").unlink()
    before = index.read_bytes()
    hippo("check --drop boiler-ada --dry-run", code=1)
    assert index.read_bytes() == before
    hippo("check --drop boiler-ada")
    hippo("undo")
    assert index.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "code"), [("--drop nobody", 10), ("--drop boiler-ada --accept", 2)]
)
def test_what_cannot_be_dropped(root: Path, words: str, code: int, hippo: Hippo) -> None:
    before = (root / "HIPPOCAMPUS.md").read_bytes()
    hippo("check", *words.split(), code=code)
    hippo("check --drop boiler-ada")  # nothing of it is gone
    assert (root / "HIPPOCAMPUS.md").read_bytes() == before


def test_what_is_lost_beside_a_pointer_is_sought_in_few_notes(root: Path, hippo: Hippo) -> None:
    hippo("add Boilers --to ada.md --to bo.md")
    (root / "ada.md").unlink()
    for note in root.glob("*.md"):
        os.utime(note, (0, 0))  # what is as new as the clock's tick is read again
    hippo("maintain --daily")
    read = KeptFingerprints.__getitem__
    with patch.object(KeptFingerprints, "__getitem__", autospec=True, side_effect=read) as reads:
        hippo("maintain --daily")
    assert {call.args[1] for call in reads.mock_calls} == {"ada.md", "bo.md"}
