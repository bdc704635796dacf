"""Every conversation is laid out as a workspace, and every method is asked every question."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.intervals import intervals, quantile
from bench.locomo.choosing import choose
from bench.locomo.conversation import CATEGORIES, Conversation, Question
from bench.locomo.laying_out import LaidOut, lay_out
from bench.locomo.report import Report, Row
from bench.rankings import TOKENS, Desk, Ranking, by_anchors
from hippocampus_cli.api import Workspace
from hippocampus_cli.benchmark.corpus import Line
from hippocampus_cli.benchmark.metrics import METRICS, figures
from hippocampus_cli.config import Config

if TYPE_CHECKING:
    from hippocampus_cli.embedding.opener import Opener

Progress = Callable[[int, int], object]


class Asked(NamedTuple):
    """One question put to one method; ``ms`` is how long the answer took."""

    category: str
    figures: tuple[float, ...]
    ms: float
    tokens: int


def run(
    conversations: Sequence[Conversation],
    methods: Sequence[Ranking],
    config: Config,
    *,
    limit: int | None = None,
    tokens: int = TOKENS,
    progress: Progress = lambda done, total: None,
    opener: Opener | None = None,
) -> Report:
    """Ask in scratch folders, which are gone afterwards; ``limit`` questions at most, spread evenly.

    ``tokens`` is the budget of each of hippo's answers; ``opener`` opens the embedder of ``config`` for methods that
    want one.
    """
    chosen = choose(conversations, limit)
    found: dict[str, list[Asked]] = {method.key: [] for method in methods}
    laid_out = []
    total = sum(map(len, chosen.questions)) * len(methods)
    with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
        for at, conversation in enumerate(conversations):
            root = Path(scratch) / str(at)
            laid_out.append(lay_out(conversation, root))
            asked = _ask(root, config, tokens, laid_out[-1], methods, chosen.questions[at], opener)
            for done, (method, one) in enumerate(asked, sum(map(len, found.values())) + 1):
                found[method.key].append(one)
                progress(done, total)
    counts = Counter(CATEGORIES[one.category] for each in chosen.questions for one in each)
    return Report(
        conversations=tuple(one.id for one in conversations),
        files=sum(len(laid.corpus.files) for laid in laid_out),
        turns=sum(len(laid.places) for laid in laid_out),
        questions=counts.total(),
        categories={name: counts[name] for name in CATEGORIES.values() if counts[name]},
        skipped=chosen.skipped,
        rows=tuple(_row(method, found[method.key]) for method in methods),
    )


def _ask(
    root: Path,
    config: Config,
    tokens: int,
    laid: LaidOut,
    methods: Sequence[Ranking],
    questions: Sequence[Question],
    opener: Opener | None,
) -> Iterator[tuple[Ranking, Asked]]:
    """Every method's answers to the questions of one conversation."""
    if not questions:
        return
    with Workspace(root, by_anchors(config, False)) as workspace, ExitStack() as until_done:
        workspace.bootstrap(now=laid.now)
        desk = Desk(laid.corpus, workspace, laid.now, tokens, opener, until_done)
        for method in methods:
            ask = method.make(desk)
            ask(questions[0].text)  # so that caches are built, and warm
            for question in questions:
                started = time.perf_counter()
                ranked = ask(question.text)
                ms = (time.perf_counter() - started) * 1000
                gold = _gold(question, laid.places)
                values = figures(ranked, gold, laid.corpus)
                yield method, Asked(CATEGORIES[question.category], values, ms, ranked.tokens)


def _gold(question: Question, places: Mapping[str, Line]) -> frozenset[Line]:
    return frozenset(places[one] for one in question.evidence)


def _row(method: Ranking, asked: Sequence[Asked]) -> Row:
    columns = list(zip(*(one.figures for one in asked), strict=True)) or [()] * len(METRICS)
    times = sorted(one.ms for one in asked)
    kinds: dict[str, list[tuple[float, ...]]] = {}
    for one in asked:
        kinds.setdefault(one.category, []).append(one.figures)
    return Row(
        method=method.key,
        name=method.name,
        figures=dict(zip(METRICS, intervals(columns), strict=True)),
        by_category={kind: _means(kinds[kind]) for kind in CATEGORIES.values() if kind in kinds},
        p50_ms=quantile(times, 0.5),
        p95_ms=quantile(times, 0.95),
        tokens=sum(one.tokens for one in asked) / max(1, len(asked)),
    )


def _means(rows: Sequence[tuple[float, ...]]) -> dict[str, float]:
    columns = zip(*rows, strict=True)
    return {name: sum(c) / len(rows) for name, c in zip(METRICS, columns, strict=True)}
