"""What ``hippo bench workspace`` finds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Kind(NamedTuple):
    """Shares of the questions of one kind, 0 to 1, and how many there are."""

    hit1: float
    hit5: float
    questions: int


class Row(NamedTuple):
    """One method. ``hit1``, ``hit5``: the share of questions that the first place, or the first five, answer;
    ``refused``: the share of those without an answer that got none, where there are such. ``warm_ms`` is a
    question in a process that has answered before, ``cold_ms`` a whole process; ``cost`` is what the tokens of
    a month's questions cost."""

    method: str
    name: str
    tokens: float
    cold_ms: float | None
    warm_ms: float
    hit1: float
    hit5: float
    refused: float | None
    cost: float
    by_kind: Mapping[str, Kind]


class Report(NamedTuple):
    """``note_tokens`` are those of all notes; ``price`` is for a million tokens; ``processes`` are whole
    processes in milliseconds; ``warning`` says what the questions cannot show."""

    workspace: str
    notes: int
    note_tokens: int
    questions: int
    derived: bool
    price: float
    questions_a_month: int
    rows: tuple[Row, ...]
    processes: Mapping[str, float]
    warning: str
