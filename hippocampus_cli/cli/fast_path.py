"""Commands without typer, whose import alone would take as long as the answer.

Only what typer would take the same way is understood here. For anything else (help, an unknown option, a value
that does not fit, a question to whoever sits at the terminal) typer gets the words from the start, and has the last
one about them. A test holds both parsers against each other.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hippocampus_cli.cli.boundary import Boundary
from hippocampus_cli.cli.command_table import COMMANDS
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import FLAG, NUMBER, PATH, REAL, SHARED, Command, Group, Parameter
from hippocampus_cli.cli.render.output import open_output
from hippocampus_cli.cli.surroundings import present
from hippocampus_cli.fast_types import pattern
from hippocampus_cli.markdown.lines import decode, encode

_NUMBER = pattern(r"[0-9]{1,9}")
_REAL = pattern(r"[0-9]{1,9}(\.[0-9]{1,9})?")


def run(args: Sequence[str], environ: Mapping[str, str] = os.environ) -> int | None:
    """Do what ``args``, the words behind ``hippo``, say: the exit code, None if they are for typer."""
    found = understood(args)
    if found is None:
        return None
    command, given = found
    workspace, as_json = given.pop("workspace", None), given.pop("as_json", False)
    if given.get("yes") is False and sys.stdin is not None and sys.stdin.isatty():
        return None
    output = open_output(environ, as_json=as_json)
    with Boundary(args, output) as boundary:
        session = CommandContext(output, environ, present(environ), workspace)
        boundary.code = command.run(session, **given)
    return boundary.code


def understood(args: Sequence[str]) -> tuple[Command, dict[str, Any]] | None:
    """The command that ``args`` name and all that it is given; None if typer is to decide."""
    left = list(reversed(args))
    outer: dict[str, Any] = {}
    spelled = _by_spelling(SHARED)
    while left and left[-1].startswith("-"):
        if not _take(left.pop(), left, outer, spelled):
            return None
    command = _command(left)
    if command is None:
        return None
    given = parsed(left[::-1], command.parameters)
    if given is None:
        return None
    given["workspace"] = given.get("workspace") or outer.get("workspace")
    given["as_json"] = given.get("as_json", False) or outer.get("as_json", False)
    return command, given


def _command(left: list[str]) -> Command | None:
    """The command whose name ends ``left``, which is taken from it."""
    name = left.pop() if left else ""
    listed = next((one for one in COMMANDS if one.name == name), None)
    if listed is None:
        return None
    found = listed.loaded()
    if not isinstance(found, Group):
        return found if isinstance(found, Command) else None
    name = left.pop() if left else ""
    return next((one for one in found.commands if one.name == name), None)


def parsed(words: Sequence[str], parameters: Sequence[Parameter]) -> dict[str, Any] | None:
    """Every one of ``parameters`` with its value, read from ``words``; None if typer is to decide."""
    given: dict[str, Any] = {}
    placed: list[str] = []
    left = list(reversed(words))
    spelled = _by_spelling(parameters)
    while left:
        word = left.pop()
        if word == "--":
            placed += reversed(left)
            break
        if not word.startswith("-") or word == "-":
            placed.append(word)
        elif not _take(word, left, given, spelled):
            return None
    if not _place(placed, given, [one for one in parameters if not one.spellings]):
        return None
    for one in parameters:
        if one.name not in given:
            if one.required:
                return None
            given[one.name] = [] if one.several else one.default
    return given


_Spelled = dict[str, tuple[Parameter, bool]]


def _by_spelling(parameters: Sequence[Parameter]) -> _Spelled:
    """Each spelling with its option, and what a flag means by it."""
    found: _Spelled = {}
    for one in parameters:
        for spelling in one.spellings:
            yes, _, no = spelling.partition("/")
            found[yes] = one, True
            if no:
                found[no] = one, False
    return found


def _take(word: str, left: list[str], given: dict[str, Any], spelled: _Spelled) -> bool:
    """Take an option, and its value from ``left``; whether that could be done."""
    spelling, equals, value = word.partition("=")
    if spelling not in spelled or (equals and not spelling.startswith("--")):
        return False
    one, means = spelled[spelling]
    if one.kind == FLAG:
        given[one.name] = means
        return not equals
    if not equals:
        value = left.pop() if left else ""
    if not value or value.startswith("-") or (one.name in given and not one.several):
        return False
    return _keep(value, one, given)


def _place(words: Sequence[str], given: dict[str, Any], arguments: Sequence[Parameter]) -> bool:
    """Give each of ``arguments`` its words; whether there is a place for all of them."""
    rest = list(reversed(words))
    for one in arguments:
        while rest and (one.several or one.name not in given):
            if not _keep(rest.pop(), one, given):
                return False
    return not rest


def _keep(word: str, one: Parameter, given: dict[str, Any]) -> bool:
    """Keep a value that typer would take as it is; whether it is one."""
    value: Any = word
    if one.kind == PATH:
        value = Path(word)
    elif one.kind in (NUMBER, REAL):
        if not (_NUMBER if one.kind == NUMBER else _REAL).fullmatch(word):
            return False
        value = int(word) if one.kind == NUMBER else float(word)
        if (one.low is not None and value < one.low) or (one.high is not None and value > one.high):
            return False
    elif one.choices and word not in one.choices:
        return False
    else:
        value = decode(encode(word))
    given[one.name] = [*given.get(one.name, ()), value] if one.several else value
    return True
