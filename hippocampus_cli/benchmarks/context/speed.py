"""How long the lifecycle and a compaction take."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from hippocampus_cli.benchmarks.compaction import write_session
from hippocampus_cli.config.compaction import Compaction
from hippocampus_cli.config.context import Context
from hippocampus_cli.context.compaction import compact
from hippocampus_cli.context.lifecycle.consolidate import consolidate
from hippocampus_cli.context.lifecycle.intake import Wish, placed, take_in
from hippocampus_cli.context.lifecycle.policies import built_in
from hippocampus_cli.context.lifecycle.session import Session, link
from hippocampus_cli.context.transcripts import Transcript

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


def _session(settings: Context) -> Session:
    """Results of all ages, a third of them linked, most of the window's pressure already let off."""
    session = Session("bench", "", "")
    policies = built_in(settings.instruction_words)
    for number in range(_ENTRIES):
        content = f"result {number} of {number % 7} and some more words".encode()
        made = take_in(content, Wish(source="bash"), policies, settings, exact=False)
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
