"""A copy of the workspace is built and asked every question in every way (ANCHOR, ``benchmark.py``)."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from bench.corf.dataset import KINDS, Dataset, Query
from bench.corf.measures import Answer, row
from bench.corf.methods import ABLATIONS, Method, beside, lookups
from bench.corf.reading import check_gold
from bench.corf.report import Report
from bench.corf.staging import Progress, stage
from hippocampus_cli.api import Workspace
from hippocampus_cli.benchmark.copying import copy_workspace
from hippocampus_cli.config import Config
from hippocampus_cli.errors import UsageError

AT = (5, 20)


class Plan(NamedTuple):
    """What is measured: ``ablations`` (none: all that can be), the Ks of ``at``, ascending, and how many
    ``chunks`` the index is filled up to (0: as it is)."""

    ablations: tuple[str, ...] = ()
    at: tuple[int, ...] = AT
    chunks: int = 0


def run(
    dataset: Dataset,
    root: Path,
    config: Config,
    now: datetime,
    plan: Plan,
    progress: Progress = lambda done, total: None,
) -> Report:
    """Measure a copy of the workspace ``root``, which is gone afterwards; ``root`` is only read.

    Raises :class:`DatasetInvalid`, :class:`FileUnreadable`, :class:`UsageError` for an ablation without questions.
    """
    check_gold(dataset, root)
    ablations = _ablations(dataset, plan.ablations)
    most = max(plan.at[-1], config.anchors.max_chunks)
    config = config.replaced(anchors=config.anchors._replace(max_chunks=most))
    with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
        copy = Path(scratch) / "workspace"
        copy_workspace(root, config, copy)
        with Workspace(copy, config) as workspace:
            made_up = stage(workspace, dataset.queries, plan.chunks, now, progress)
            methods = lookups(workspace.anchors.index(), ablations)
            methods += beside(workspace, plan.at[-1], now)
            rows = []
            for done, method in enumerate(methods, 1):
                rows.append(
                    row(method.key, method.name, _answers(method, dataset.queries), plan.at)
                )
                progress(done, len(methods))
            standing = workspace.anchors_status()
    counts = Counter(one.kind for one in dataset.queries)
    return Report(
        dataset=dataset.file.name,
        questions=len(dataset.queries),
        kinds={kind: counts[kind] for kind in KINDS if counts[kind]},
        updated=sum(one.updated_after_build for one in dataset.queries),
        at=plan.at,
        files=standing.files,
        chunks=standing.chunks,
        anchors=standing.anchors,
        made_up=made_up,
        embedder=standing.facts.embedder,
        rows=tuple(rows),
    )


def _ablations(dataset: Dataset, wanted: Sequence[str]) -> tuple[str, ...]:
    """Those that were asked for, else all that the questions can show."""
    shows = any(one.updated_after_build for one in dataset.queries)
    if "nightly-only" in wanted and not shows:
        raise UsageError(
            reason="nightly-only needs questions whose answer came after the build",
            advice="mark some in the data set with updated_after_build, or leave it out",
        )
    return tuple(
        one
        for one in ABLATIONS
        if one in wanted or (not wanted and (shows or one != "nightly-only"))
    )


def _answers(method: Method, queries: Sequence[Query]) -> list[Answer]:
    method.ask(queries[0])  # so that caches are built, and warm
    found = []
    for query in queries:
        started = time.perf_counter()
        shown = method.ask(query)
        found.append(Answer(query, shown, (time.perf_counter() - started) * 1000))
    return found
