"""Methods that answer a question with places of the notes, in order, and their scores."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from statistics import median

from bench.methods import bm25
from bench.questions import Place, Question, answered, touches
from hippocampus_cli.api import QueryResult, Workspace
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.workspace.note import Note

MOST = 5
ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a method gave: places, best first, the tokens of all returned text, and whether it was sure."""

    places: tuple[Place, ...]
    tokens: int
    found: bool = True


Method = Callable[[str], Retrieved]


def full_scan(notes: list[Note]) -> Method:
    """Everything is read."""
    places = tuple(Place(note.path, 1, len(note.lines)) for note in notes)
    cost = sum(tokens(note.text) for note in notes)
    return lambda _: Retrieved(places, cost)


def grep(notes: list[Note]) -> Method:
    """The specification's baseline: files by occurrences of the query's words, the first five read whole."""
    lowered = [(note, note.text.lower()) for note in notes]

    def ask(text: str) -> Retrieved:
        words = re.findall(r"\w+", text.lower())
        counts = [(sum(body.count(word) for word in words), note) for note, body in lowered]
        best = sorted((row for row in counts if row[0]), key=lambda row: (-row[0], row[1].path))[
            :MOST
        ]
        places = tuple(Place(note.path, 1, len(note.lines)) for _, note in best)
        return Retrieved(places, sum(tokens(note.text) for _, note in best), bool(best))

    return ask


def bm25_sections(notes: Sequence[Note]) -> Method:
    """Whole sections in the order of SQLite's BM25."""
    places = [Place(note.path, one.start, one.end) for note in notes for one in note.sections]
    lines = {note.path: [line.rstrip("\r\n") for line in note.lines] for note in notes}
    texts = ["".join(f"{line}\n" for line in lines[path][a - 1 : b]) for path, a, b in places]
    best = bm25(texts)

    def ask(question: str) -> Retrieved:
        rows = best(question)[:MOST]
        cost = sum(tokens(texts[row]) for row in rows)
        return Retrieved(tuple(places[row] for row in rows), cost, bool(rows))

    return ask


def hippo(workspace: Workspace, mode: str, now: datetime) -> Method:
    """``hippo query`` in one mode, without writing back."""

    def ask(text: str) -> Retrieved:
        return given(workspace.at(now).query(text, mode=mode, write=False, limit=MOST))

    return ask


def given(result: QueryResult) -> Retrieved:
    """What a query gave."""
    places = tuple(Place(one.path, one.start_line, one.end_line) for one in result.results)
    return Retrieved(places, result.tokens, bool(places))


def notes_of(workspace: Workspace) -> list[Note]:
    """Every note of a workspace, read."""
    workspace.library.refresh()
    return [
        workspace.library.note(file.path)
        for file in workspace.library.found.files
        if _is_text(workspace, file.path)
    ]


def _is_text(workspace: Workspace, path: str) -> bool:
    return (
        bool(workspace.library.store.sections_of(path)) and (Path(workspace.root) / path).is_file()
    )


@dataclass(frozen=True, slots=True)
class Score:
    """Shares from 0 to 1 over ``count`` questions that have an answer; ``tokens`` and ``ms`` a question.

    ``hit1``: the first place is a right one. ``hit5``: the first five answer the question (all right places
    for kind ``multi``). ``refused``: the share of questions without an answer that got none.
    """

    hit1: float
    hit5: float
    tokens: float
    ms: float
    refused: float
    count: int
    by_kind: Mapping[str, tuple[float, float, int]] = field(default_factory=dict)


def score(method: Method, questions: Sequence[Question], *, everything: bool = False) -> Score:
    """Ask every question. ``everything``: the method returns all notes, so places have no order."""
    rows: dict[str, list[tuple[bool, bool]]] = {}
    refused: list[bool] = []
    cost, times = 0, []
    for question in questions:
        started = time.perf_counter()
        given = method(question.text)
        times.append((time.perf_counter() - started) * 1000)
        cost += given.tokens
        if question.kind == ABSENT:
            refused.append(not given.found)
            continue
        first = given.places if everything else given.places[:1]
        five = given.places if everything else given.places[:MOST]
        rows.setdefault(question.kind, []).append(
            (touches(question, first), answered(question, five))
        )
    flat = [row for kind in rows.values() for row in kind]
    return Score(
        hit1=_share(row[0] for row in flat),
        hit5=_share(row[1] for row in flat),
        tokens=cost / max(1, len(questions)),
        ms=median(times) if times else 0.0,
        refused=_share(refused),
        count=len(flat),
        by_kind={
            kind: (_share(row[0] for row in found), _share(row[1] for row in found), len(found))
            for kind, found in rows.items()
        },
    )


def _share(values: Iterable[bool]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0
