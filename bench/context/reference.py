"""An oracle: the reference compaction extension (hippocampus-md), as it was observed.

Nothing here is an improvement: substrings count as words, lines break over several lines, previous summaries nest.
The package is compared with it where the specification defines a figure; the bench measures beside it. Lengths are
those of Python, not of JavaScript.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Settings = Mapping[str, Any]
ROUTINE = ("heartbeat", "/status", "no_reply")
DECISIONS = (
    *("decision", "decided", "will do", "plan", "approach", "strategy"),
    *("решил", "план", "буду", "сделаю", "подход"),
)
IMPORTANCE = {
    "decision": 0.9,
    "user_intent": 0.8,
    "context": 0.5,
    "tool_result": 0.3,
    "ephemeral": 0.1,
    "unknown": 0.4,
}


def defaults() -> dict[str, Any]:
    """The reference's settings."""
    rates = (0.03, 0.05, 0.12, 0.20, 0.35, 0.15)
    kinds = ("decision", "user_intent", "context", "tool_result", "ephemeral", "unknown")
    return {
        "decayRates": dict(zip(kinds, rates, strict=True)),
        "sparseThreshold": 0.25,
        "compressThreshold": 0.65,
        "retentionFloor": {"decision": 0.50, "user_intent": 0.35},
        "maxSparseIndexTokens": 2500,
    }


class Scored(NamedTuple):
    """A message with its scores. ``at`` is its place, 0 the oldest."""

    at: int
    type: str
    importance: float
    retention: float
    tokens: int
    role: str
    preview: str


def text_of(message: Settings) -> str:
    """The text of a message; tool calls and thoughts are none."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = (block.get("text") for block in blocks)
    return " ".join(text for text in texts if isinstance(text, str) and text)


def classify(message: Settings) -> str:
    """The class of a message, by substrings of its lower-cased text."""
    role, text = message.get("role"), text_of(message).lower()
    if role in ("tool", "toolResult"):
        return "tool_result"
    if role == "user":
        return "ephemeral" if any(word in text for word in ROUTINE) else "user_intent"
    if role != "assistant":
        return "unknown"
    if len(text) < 50 and ("no_reply" in text or "ok" in text):
        return "ephemeral"
    return "decision" if any(word in text for word in DECISIONS) else "context"


def tokens(text: str) -> int:
    """The reference's estimate: a quarter of the length, rounded up."""
    return -(-len(text) // 4)


def retention_of(importance: float, age: int, kind: str, settings: Settings) -> float:
    """What is left of an importance after ``age`` messages, not less than the floor of its class."""
    faded = importance * math.exp(-settings["decayRates"][kind] * age)
    return float(max(settings["retentionFloor"].get(kind, 0), faded))


def action_of(retention: float, low: float, high: float) -> str:
    """``keep``, ``compress`` or ``sparse``; a bound belongs to the higher one."""
    if retention >= high:
        return "keep"
    return "compress" if retention >= low else "sparse"


def score(messages: Sequence[Settings], settings: Settings) -> list[Scored]:
    """The scores of all messages."""
    texts = [text_of(message) for message in messages]
    scored = []
    for at, (message, text) in enumerate(zip(messages, texts, strict=True)):
        kind, age = classify(message), len(messages) - 1 - at
        content = json.dumps(
            message.get("content") or "", ensure_ascii=False, separators=(",", ":")
        )
        size = tokens(text or content)
        importance = IMPORTANCE[kind]
        if age < 5:
            importance = min(1.0, importance + 0.15)
        for limit, penalty in ((10_000, 0.15), (30_000, 0.1)):
            if size > limit:
                importance = max(0.1, importance - penalty)
        if any(text[:30] in later for later in texts[at + 1 :]):
            importance = min(1.0, importance + 0.2)
        retention = retention_of(importance, age, kind, settings)
        preview = f"{text[:120]}…" if len(text) > 120 else text
        role = str(message.get("role") or "unknown")
        scored.append(Scored(at, kind, importance, retention, size, role, preview))
    return scored


def line_of(one: Scored, message: Settings) -> str:
    """The line of an entry; line breaks in it stay."""
    if one.type == "tool_result":
        names = (message.get(key) for key in ("toolName", "name", "tool_call_id"))
        name = next(filter(None, names), "unknown_tool")
        return f'[TOOL:{name}] {one.tokens}tok → "{one.preview[:80]}"'
    if one.type in ("user_intent", "decision"):
        return f'[{"USER" if one.type == "user_intent" else "DECISION"}] "{one.preview[:100]}"'
    if one.type == "ephemeral":
        return f"[EPHEMERAL] {one.preview[:40]}"
    return f"[{one.role.upper()}] {one.preview[:80]}"


def build(
    scored: Sequence[Scored], messages: Sequence[Settings], settings: Settings, previous: str = ""
) -> str:
    """The whole summary."""
    low, high = settings["sparseThreshold"], settings["compressThreshold"]
    of: dict[str, list[Scored]] = {"sparse": [], "compress": [], "keep": []}
    for one in scored:
        of[action_of(one.retention, low, high)].append(one)
    index: list[str] = []
    for one in of["sparse"]:
        line = line_of(one, messages[one.at])
        if sum(map(tokens, index)) + tokens(line) <= settings["maxSparseIndexTokens"]:
            index.append(line)
    lines = [(one, line_of(one, messages[one.at])) for one in of["compress"]]
    dropped = len(of["sparse"]) - len(index)
    wishes = [one for one in scored if one.retention >= low and one.type == "user_intent"]
    goals = [one.preview.replace("\n", " ") for one in wishes if len(one.preview) > 10]
    texts = [text_of(messages[one.at]) for one in of["keep"]]
    kept = [
        f"### [{one.type}] (r={one.retention:.2f})\n{text[:500]}{'…' if len(text) > 500 else ''}"
        for one, text in zip(of["keep"], texts, strict=True)
    ]
    sections = (
        ("## Goal", [f"- {goal}" for goal in goals]),
        ("## Prior Context", [previous] if previous else []),
        ("## Active Context (high retention)", ["\n\n".join(kept)] if kept else []),
        (
            "## Compressed (mid retention — re-fetch if needed)",
            [f"• (r={one.retention:.2f}) {line}" for one, line in lines],
        ),
        ("## Sparse Index (decayed — pointers only)", index),
    )
    rates = json.dumps(settings["decayRates"], separators=(",", ":"))
    parts = [
        "# hippocampus.md Compaction",
        f"<!-- decay_λ={rates} sparse_threshold={low} compress_threshold={high} -->",
        f"<!-- entries: {len(scored)} | sparse: {len(index)} | compressed: {len(lines)} "
        f"| kept: {len(kept)} | dropped: {dropped} -->",
    ]
    for heading, body in sections:
        parts += [f"\n{heading}", *body] if body else []
    if dropped:
        parts.append(f"\n<!-- {dropped} additional entries dropped (sparse index full) -->")
    before = sum(one.tokens for one in scored)
    after = sum(map(tokens, index)) + sum(tokens(line) for _, line in lines)
    after += sum(one.tokens for one in of["keep"])
    ratio = f"{before / after:.1f}" if after else "∞"
    parts.append(f"\n<!-- hippocampus stats: {before}tok → {after}tok ({ratio}× compression) -->")
    return "\n".join(parts)
