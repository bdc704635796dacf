"""What ``make bench-context`` does, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.benchmarks.context.carrying import Carrier, Everything, Reference, Truncated
from hippocampus_cli.benchmarks.context.keeping import Lifecycle
from hippocampus_cli.benchmarks.context.kinds import Compressed, all_compressed
from hippocampus_cli.benchmarks.context.recorded import recorded_in
from hippocampus_cli.benchmarks.context.replay import Replayed, replay, together
from hippocampus_cli.benchmarks.context.sessions import SYSTEM, Session, made_up
from hippocampus_cli.benchmarks.context.speed import speeds

LIMITS = (16_000, 64_000, 180_000)
"""Tokens above which a window is compacted; the last is that of the specification (CONTEXT §1.2)."""
SESSIONS = {50: 8, 200: 2, 1_000: 1}
"""How many sessions of how many turns: as many facts to ask for at least."""

METHODS: dict[str, Callable[[int], Carrier]] = {
    "truncation": Truncated,
    "reference": Reference,
    "reference, favoured": lambda limit: Reference(limit, keep=0.5, memory=0.4),
    "hippo": Lifecycle,
}
Tell = Callable[[str], None]


class Row(NamedTuple):
    """One method at one limit; ``None`` for no limit."""

    method: str
    limit: int | None
    done: Replayed


class Group(NamedTuple):
    """Sessions of one length, or a recorded one; the first row is what it is without a lifecycle."""

    name: str
    rows: tuple[Row, ...]

    def smaller(self, row: Row) -> float:
        """How many times smaller a row's average window is than without a lifecycle."""
        return self.rows[0].done.average / row.done.average


class Report(NamedTuple):
    """All that was measured; ``speed`` is empty where time was not asked for."""

    groups: tuple[Group, ...]
    recorded: tuple[Group, ...]
    kinds: tuple[Compressed, ...]
    speed: dict[str, float]


def run(
    turns: Sequence[int],
    limits: Sequence[int],
    size: int,
    transcripts: Path | None,
    tell: Tell,
) -> Report:
    """Measure made-up sessions of ``turns``, and the recorded ones in the folder ``transcripts``."""
    groups = []
    for count in turns:
        tell(f"{count:,} turns")
        sessions = [made_up(count, size, seed) for seed in range(SESSIONS.get(count, 1))]
        groups.append(measured(f"{count:,} turns", sessions, limits))
    recorded = [
        measured(session.name, [session], limits[:1])
        for session in (recorded_in(transcripts) if transcripts else ())
    ]
    tell("kinds and speed")
    return Report(tuple(groups), tuple(recorded), tuple(all_compressed()), speeds())


def measured(name: str, sessions: Sequence[Session], limits: Sequence[int]) -> Group:
    """Every method at every limit. A limit holds for the whole window, the system prompt with it."""
    return Group(name, tuple(_rows(sessions, limits)))


def _rows(sessions: Sequence[Session], limits: Sequence[int]) -> Iterator[Row]:
    yield Row("no lifecycle", None, together(replay(one, Everything()) for one in sessions))
    for limit in limits:
        for method, carrier in METHODS.items():
            done = together(replay(one, carrier(limit - SYSTEM)) for one in sessions)
            yield Row(method, limit, done)
