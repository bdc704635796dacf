"""What a reader that can only copy answers right: with no memory, with notes searched, with what is held beside them.

The reader copies the one line that has most of the question's rare words, from what it is given. It is right where
that line holds the answer, stale where it holds a value that was overruled. No model is asked.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.corpora import CORPORA
from bench.dataset import Case, Folder, plainly
from bench.metrics import Line
from hippocampus_cli.api.workspace import Workspace, open_workspace
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.text.terms import telling_words, terms_of

BUDGET = 1000
WAYS = ("no memory", "notes", "notes and beliefs")


class _Given(NamedTuple):
    """A line that the reader may copy, and where it stands in the notes."""

    text: str
    lines: frozenset[Line]


def measured(data: Path, limit: int) -> Iterator[tuple[str, float]]:
    """A row a corpus, way and figure; ``limit`` questions of each folder at most."""
    for name in ("locomo", "beam", "factconsolidation"):
        dataset = CORPORA[name].read(data)
        if dataset is None:
            continue
        rows = [row for folder in dataset.folders for row in _asked(folder, limit)]
        for way in WAYS:
            mine = [row for row in rows if row[0] == way]
            yield f"{name}, {way}: right", sum(row[1] for row in mine) / len(mine)
            if old := [row[2] for row in mine if row[2] is not None]:
                yield f"{name}, {way}: stale", sum(old) / len(old)
            yield f"{name}, {way}: tokens", sum(row[3] for row in mine) / len(mine)


def _asked(folder: Folder, limit: int) -> Iterator[tuple[str, float, float | None, int]]:
    """What each question comes to, each way: right, stale (None where nothing was overruled), tokens."""
    cases = [one for one in folder.cases if one.right or one.gold]
    step = max(1, -(-len(cases) // limit))
    with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
        root = folder.write(Path(scratch) / "notes")
        with open_workspace(root) as workspace:
            workspace.at(folder.now).bootstrap()
            workspace.at(folder.now).mind.encode()
            for case in cases[::step]:
                notes = list(_notes(workspace, folder, case))
                held = list(_held(workspace, folder, case))
                for way, given in zip(WAYS, ([], notes, [*held, *notes]), strict=True):
                    given = _within(given)
                    copied = _copied(case.text, given)
                    right = _is_right(copied, case)
                    stale = float(_is_stale(copied, case)) if case.stale else None
                    yield way, float(right), stale, sum(tokens(one.text) for one in given)


def _notes(workspace: Workspace, folder: Folder, case: Case) -> Iterator[_Given]:
    found = workspace.at(folder.now).query(case.text, limit=10, tokens=BUDGET, write=False)
    for one in found.results:
        lines = folder.corpus.files[one.path]
        for number in range(one.start_line, one.end_line + 1):
            text = lines[number - 1].strip()
            if text and text in one.text:
                yield _Given(text, frozenset(((one.path, number),)))


def _held(workspace: Workspace, folder: Folder, case: Case) -> Iterator[_Given]:
    """The first three beliefs about it, as an answer shows them, where they were said."""
    for one in workspace.at(folder.now).mind.beliefs(case.text)[:3]:
        _, evidence = workspace.mind.why(one.belief.id)
        places = _said(evidence[-1].place, one.belief.statement, folder)
        yield _Given(one.belief.statement, frozenset(places))


def _said(place: str, statement: str, folder: Folder) -> Iterator[Line]:
    """The lines of ``file:first-last`` that say it."""
    path, _, between = place.rpartition(":")
    first, _, last = between.partition("-")
    wanted = plainly(statement)
    for number in range(int(first), int(last or first) + 1):
        if wanted in plainly(folder.corpus.files[path][number - 1]):
            yield path, number


def _within(given: Sequence[_Given]) -> list[_Given]:
    """What fits into the budget."""
    kept: list[_Given] = []
    left = BUDGET
    for one in given:
        left -= tokens(one.text)
        if left >= 0:
            kept.append(one)
    return kept


def _copied(question: str, given: Sequence[_Given]) -> _Given | None:
    """The line with most of the question's words, rare ones counting more; the first of equals."""
    asked = _terms(question)
    words = [_terms(one.text) for one in given]
    worth = {
        stem: math.log(1 + len(given) / (0.5 + sum(stem in held for held in words)))
        for stem in asked
    }
    scores = [sum(worth[stem] for stem in asked & held) for held in words]
    best = max(scores, default=0.0)
    return given[scores.index(best)] if best else None


def _terms(text: str) -> frozenset[str]:
    return frozenset(term for word in telling_words(text) for term in terms_of(word))


def _is_right(copied: _Given | None, case: Case) -> bool:
    if copied is None:
        return False
    if case.gold:
        return any(plainly(one.text) in plainly(copied.text) for one in case.gold)
    return bool(copied.lines & case.lines)


def _is_stale(copied: _Given | None, case: Case) -> bool:
    return copied is not None and any(
        plainly(one.text) in plainly(copied.text) for one in case.stale
    )
