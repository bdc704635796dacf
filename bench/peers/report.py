"""What ``python -m bench peers`` finds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bench.intervals import Interval
from hippocampus_cli.benchmark.metrics import METRICS

TOLD = ("files_at_1", "files_at_5", "files_at_10", "any_at_5", "cov_1000")
"""The keys of ``metrics.METRICS`` that every tool can be measured by."""
HEADS = {key: METRICS[key] for key in TOLD}


class Row(NamedTuple):
    """One tool in one way of asking it.

    ``version`` is None where it is not installed, ``problem`` says why there are no figures (else it is
    empty), ``install`` is the command that installs it. ``figures`` have the keys :data:`TOLD`; ``tokens``
    (characters / 4) are those of the first five results. ``index_s`` is the time to index all folders,
    ``cold_ms`` a question as a process of its own, ``warm_ms`` one to a process that runs already, None where
    the tool has no such way.
    """

    peer: str
    name: str
    version: str | None
    install: str
    problem: str
    figures: Mapping[str, Interval]
    tokens: float | None
    index_s: float | None
    cold_ms: float | None
    warm_ms: float | None


class Report(NamedTuple):
    """``embeddings`` tells whether there was a server for tools that need one; ``import_typer_ms`` is a bare
    process of Python beside the cold ones."""

    folders: int
    files: int
    questions: int
    embeddings: bool
    import_typer_ms: float
    rows: tuple[Row, ...]
