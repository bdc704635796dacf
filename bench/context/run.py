"""Sessions replayed through every carrier; what becomes of a large result; how long the lifecycle takes."""

from __future__ import annotations

import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.compaction import write_session
from bench.context.carriers import Carrier, Everything, Lifecycle, Reference, Truncated
from bench.context.sessions import SYSTEM, Session, made_up, recorded_in
from bench.context.talk import TOOLS, Tool
from bench.context.values import FactKind, Values
from hippocampus_cli.config.context import Compaction, Context
from hippocampus_cli.context.compaction import compact
from hippocampus_cli.context.lifecycle.consolidate import consolidate
from hippocampus_cli.context.lifecycle.ingest import IngestRequest, ingest, placed
from hippocampus_cli.context.lifecycle.policies import built_in
from hippocampus_cli.context.lifecycle.session import ContextSession as LifecycleSession
from hippocampus_cli.context.lifecycle.session import link
from hippocampus_cli.context.lifecycle.window import sparse
from hippocampus_cli.context.transcripts import Transcript
from hippocampus_cli.markdown.tokens import tokens


class Replayed(NamedTuple):
    """What a session cost and what was there when it was needed.

    ``tokens`` are carried over all turns: the window at the end of each, before anything of the turn fades, with the
    system prompt and what was fetched, which is ``brought``. ``needed``, ``verbatim``, ``fetched`` count uses by the
    kind of the fact.
    """

    turns: int
    tokens: int
    brought: int
    compactions: int
    needed: Counter[FactKind]
    verbatim: Counter[FactKind]
    fetched: Counter[FactKind]

    @property
    def average(self) -> float:
        """Tokens of the average window."""
        return self.tokens / max(1, self.turns)

    @property
    def share_verbatim(self) -> float | None:
        """Of the facts that were needed, those that stood in the window to the letter; None where none was."""
        return _share(self.verbatim, self.needed)

    @property
    def share_reached(self) -> float | None:
        """Those that stood there or were one fetch away."""
        return _share(self.verbatim + self.fetched, self.needed)


def replay(session: Session, carrier: Carrier) -> Replayed:
    """Each turn: what is needed is looked for, then the turn is heard, counted and over."""
    done = Replayed(len(session.turns), 0, 0, 0, Counter(), Counter(), Counter())
    carried = brought = 0
    for turn in session.turns:
        fetched = 0
        for fact in dict.fromkeys(use.fact for use in turn.uses):
            reach = carrier.reach(fact.text)
            done.needed[fact.kind] += 1
            done.verbatim[fact.kind] += reach.verbatim
            done.fetched[fact.kind] += not (reach.verbatim or reach.lost)
            fetched += reach.fetched
        carrier.hear(turn.messages)
        carried += SYSTEM + carrier.tokens + fetched
        brought += fetched
        carrier.settle()
    return done._replace(tokens=carried, brought=brought, compactions=carrier.compactions)


def together(replays: Iterable[Replayed]) -> Replayed:
    """Several sessions as one."""
    columns = list(zip(*replays, strict=True))
    turns, carried, brought, compactions = (sum(column) for column in columns[:4])
    needed, verbatim, fetched = (sum(column, Counter[FactKind]()) for column in columns[4:])
    return Replayed(turns, carried, brought, compactions, needed, verbatim, fetched)


def _share(part: Counter[FactKind], whole: Counter[FactKind]) -> float | None:
    return part.total() / whole.total() if whole else None


_SIZES = {"page": 52_000, "schema": 285_000, "listing": 31_000, "source": 8_000, "json": 12_000}
"""Tokens, those of the specification's table."""
_OTHERS = 10_000
_EACH = 3


class Compressed(NamedTuple):
    """Averages of one kind, in tokens; ``values`` is the share of its commands, paths, numbers ... that stay."""

    kind: str
    original: float
    entry: float
    values: float

    @property
    def ratio(self) -> float:
        """How many times smaller."""
        return self.original / self.entry


def compressed(tool: Tool, seed: int = 3) -> Compressed:
    """A tool's results as entries."""
    values = Values(random.Random(f"{seed} {tool.kind}"))
    settings = Context()
    policies = built_in(settings.instruction_words)
    size = before = there = told = 0
    for _ in range(_EACH):
        wish = IngestRequest("tool_result", tool.name, tool.value(values))
        values.take()
        text = tool.answer(values, 4 * _SIZES.get(tool.kind, _OTHERS))
        made = ingest(text.encode(), wish, policies, settings, exact=False)
        shown = sparse(placed(made.entry, "ctx_001", 0, ()))
        before, size = before + tokens(text), size + tokens(shown)
        drawn = {value.text for value in values.take()}
        told += len(drawn)
        there += sum(value in shown for value in drawn)
    return Compressed(tool.kind, before / _EACH, size / _EACH, there / told)


def all_compressed() -> list[Compressed]:
    """Every kind."""
    return [compressed(tool) for tool in TOOLS]


_ENTRIES, _MESSAGES, _OUTPUT = 1_000, 10_000, 3_000
_ROUNDS = {"turn": 51, "compaction": 5}


def speeds() -> dict[str, float]:
    """Medians: a turn of 1,000 entries in milliseconds, the compaction of 10,000 messages in seconds."""
    settings = Context()
    session = _session(settings)
    turn = _median(lambda: consolidate(session, settings), _ROUNDS["turn"])
    with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
        path = Path(scratch) / "session.jsonl"
        write_session(path, _MESSAGES, _OUTPUT)

        def compacted() -> None:
            with Transcript(path) as transcript:
                compact(transcript, Compaction())

        return {"turn_ms": turn * 1_000, "compaction_s": _median(compacted, _ROUNDS["compaction"])}


def _session(settings: Context) -> LifecycleSession:
    """Results of all ages, a third of them linked, most of the window's pressure already let off."""
    session = LifecycleSession("bench", "", "")
    policies = built_in(settings.instruction_words)
    for number in range(_ENTRIES):
        content = f"result {number} of {number % 7} and some more words".encode()
        made = ingest(content, IngestRequest(source="bash"), policies, settings, exact=False)
        session = session._replace(turn=number)
        session = session.with_entries([placed(made.entry, session.next_id, number, ())])
    keys = list(session.entries)
    for first, second in zip(keys[::3], keys[1::3], strict=False):
        session = link(session, (first, second))
    return consolidate(session, settings).session


def _median(work: Callable[[], object], rounds: int) -> float:
    """The median seconds of processor time that some work takes."""
    times = []
    for _ in range(rounds):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return median(times)


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
Progress = Callable[[int, int], object]


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
    progress: Progress = lambda done, total: None,
) -> Report:
    """Measure made-up sessions of ``turns``, and the recorded ones in the folder ``transcripts``."""
    groups = []
    for at, count in enumerate(turns):
        progress(at, len(turns) + 1)
        sessions = [made_up(count, size, seed) for seed in range(SESSIONS.get(count, 1))]
        groups.append(measured(f"{count:,} turns", sessions, limits))
    recorded = [
        measured(session.name, [session], limits[:1])
        for session in (recorded_in(transcripts) if transcripts else ())
    ]
    progress(len(turns), len(turns) + 1)
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
