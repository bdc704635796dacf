"""``hippo query`` without typer, whose import alone would take as long as the answer.

Only what typer would take the same way is understood here. For anything else (help, an unknown option, a value
that does not fit) :func:`understood` gives ``None``, and typer has the words from the start, and the last one
about them. A test holds the table below against typer's own parameters, another both parsers against each other.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hippocampus_cli.cli.asking import ask
from hippocampus_cli.cli.boundary import guarded
from hippocampus_cli.cli.context import Session
from hippocampus_cli.cli.render.output import open_output
from hippocampus_cli.cli.surroundings import present
from hippocampus_cli.markdown.lines import decode, encode

# Made before Python looks for cycles, of which a query makes none; looking takes a twentieth of its time.
_MANY_OBJECTS = 100_000
MODES = ("index", "search", "hybrid")
FLAG, TEXT, SEVERAL, NUMBER, MODE, FOLDER = "flag", "text", "several", "number", "mode", "folder"
OPTIONS: Mapping[str, tuple[str, str]] = {
    "--mode": ("mode", MODE),
    "-m": ("mode", MODE),
    "--limit": ("limit", NUMBER),
    "-n": ("limit", NUMBER),
    "--tokens": ("tokens", NUMBER),
    "--tag": ("tag", SEVERAL),
    "-t": ("tag", SEVERAL),
    "--type": ("kind", SEVERAL),
    "--path": ("path", SEVERAL),
    "-p": ("path", SEVERAL),
    "--since": ("since", TEXT),
    "--until": ("until", TEXT),
    "--pri": ("pri", SEVERAL),
    "--no-write": ("no_write", FLAG),
    "--explain": ("explain", FLAG),
    "--workspace": ("workspace", FOLDER),
    "-w": ("workspace", FOLDER),
    "--json": ("as_json", FLAG),
}
"""The parameter and the kind of value behind each spelling of an option of ``hippo query``."""


def run(words: Sequence[str], environ: Mapping[str, str] = os.environ) -> int | None:
    """Ask what ``words``, those behind ``hippo query``, say: the exit code, ``None`` if they are for typer."""
    given = understood(words)
    if given is None:
        return None
    asked = given.pop("words")
    workspace, as_json = given.pop("workspace", None), given.pop("as_json", False)
    output = open_output(environ, as_json=as_json)

    def work() -> int:
        return ask(Session(output, environ, present(environ), workspace), asked, **given)

    before = gc.get_threshold()
    gc.set_threshold(_MANY_OBJECTS, *before[1:])
    try:
        return guarded(work, ("query", *words), output)
    finally:
        gc.set_threshold(*before)


def understood(words: Sequence[str]) -> dict[str, Any] | None:
    """The parameters of the command that are given, ``words`` among them; ``None`` if typer is to decide."""
    given: dict[str, Any] = {}
    asked: list[str] = []
    left = list(reversed(words))
    while left:
        word = left.pop()
        if word == "--":
            asked += reversed(left)
            break
        if not word.startswith("-") or word == "-":
            asked.append(word)
        elif not _take(word, left, given):
            return None
    if not asked:
        return None
    return given | {"words": [decode(encode(word)) for word in asked]}


def _take(word: str, left: list[str], given: dict[str, Any]) -> bool:
    """Take an option, and its value from ``left``; whether that could be done."""
    spelling, equals, value = word.partition("=")
    if spelling not in OPTIONS or (equals and not spelling.startswith("--")):
        return False
    name, kind = OPTIONS[spelling]
    if kind == FLAG:
        given[name] = True
        return not equals
    if not equals:
        value = left.pop() if left else ""
    if not value or value.startswith("-") or (name in given and kind != SEVERAL):
        return False
    return _keep(value, name, kind, given)


def _keep(value: str, name: str, kind: str, given: dict[str, Any]) -> bool:
    """Keep a value that typer would take as it is; whether it is one."""
    if kind == FOLDER:
        given[name] = Path(value)
    elif kind == SEVERAL:
        given[name] = (*given.get(name, ()), decode(encode(value)))
    elif kind == NUMBER:
        if not (value.isascii() and value.isdigit() and len(value) < 10):
            return False
        given[name] = int(value)
    elif kind == MODE and value not in MODES:
        return False
    else:
        given[name] = decode(encode(value))
    return True
