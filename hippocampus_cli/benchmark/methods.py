"""The ways of answering that are compared: each gives, for a question, places in order and their tokens."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from hippocampus_cli.api import QueryResult, Workspace
from hippocampus_cli.benchmark.questions import Returned
from hippocampus_cli.index.budget import tokens
from hippocampus_cli.workspace.note import Note

MOST = 5


@dataclass(frozen=True, slots=True)
class Given:
    """What a method gave: places, best first, the tokens of all returned text, and whether it was sure."""

    places: tuple[Returned, ...]
    tokens: int
    found: bool = True


Method = Callable[[str], Given]


def full_scan(notes: list[Note]) -> Method:
    """Everything is read."""
    places = tuple(Returned(note.path, 1, len(note.lines)) for note in notes)
    cost = sum(tokens(note.text) for note in notes)
    return lambda _: Given(places, cost)


def grep(notes: list[Note]) -> Method:
    """The specification's baseline: files by occurrences of the query's words, the first five read whole."""
    lowered = [(note, note.text.lower()) for note in notes]

    def ask(text: str) -> Given:
        words = re.findall(r"\w+", text.lower())
        counts = [(sum(body.count(word) for word in words), note) for note, body in lowered]
        best = sorted((row for row in counts if row[0]), key=lambda row: (-row[0], row[1].path))[
            :MOST
        ]
        places = tuple(Returned(note.path, 1, len(note.lines)) for _, note in best)
        return Given(places, sum(tokens(note.text) for _, note in best), bool(best))

    return ask


def hippo(workspace: Workspace, mode: str, now: datetime) -> Method:
    """``hippo query`` in one mode, without writing back."""

    def ask(text: str) -> Given:
        return given(workspace.query(text, mode=mode, write=False, now=now, limit=MOST))

    return ask


def given(result: QueryResult) -> Given:
    """What a query gave."""
    places = tuple(Returned(one.path, one.start_line, one.end_line) for one in result.results)
    return Given(places, result.tokens, bool(places))


def notes_of(workspace: Workspace) -> list[Note]:
    """Every note of a workspace, read."""
    workspace.library.refresh()
    return [
        workspace.library.note(path)
        for path in workspace.library.cache.paths()
        if _is_text(workspace, path)
    ]


def _is_text(workspace: Workspace, path: str) -> bool:
    return (
        bool(workspace.library.cache.sections_of(path)) and (Path(workspace.root) / path).is_file()
    )
