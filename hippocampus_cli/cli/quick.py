"""Commands that somebody waits for, without typer, whose import alone would take as long as the answer.

A test holds the table below against typer's own parameters, another both parsers against each other.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hippocampus_cli.cli.boundary import guarded
from hippocampus_cli.cli.context import Session
from hippocampus_cli.cli.render.output import open_output
from hippocampus_cli.cli.spelled import (
    FLAG,
    FOLDER,
    MODE,
    NUMBER,
    SEVERAL,
    TEXT,
    Options,
    understood,
)
from hippocampus_cli.cli.surroundings import present
from hippocampus_cli.light import NamedTuple

# Made before Python looks for cycles, of which a query makes none; looking takes a twentieth of its time.
_MANY_OBJECTS = 100_000


class Line(NamedTuple):
    """A command: its options, whether it takes words, one at least, and what does the work once both are known."""

    options: Options
    wordy: bool
    work: Callable[..., int | None]


def _ask(*given: Any, **options: Any) -> int:
    from hippocampus_cli.cli import asking

    return asking.ask(*given, **options)


def _look(*given: Any, **options: Any) -> int:
    from hippocampus_cli.cli import looking

    return looking.look(*given, **options)


def _take_stock(session: Session) -> None:
    from hippocampus_cli.cli import standing

    standing.take_stock(session)


_SHARED = {
    "--workspace": ("workspace", FOLDER),
    "-w": ("workspace", FOLDER),
    "--json": ("as_json", FLAG),
}
_QUERY = {
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
    "--fence": ("fence", FLAG),
}
_LOOKUP = {
    "--project": ("project", TEXT),
    "--limit": ("limit", NUMBER),
    "-n": ("limit", NUMBER),
}
LINES: Mapping[tuple[str, ...], Line] = {
    ("query",): Line({**_QUERY, **_SHARED}, True, _ask),
    ("anchors", "lookup"): Line({**_LOOKUP, **_SHARED}, True, _look),
    ("status",): Line(_SHARED, False, _take_stock),
}
"""The commands that are understood here."""


def run(args: Sequence[str], environ: Mapping[str, str] = os.environ) -> int | None:
    """Do what ``args``, the words behind ``hippo``, say: the exit code, ``None`` if they are for typer."""
    name = next((one for one in LINES if tuple(args[: len(one)]) == one), None)
    if name is None:
        return None
    line = LINES[name]
    given = understood(args[len(name) :], line.options, wordy=line.wordy)
    if given is None:
        return None
    words = [given.pop("words")] if line.wordy else []
    workspace, as_json = given.pop("workspace", None), given.pop("as_json", False)
    output = open_output(environ, as_json=as_json)

    def work() -> int | None:
        return line.work(Session(output, environ, present(environ), workspace), *words, **given)

    before = gc.get_threshold()
    gc.set_threshold(_MANY_OBJECTS, *before[1:])
    try:
        return guarded(work, args, output)
    finally:
        gc.set_threshold(*before)
