"""``python -m bench mind``: what episodes and beliefs cost, and whether what is held is what holds now.

Facts that later ones overrule (FactConsolidation) are told as a user would, forty a day, and encoded. Judged are
those that are told twice with other values, by their own words: no question and no model is needed.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

from bench import reading
from bench.corpora import precisionmembench
from bench.sheet import Column, Findings, Sheet
from hippocampus_cli.api import Workspace, open_workspace
from hippocampus_cli.cli.context import CommandContext

_FACT = re.compile(r"^\d+\. (.+)$", re.MULTILINE)
_FRAME = re.compile(r"(.+ (?:is|by|of|to|in|as|from)) (.+)\.$")
_A_DAY = 40
_ROUNDS = 30
_ASKED = datetime(2026, 10, 8, 9, tzinfo=UTC)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m bench mind``."""
    data = "a folder with factconsolidation/, precisionmembench/, locomo/, beam/"
    parser.add_argument("--data", type=Path, required=True, help=data)
    limit = "questions of each folder that the reader gets, at most"
    parser.add_argument("--limit", type=int, default=20, metavar="N", help=limit)


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """Encode facts that overrule others, and see which are held; nothing but a scratch folder is touched."""
    found: list[tuple[str, float]] = []
    for file in sorted((options.data / "factconsolidation").glob("*.json")):
        for number, one in enumerate(json.loads(file.read_text("utf-8")), 1):
            facts = _FACT.findall(one["context"])
            with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
                found += _measured(Path(scratch), facts, session.now, f"set {number}")
    if (options.data / "precisionmembench").is_dir():
        found += _precision(options.data)
    found += reading.measured(options.data, options.limit)
    columns = Column("what", "what"), Column("value", "value", ".3f")
    sheet = Sheet("Episodes and beliefs", columns, tuple(found))
    legend = (
        "held now: the present value is held; stale: an older one is held (both of facts told twice). right, stale: "
        "of the lines that a reader copies out of what it is given within 1,000 tokens, those that hold the answer, "
        "or a value that was overruled; tokens: what it is given."
    )
    return Findings(dict(found), (sheet,), (legend,), sheet)


def _measured(root: Path, facts: list[str], now: datetime, name: str) -> list[tuple[str, float]]:
    (root / "memory").mkdir()
    for at in range(0, len(facts), _A_DAY):
        day = now - timedelta(days=len(facts) // _A_DAY - at // _A_DAY)
        lines = "\n\n".join(f"**User:** {fact}" for fact in facts[at : at + _A_DAY])
        (root / f"memory/{day:%Y-%m-%d}.md").write_text(f"# {day:%Y-%m-%d}\n\n{lines}\n")
    with open_workspace(root) as workspace:
        workspace.bootstrap(now=now)
        before = _milliseconds(workspace, facts[0])
        encoding = _seconds(lambda: workspace.mind.encode_notes(now=now))
        after = _milliseconds(workspace, facts[0])
        held = {one.belief.statement for one in workspace.mind.beliefs(now=now)}
    current, stale, twice = _judged(facts, held)
    return [
        (f"{name}: facts", float(len(facts))),
        (f"{name}: facts told twice", float(twice)),
        (f"{name}: held now", current / twice if twice else 0.0),
        (f"{name}: stale", stale / twice if twice else 0.0),
        (f"{name}: encoding, s", encoding),
        (f"{name}: a question without beliefs, ms", before),
        (f"{name}: with {len(held)} beliefs, ms", after),
    ]


def _judged(facts: list[str], held: set[str]) -> tuple[int, int, int]:
    """Of the facts that are told twice: how many are held as they are now, how many as they were."""
    told: dict[str, list[str]] = {}
    for fact in facts:
        if frame := _FRAME.match(fact):
            told.setdefault(frame[1], []).append(fact)
    several = [list(dict.fromkeys(one)) for one in told.values()]
    changed = [one for one in several if len(one) > 1]
    current = sum(one[-1] in held for one in changed)
    return current, sum(bool(set(one[:-1]) & held) for one in changed), len(changed)


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
            done = workspace.mind.believe(one["content"], tags=names, now=now)
            by_id |= dict.fromkeys(done.added, str(one["_id"]))
            for id in done.added if one.get("superseded_by") else ():
                workspace.mind.retract(id, now=now)

    def answer(text: str) -> list[str]:
        with open_workspace(root) as workspace:
            held = workspace.mind.beliefs(text, now=_ASKED) if text.strip() else []
            return list(dict.fromkeys(by_id[one.belief.id] for one in held))

    return answer


def _milliseconds(workspace: Workspace, text: str) -> float:
    runs = [_seconds(lambda: workspace.query(text, write=False)) for _ in range(_ROUNDS)]
    return median(runs) * 1000


def _seconds(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started
