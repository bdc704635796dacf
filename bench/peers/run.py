"""Every tool indexes the same notes and is asked the same questions; then each is timed as a process, in turn."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import inf
from pathlib import Path
from typing import NamedTuple

from bench.intervals import intervals, quantile
from bench.peers.cases import Case, Folder
from bench.peers.contest import Contestant, hippo, other
from bench.peers.peer import Peer, PeerFailed
from bench.peers.report import TOLD, Report, Row
from hippocampus_cli.benchmark.metrics import METRICS, Ranked, figures
from hippocampus_cli.benchmark.processes import medians, timed
from hippocampus_cli.config import Config
from hippocampus_cli.markdown.safe import safe_line

Progress = Callable[[int, int], object]
_TYPER = "import typer"
_LONGEST = 100  # characters of what a tool says went wrong
_AT = [list(METRICS).index(key) for key in TOLD]


class Plan(NamedTuple):
    """``embeddings`` is the address of a server on this machine; ``rounds`` are processes of each command."""

    embeddings: str | None = None
    rounds: int = 3


class _Asked(NamedTuple):
    figures: tuple[float, ...]
    tokens: int
    ms: float


class _Measured(NamedTuple):
    """What a contestant did; ``cold`` times its first question as a process, where there were figures."""

    asked: tuple[_Asked, ...] = ()
    index_s: float = 0.0
    warm: bool = False
    cold: Callable[[], float] | None = None
    problem: str = ""


def run(
    source: Callable[[Path], Sequence[Folder]],
    peers: Sequence[Peer],
    config: Config,
    plan: Plan,
    progress: Progress = lambda done, total: None,
) -> Report:
    """Work in a scratch folder, which is gone afterwards; ``source`` is given one to write its notes into.

    Raises what ``source`` raises. What a tool fails at stands in its row.
    """
    with tempfile.TemporaryDirectory(prefix="hippo-bench-", ignore_cleanup_errors=True) as scratch:
        notes = Path(scratch) / "source"
        notes.mkdir()
        return _run(source(notes), peers, config, Path(scratch), plan, progress)


def _run(
    folders: Sequence[Folder],
    peers: Sequence[Peer],
    config: Config,
    scratch: Path,
    plan: Plan,
    progress: Progress,
) -> Report:
    versions = scratch / "version"
    others = [other(peer, plan.embeddings, versions / peer.key) for peer in peers]
    contestants = [*others, *hippo(config)]
    questions = sum(len(folder.cases) for folder in folders)
    measured: dict[str, _Measured] = {}
    for at, one in enumerate(contestants):
        told = partial(_told, progress, at * questions, len(contestants) * questions)
        measured[one.key] = _measured(one, folders, scratch / one.key, told)
        told(questions)
    cold = _cold(measured, plan.rounds)
    return Report(
        folders=len(folders),
        files=sum(len(folder.corpus.files) for folder in folders),
        questions=questions,
        embeddings=plan.embeddings is not None,
        import_typer_ms=cold[_TYPER],
        rows=tuple(_row(one, measured[one.key], cold.get(one.key)) for one in contestants),
    )


def _told(progress: Progress, before: int, total: int, done: int) -> None:
    progress(before + done, total)


def _measured(
    one: Contestant, folders: Sequence[Folder], scratch: Path, told: Callable[[int], None]
) -> _Measured:
    """All questions put to a contestant, or what it stumbled over."""
    if one.version is None:
        return _Measured(problem="not installed")
    asked: list[_Asked] = []
    measured = _Measured()
    try:
        for at, folder in enumerate(folders):
            begun = time.perf_counter()
            with one.open(folder, scratch / str(at)) as opened:
                opened.ask(folder.cases[0].text)  # so that caches are built, and warm
                index_s = measured.index_s + time.perf_counter() - begun
                for answer in _asked(opened.ask, folder):
                    asked.append(answer)
                    told(len(asked))
            first = measured.cold or partial(opened.cold, folder.cases[0].text)
            measured = _Measured(tuple(asked), index_s, opened.warm, first)
    except PeerFailed as error:
        return _Measured(problem=safe_line(str(error))[:_LONGEST])
    return measured


def _asked(ask: Callable[[str], Ranked], folder: Folder) -> Iterator[_Asked]:
    for case in folder.cases:
        begun = time.perf_counter()
        ranked = ask(case.text)
        ms = (time.perf_counter() - begun) * 1000
        yield _Asked(_figures(ranked, case, folder), ranked.tokens, ms)


def _figures(ranked: Ranked, case: Case, folder: Folder) -> tuple[float, ...]:
    """The best that any of the right places gives, figure by figure, for each of them answers."""
    known = ranked._replace(
        shown=tuple(
            span._replace(end=min(span.end, len(folder.corpus.files[span.path])))
            for span in ranked.shown
            if span.path in folder.corpus.files
        )
    )
    each = [figures(known, right, folder.corpus) for right in case.right]
    return tuple(max(values[at] for values in each) for at in _AT)


def _cold(measured: Mapping[str, _Measured], rounds: int) -> dict[str, float]:
    """The milliseconds of whole processes, in turn; without those that did not come to an end."""
    timings: dict[str, Callable[[], float]] = {_TYPER: lambda: timed(("-c", _TYPER))}
    timings |= {key: partial(_or_never, one.cold) for key, one in measured.items() if one.cold}
    return {key: ms for key, ms in medians(timings, rounds).items() if ms < inf}


def _or_never(timing: Callable[[], float]) -> float:
    try:
        return timing()
    except PeerFailed:
        return inf


def _row(one: Contestant, measured: _Measured, cold_ms: float | None) -> Row:
    asked = measured.asked
    values = intervals(list(zip(*(answer.figures for answer in asked), strict=True)))
    times = sorted(answer.ms for answer in asked)
    return Row(
        peer=one.key,
        name=one.name,
        version=one.version,
        install=one.install,
        problem=measured.problem,
        figures=dict(zip(TOLD, values, strict=False)),
        tokens=sum(answer.tokens for answer in asked) / len(asked) if asked else None,
        index_s=measured.index_s if asked else None,
        cold_ms=cold_ms,
        warm_ms=quantile(times, 0.5) if asked and measured.warm else None,
    )
