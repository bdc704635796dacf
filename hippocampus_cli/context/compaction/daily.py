"""Scores of a daily log's blocks, as the reference computes them and other tools read them.

A block ends before a heading of level 1 or 2 and at a blank line. ``<!-- hippocampus: type=… score=… -->``
in a block says what it is.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from hippocampus_cli.context.compaction.reference.javascript import cut, length, tokens, trim
from hippocampus_cli.context.compaction.reference.messages import importance_of
from hippocampus_cli.context.compaction.reference.scoring import decay
from hippocampus_cli.context.compaction.reference.settings import defaults

_BLOCKS = re.compile(r"\n(?=##? )|\n\n+")
_TYPE = re.compile(r"<!--\s*hippocampus:\s*type=(\w+)", re.ASCII)
_SCORE = re.compile(r"<!--\s*hippocampus:[^>]*?\bscore=(\d*\.?\d+)", re.ASCII)
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
    blocks = [part for part in parts if part and not _is_comment(part)]
    return [_scored(block, len(blocks) - 1 - at) for at, block in enumerate(blocks)]


def _is_comment(block: str) -> bool:
    return block.startswith("<!--") and block.endswith("-->")


def _scored(block: str, age: int) -> Block:
    kind = _type_of(block)
    size = tokens(block)
    given = _SCORE.search(block)
    importance = importance_of(kind)
    if size > _LARGE:
        importance = max(_LEAST, importance - _PENALTY)
    rates = defaults()["decayRates"]
    value = (
        float(given.group(1))
        if given
        else decay(age, rates.get(kind, rates["unknown"]), importance)
    )
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
