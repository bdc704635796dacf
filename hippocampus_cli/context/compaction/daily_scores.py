"""Scores of a daily log's blocks, as the reference computes them: ``2026-02-03.md`` → ``2026-02-03.scores.json``.

A block ends before a heading of level 1 or 2 and at a blank line. ``<!-- hippocampus: type=… score=… -->``
in a block sets its type or its score.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.context.compaction.reference.javascript import cut, length, tokens, trim
from hippocampus_cli.context.compaction.reference.scoring import decay, defaults, importance_of
from hippocampus_cli.context.compaction.reference.summary import action_of
from hippocampus_cli.errors import FileUnreadable, FileUnwritable
from hippocampus_cli.markdown.lines import encode
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.regular import read_regular

_SURROGATE = re.compile("[\ud800-\udfff]")


class Scores(NamedTuple):
    """Where the scores are, and what they are: the reference's document."""

    path: Path
    document: dict[str, object]
    stats: dict[str, int]


def score_file(path: Path, agent: str, now: datetime) -> Scores:
    """Score the log at ``path`` and write the scores beside it; the log is never written over.

    Raises :class:`FileUnreadable`, :class:`FileUnwritable`.
    """
    blocks = score_blocks(_read(path))
    stats = _stats(blocks)
    target = path.with_name(f"{path.name.removesuffix('.md')}.scores.json")
    document = _document(str(path), blocks, stats, agent, now)
    if target.exists() and target.samefile(path):
        raise FileUnwritable(path=str(target), reason="it is the log itself")
    text = json.dumps(document, ensure_ascii=False, indent=2)
    text = _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
    replace_bytes(target, encode(text), str(target))
    return Scores(target, document, stats)


def _read(path: Path) -> str:
    try:
        return read_regular(path).decode("utf-8", "replace")
    except OSError as error:
        raise FileUnreadable(path=str(path), reason=error.strerror or str(error)) from error
    except ValueError:  # a NUL in the name
        raise FileUnreadable(path=str(path), reason="no file can have this name") from None


def _stats(blocks: list[Block]) -> dict[str, int]:
    low, high = defaults()["sparseThreshold"], defaults()["compressThreshold"]
    counts = Counter(action_of(block.score, low, high) for block in blocks)
    return {
        "total": len(blocks),
        "sparse": counts["sparse"],
        "compressed": counts["compress"],
        "kept": counts["keep"],
        "totalTokens": sum(block.tokens for block in blocks),
    }


def _document(
    source: str, blocks: list[Block], stats: dict[str, int], agent: str, now: datetime
) -> dict[str, object]:
    thresholds = {key: defaults()[key] for key in ("sparseThreshold", "compressThreshold")}
    moment = int(now.timestamp() * 1000)
    return {
        "generated": now.isoformat(),
        "source": source,
        "agent": agent,
        "config": thresholds,
        "stats": stats,
        "items": [{"t": moment, **block._asdict()} for block in blocks],
    }


_BLOCKS = re.compile(r"\n(?=##? )|\n\n+")
_TYPE = re.compile(r"<!--\s*hippocampus:\s*type=(\w+)", re.ASCII)
_SCORE = re.compile(r"<!--\s*hippocampus:[^<>]*?\bscore=(\d*\.?\d+)", re.ASCII)
_SIGNS = (
    (
        "decision",
        *("decided", "decision", "will do", "plan:", "approach:"),
        *("решил", "решение", "план:", "✅", "→"),
    ),
    ("user_intent", "user wants", "roman wants", "requested"),
    ("tool_result", "```", "output:", "error:"),
    ("ephemeral", "heartbeat", "no changes"),
)
_SHORT = 50
_LARGE, _PENALTY, _LEAST = 1_000, 0.15, 0.1
_HASHED, _SUMMARY = 500, 200


class Block(NamedTuple):
    """A block with its score, 0 to 1 unless its tag says otherwise."""

    type: str
    score: float
    hash: str
    summary: str
    tokens: int


def score_blocks(text: str) -> list[Block]:
    """The scored blocks of a daily log; the last block has age 0."""
    parts = (trim(part) for part in _BLOCKS.split(text))
    blocks = [
        part for part in parts if part and not (part.startswith("<!--") and part.endswith("-->"))
    ]
    return [_scored(block, len(blocks) - 1 - at) for at, block in enumerate(blocks)]


def _scored(block: str, age: int) -> Block:
    kind = _type_of(block)
    size = tokens(block)
    given = _SCORE.search(block)
    importance = importance_of(kind)
    if size > _LARGE:
        importance = max(_LEAST, importance - _PENALTY)
    rates = defaults()["decayRates"]
    rate = rates.get(kind, rates["unknown"])
    value = float(given.group(1)) if given else decay(age, rate, importance)
    summary = cut(block, _SUMMARY).replace("\n", " ")
    return Block(kind, math.floor(value * 100 + 0.5) / 100, _hash(block), summary, size)


def _type_of(block: str) -> str:
    if given := _TYPE.search(block):
        return given.group(1)
    lowered = block.lower()
    for kind, *signs in _SIGNS:
        if any(sign in lowered for sign in signs):
            return kind
    return "ephemeral" if length(block) < _SHORT else "context"


def _hash(block: str) -> str:
    """The reference's checksum of the first 500 code units, as 8 hexadecimal digits."""
    encoded = cut(block, _HASHED).encode("utf-16-le", "surrogatepass")
    value = 5381
    for at in range(0, len(encoded), 2):
        unit = encoded[at] | encoded[at + 1] << 8
        value = ((value << 5) + value ^ unit) & 0xFFFFFFFF
    return f"{value:08x}"
