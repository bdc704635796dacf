"""``python -m bench mind``: whether beliefs come up where they are named, and what a reader makes of them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from bench import reading
from bench.corpora import precisionmembench
from bench.sheet import Column, Findings, Sheet
from hippocampus_cli.api import open_workspace
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.mind.beliefs import FIRST, Belief, BeliefStore, added
from hippocampus_cli.mind.held import beliefs_about

_HELD = 1_000, 10_000
_QUESTIONS = 40
_ASKED = datetime(2026, 10, 8, 9, tzinfo=UTC)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m bench mind``."""
    data = "a folder with factconsolidation/, precisionmembench/, locomo/, beam/"
    parser.add_argument("--data", type=Path, required=True, help=data)
    limit = "questions of each folder that the reader gets, at most"
    parser.add_argument("--limit", type=int, default=20, metavar="N", help=limit)


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """Tell beliefs and ask for them; nothing but a scratch folder is touched."""
    found: list[tuple[str, float]] = []
    if (options.data / "precisionmembench").is_dir():
        found += _precision(options.data)
    found += reading.measured(options.data, options.limit)
    found += [(f"a question's beliefs, {held:,} held, ms of CPU", _waited(held)) for held in _HELD]
    columns = Column("what", "what"), Column("value", "value", ".3f")
    sheet = Sheet("Episodes and beliefs", columns, tuple(found))
    legend = (
        "right, stale: of the lines that a reader copies out of what it is given within 1,000 tokens, those that "
        "hold the answer, or a value that was overruled; tokens: what it is given."
    )
    return Findings(dict(found), (sheet,), (legend,), sheet)


def _precision(data: Path) -> list[tuple[str, float]]:
    """PrecisionMemBench: its beliefs are told with their aliases; what is held answers its cases."""
    passed = list(precisionmembench.judge(data, _told))
    turns = [right for kind, _, right in passed if kind == "Session"]
    cases = [right for kind, _, right in passed if kind != "Session"]
    return [
        (f"PrecisionMemBench: cases of {len(cases)}", float(sum(cases))),
        (f"PrecisionMemBench: session turns of {len(turns)}", float(sum(turns))),
    ]


def _told(root: Path, beliefs: Sequence[Mapping[str, Any]]) -> Callable[[str], list[str]]:
    """Tell them as their user would: with a title and aliases; one that was superseded is retracted."""
    by_id: dict[str, str] = {}
    (root / "memory").mkdir()
    with open_workspace(root) as workspace:
        for one in sorted(beliefs, key=lambda one: str(one["created_at"])):
            now = datetime.fromisoformat(one["created_at"])
            names = [one["canonical_name"].replace("_", " "), *(one.get("aliases") or ())]
            done = workspace.at(now).mind.believe(one["content"], tags=names)
            by_id |= dict.fromkeys(done.added, str(one["_id"]))
            for id in done.added if one.get("superseded_by") else ():
                workspace.at(now).mind.retract(id)

    def answer(text: str) -> list[str]:
        with open_workspace(root) as workspace:
            held = workspace.at(_ASKED).mind.beliefs(text) if text.strip() else []
            return list(dict.fromkeys(by_id[one.belief.id] for one in held))

    return answer


def _waited(count: int) -> float:
    """The median CPU time in ms that beliefs cost a warm question, where ``count`` are held."""
    dice, day = Random(3), _ASKED.date()
    words = ["".join(dice.choices("aeioulmnrst", k=6)) for _ in range(4_000)]
    said = [f"{' '.join(dice.choices(words, k=8))} {number}." for number in range(count)]
    beliefs = [
        Belief(f"b{n}", text, ("ep-1.1",), "user", day, day, day, FIRST, 0.5)
        for n, text in enumerate(said)
    ]
    with TemporaryDirectory(prefix="hippo-bench-") as scratch:
        root = Path(scratch)
        BeliefStore(root, 5).change(lambda document: (added(document, beliefs, {}), None))
        times: list[float] = []
        for text in dice.sample(said, _QUESTIONS + 1):
            started = process_time()
            found = beliefs_about(root, " ".join(text.split()[2:6]), _ASKED, 1.0)
            times.append(process_time() - started)
            assert text in {shown.statement for shown in found}
    return median(times[1:]) * 1_000
