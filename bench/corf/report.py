"""What ``python -m bench corf`` finds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bench.intervals import Interval


class Row(NamedTuple):
    """One method, over the questions that have an answer but where it says otherwise.

    ``recall`` and each of ``by_kind`` have the report's ``at`` as keys: the share of questions with an answer
    among the first K chunks. ``iir``: the share of the chunks returned that are of no file that answers;
    ``iir_absent``: of the questions without an answer, those that got any chunk, ``None`` where there is none.
    ``scr``: the share of the files that answer among those returned. Both of the first K chunks, for the largest
    K. ``recall_updated``: recall at that K over what came after the build, ``None`` where nothing did. ``p50_ms``
    and ``p95_ms`` are single questions in a process that has answered before; ``returned`` chunks a question.
    """

    method: str
    name: str
    recall: Mapping[int, Interval]
    by_kind: Mapping[str, Mapping[int, float]]
    recall_updated: float | None
    iir: float
    iir_absent: float | None
    scr: float
    returned: float
    p50_ms: float
    p95_ms: float


class Report(NamedTuple):
    """``kinds`` are the questions asked by kind, ``updated`` those whose answer came after the build; ``files``,
    ``chunks`` and ``anchors`` are those of the index, with what was made up to fill it."""

    dataset: str
    questions: int
    kinds: Mapping[str, int]
    updated: int
    at: tuple[int, ...]
    files: int
    chunks: int
    anchors: int
    made_up: int
    embedder: str
    rows: tuple[Row, ...]
