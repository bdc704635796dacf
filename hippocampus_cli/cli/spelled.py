"""Words of a command line, understood without typer.

Only what typer would take the same way is understood here. For anything else (help, an unknown option, a value
that does not fit) :func:`understood` gives ``None``, and typer has the words from the start, and the last one
about them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hippocampus_cli.markdown.lines import decode, encode

MODES = ("index", "search", "hybrid")
FLAG, TEXT, SEVERAL, NUMBER, MODE, FOLDER = "flag", "text", "several", "number", "mode", "folder"
Options = Mapping[str, tuple[str, str]]
"""The parameter and the kind of value behind each spelling of a command's options."""


def understood(words: Sequence[str], options: Options, *, wordy: bool) -> dict[str, Any] | None:
    """The parameters of a command that are given, ``None`` if typer is to decide.

    ``wordy`` says that the command takes words, one at least: they are ``words`` among the parameters.
    """
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
        elif not _take(word, left, given, options):
            return None
    if bool(asked) != wordy:
        return None
    return given | {"words": [decode(encode(word)) for word in asked]} if wordy else given


def _take(word: str, left: list[str], given: dict[str, Any], options: Options) -> bool:
    """Take an option, and its value from ``left``; whether that could be done."""
    spelling, equals, value = word.partition("=")
    if spelling not in options or (equals and not spelling.startswith("--")):
        return False
    name, kind = options[spelling]
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
