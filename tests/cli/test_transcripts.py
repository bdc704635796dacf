"""Shell transcripts as end-to-end tests.

A file ``tests/transcripts/*.txt`` is a session: ``$ hippo ...`` lines and what they print. It runs in a
copy of a workspace (``# workspace: FOLDER`` on the first line, else an empty one), at a fixed present and
width. ``UPDATE_TRANSCRIPTS=1`` writes down what is printed now. Only durations are normalised.

Lines before the first command are an introduction. Beside ``hippo`` a transcript may ``cat FILE``,
``head -n N FILE``, ``append FILE LINE`` and ``run-at TIME`` (moves the present). ``NAME=value hippo ...``
sets a variable for one line. A code other than 0 is shown as ``[exit N]``.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from hippocampus_cli.cli.main import main

ROOT = Path(__file__).parents[2]
TRANSCRIPTS = sorted((ROOT / "tests/transcripts").glob("*.txt"))
UPDATE = bool(os.environ.get("UPDATE_TRANSCRIPTS"))
NOW = "2026-02-01T09:00:00+00:00"

_WORKSPACE = re.compile(r"# workspace: (\S+)")
_VARIABLE = re.compile(r"[A-Z_]+=")
_DURATION = re.compile(r'(?<=elapsed_ms":)\s*[\d.]+|\d+(?:\.\d+)? ms\b')


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
    replayed = "".join(_replay(text, monkeypatch))
    if UPDATE and replayed != text:
        path.write_text(replayed, encoding="utf-8", newline="\n")
    assert replayed.splitlines() == text.splitlines()


def _replay(text: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The transcript as it would be written today: introduction and commands kept, output anew."""
    started = False
    for line in text.splitlines():
        started = started or line.startswith("$ ")
        if line.startswith("$ "):
            yield f"{line}\n"
            yield _DURATION.sub("#", _run(shlex.split(line[2:]), monkeypatch))
        elif not started:
            yield f"{line}\n"


def _run(words: list[str], monkeypatch: pytest.MonkeyPatch) -> str:
    with monkeypatch.context() as one_line:
        while _VARIABLE.match(words[0]):
            name, _, value = words.pop(0).partition("=")
            one_line.setenv(name, value)
        match words:
            case ["hippo", *argv]:
                return _hippo(argv)
            case ["cat", name]:
                return Path(name).read_text(encoding="utf-8")
            case ["head", "-n", count, name]:
                lines = Path(name).read_text(encoding="utf-8").splitlines(keepends=True)
                return "".join(lines[: int(count)])
            case ["append", name, line]:
                Path(name).parent.mkdir(parents=True, exist_ok=True)
                with Path(name).open("a", encoding="utf-8", newline="\n") as file:
                    file.write(f"{line}\n")
                return ""
            case ["run-at", moment]:
                monkeypatch.setenv("HIPPO_NOW", moment)
                return ""
    raise AssertionError(f"a transcript cannot run {words[0]!r}")


def _hippo(argv: list[str]) -> str:
    screen = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n", write_through=True)
    with redirect_stdout(screen), redirect_stderr(screen):
        code = main(argv)
    assert isinstance(screen.buffer, io.BytesIO)
    return screen.buffer.getvalue().decode() + (f"[exit {code}]\n" if code else "")
