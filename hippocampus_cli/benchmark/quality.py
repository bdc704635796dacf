"""How often a method answers, and at what price in tokens."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from hippocampus_cli.benchmark.methods import MOST, Method
from hippocampus_cli.benchmark.questions import Question, answered, touches

ABSENT = "absent"


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


def measure(method: Method, questions: Sequence[Question], *, everything: bool = False) -> Score:
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
