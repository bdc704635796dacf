"""The ways of answering that are compared: each gives, for a question, places in order and their tokens."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from hippocampus_cli.api import QueryResult, Workspace
from hippocampus_cli.benchmark.questions import Place
from hippocampus_cli.index.budget import tokens
from hippocampus_cli.text.stop_words import STOP_WORDS
from hippocampus_cli.workspace.note import Note

MOST = 5
_ROWS = 200  # that BM25 gives: enough for ten files, whatever their size


@dataclass(frozen=True, slots=True)
class Given:
    """What a method gave: places, best first, the tokens of all returned text, and whether it was sure."""

    places: tuple[Place, ...]
    tokens: int
    found: bool = True


Method = Callable[[str], Given]


def full_scan(notes: list[Note]) -> Method:
    """Everything is read."""
    places = tuple(Place(note.path, 1, len(note.lines)) for note in notes)
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
        places = tuple(Place(note.path, 1, len(note.lines)) for _, note in best)
        return Given(places, sum(tokens(note.text) for _, note in best), bool(best))

    return ask


def bm25(texts: Sequence[str]) -> Callable[[str], list[int]]:
    """The numbers of the texts that fit a question, best first, in the order of SQLite's FTS5 with its stemmer."""
    table = sqlite3.connect(":memory:")
    table.execute("CREATE VIRTUAL TABLE place USING fts5(text, tokenize = 'porter unicode61')")
    table.executemany(
        "INSERT INTO place (rowid, text) VALUES (?, ?)", enumerate(map(_storable, texts))
    )
    wanted = f"SELECT rowid FROM place WHERE place MATCH ? ORDER BY rank LIMIT {_ROWS}"

    def best(question: str) -> list[int]:
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(words(question)))
        return [row for (row,) in table.execute(wanted, (_storable(match),))] if match else []

    return best


def words(question: str) -> list[str]:
    """The words that a person would look for: "is" and "the" stand everywhere, and would drown the others."""
    found = re.findall(r"\w+", question.lower())
    return [word for word in found if word not in STOP_WORDS] or found


def _storable(text: str) -> str:
    """Bytes that are no UTF-8 stand in a note's text as surrogates, which SQLite refuses."""
    return text.encode("utf-8", "replace").decode("utf-8")


def bm25_sections(notes: Sequence[Note]) -> Method:
    """Whole sections in the order of SQLite's BM25."""
    places = [Place(note.path, one.start, one.end) for note in notes for one in note.sections]
    lines = {note.path: [line.rstrip("\r\n") for line in note.lines] for note in notes}
    texts = ["".join(f"{line}\n" for line in lines[path][a - 1 : b]) for path, a, b in places]
    best = bm25(texts)

    def ask(question: str) -> Given:
        rows = best(question)[:MOST]
        cost = sum(tokens(texts[row]) for row in rows)
        return Given(tuple(places[row] for row in rows), cost, bool(rows))

    return ask


def hippo(workspace: Workspace, mode: str, now: datetime) -> Method:
    """``hippo query`` in one mode, without writing back."""

    def ask(text: str) -> Given:
        return given(workspace.query(text, mode=mode, write=False, now=now, limit=MOST))

    return ask


def given(result: QueryResult) -> Given:
    """What a query gave."""
    places = tuple(Place(one.path, one.start_line, one.end_line) for one in result.results)
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
