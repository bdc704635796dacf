"""Running the ``$ hippo ...`` lines of a transcript in this process."""

from __future__ import annotations

import io
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from hippocampus_cli.cli.main import main

_VARIABLE = re.compile(r"[A-Z_]+=")
DURATION = re.compile(r'(?<=elapsed_ms":)\s*[\d.]+|\d+(?:\.\d+)? m?s\b')


def replay(text: str, monkeypatch: pytest.MonkeyPatch, mask: str = "#") -> Iterator[str]:
    """The transcript as it would be written today: introduction and commands kept, output anew.

    ``mask`` stands for durations, ``FOLDER`` for the folder it runs in.
    """
    started = False
    for line in text.splitlines():
        started = started or line.startswith("$ ")
        if line.startswith("$ "):
            yield f"{line}\n"
            printed = _run(shlex.split(line[2:]), monkeypatch)
            yield DURATION.sub(mask, printed.replace(str(Path.cwd()), "FOLDER"))
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
            case ["truncate", "-s", size, name]:
                os.truncate(name, int(size))
                return ""
            case ["rm", name]:
                Path(name).unlink()
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
