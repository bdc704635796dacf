"""Shell transcripts as end-to-end tests.

A file ``tests/transcripts/*.txt`` is a session: ``$ hippo ...`` lines and what they print. It runs in a
copy of a workspace (``# workspace: FOLDER`` on the first line, else an empty one), at a fixed present and
width. ``UPDATE_TRANSCRIPTS=1`` writes down what is printed now. Only durations are normalised.

Lines before the first command are an introduction. Beside ``hippo`` a transcript may ``cat FILE``,
``head -n N FILE``, ``append FILE LINE``, ``truncate -s N FILE``, ``rm FILE`` and ``run-at TIME`` (moves the
present). ``NAME=value hippo ...`` sets a variable for one line. A code other than 0 is shown as ``[exit N]``.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.support.replay import replay

ROOT = Path(__file__).parents[2]
TRANSCRIPTS = sorted((ROOT / "tests/transcripts").glob("*.txt"))
UPDATE = bool(os.environ.get("UPDATE_TRANSCRIPTS"))
NOW = "2026-02-01T09:00:00+00:00"

_WORKSPACE = re.compile(r"# workspace: (\S+)")


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = path.read_text(encoding="utf-8")
    workspace = tmp_path / "workspace"
    if found := _WORKSPACE.match(text):
        shutil.copytree(ROOT / found.group(1), workspace)
    else:
        workspace.mkdir()
    monkeypatch.chdir(workspace)
    monkeypatch.setenv("HIPPO_WORKSPACE", str(workspace))
    monkeypatch.setenv("HIPPO_NOW", NOW)
    monkeypatch.setenv("COLUMNS", "80")
    replayed = "".join(replay(text, monkeypatch))
    if UPDATE and replayed != text:
        path.write_text(replayed, encoding="utf-8", newline="\n")
    assert replayed.splitlines() == text.splitlines()
