"""The reference's summary text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from hippocampus_cli.context.compaction.reference import scoring as seen
from hippocampus_cli.context.compaction.reference.javascript import (
    cut,
    fixed,
    length,
    number,
    stringify,
    to_number,
    tokens,
)
from hippocampus_cli.context.compaction.reference.scoring import Scored, Settings

_TOOL, _USER, _ROUTINE, _OTHER = 80, 100, 40, 80
_FULL = 500
_GOAL = 10


class Buckets(NamedTuple):
    """The scored messages by what becomes of them, oldest first."""

    sparse: list[Scored]
    compressed: list[Scored]
    kept: list[Scored]


def buckets_of(scored: Sequence[Scored], settings: Settings) -> Buckets:
    """The three buckets; a bound belongs to the higher one."""
    made: dict[str, list[Scored]] = {"sparse": [], "compress": [], "keep": []}
    for one, action in zip(scored, actions_of(scored, settings), strict=True):
        made[action].append(one)
    return Buckets(*made.values())


def actions_of(scored: Sequence[Scored], settings: Settings) -> list[str]:
    """What becomes of each entry, as the thresholds say."""
    low = to_number(settings["sparseThreshold"])
    high = to_number(settings["compressThreshold"])
    return [action_of(one.retention, low, high) for one in scored]


def action_of(retention: float, low: float, high: float) -> str:
    """``keep``, ``compress`` or ``sparse``, which is also what becomes of NaN."""
    if retention >= high:
        return "keep"
    return "compress" if retention >= low else "sparse"


def line_of(one: Scored, message: Any) -> str:
    """The line of an entry; line breaks in it stay."""
    if one.type == "tool_result":
        return f'[TOOL:{seen.tool_of(message)}] {one.tokens}tok → "{cut(one.preview, _TOOL)}"'
    if one.type in ("user_intent", "decision"):
        label = "USER" if one.type == "user_intent" else "DECISION"
        return f'[{label}] "{cut(one.preview, _USER)}"'
    if one.type == "ephemeral":
        return f"[EPHEMERAL] {cut(one.preview, _ROUTINE)}"
    return f"[{one.role.upper()}] {cut(one.preview, _OTHER)}"


def build(
    scored: Sequence[Scored], messages: Sequence[Any], settings: Settings, previous: str = ""
) -> str:
    """The whole summary."""
    buckets = buckets_of(scored, settings)
    index, dropped = _sparse(buckets.sparse, messages, settings)
    compressed = [(one, line_of(one, messages[one.at])) for one in buckets.compressed]
    sizes = (len(index), len(buckets.compressed), len(buckets.kept), dropped)
    parts = [_head(len(scored), sizes, settings)]
    low = to_number(settings["sparseThreshold"])
    goals = [goal for one in scored if one.retention >= low and (goal := _goal(one))]
    parts += _section("## Goal", [f"- {goal}" for goal in goals])
    parts += _section("## Prior Context", [previous] if previous else [])
    parts += (
        _section("## Active Context (high retention)", ["\n\n".join(_kept(buckets.kept, messages))])
        if buckets.kept
        else []
    )
    parts += _section(
        "## Compressed (mid retention — re-fetch if needed)",
        [f"• (r={fixed(one.retention, 2)}) {line}" for one, line in compressed],
    )
    parts += _section("## Sparse Index (decayed — pointers only)", index)
    if dropped:
        parts.append(f"\n<!-- {dropped} additional entries dropped (sparse index full) -->")
    written = sum(map(tokens, index)) + sum(tokens(line) for _, line in compressed)
    written += sum(one.tokens for one in buckets.kept)
    parts.append(_foot(sum(one.tokens for one in scored), written))
    return "\n".join(parts)


def _head(entries: int, sizes: tuple[int, int, int, int], settings: Settings) -> str:
    sparse, compressed, kept, dropped = sizes
    low, high = (_shown(settings[key]) for key in ("sparseThreshold", "compressThreshold"))
    return (
        "# hippocampus.md Compaction\n"
        f"<!-- decay_λ={stringify(settings['decayRates'])} sparse_threshold={low} "
        f"compress_threshold={high} -->\n"
        f"<!-- entries: {entries} | sparse: {sparse} | compressed: {compressed} "
        f"| kept: {kept} | dropped: {dropped} -->"
    )


def _shown(value: object) -> str:
    """A value in a template string."""
    return value if isinstance(value, str) else stringify(value)


def _foot(before: int, after: int) -> str:
    ratio = fixed(before / after, 1) if before and after else ("∞" if not before else number(0))
    return f"\n<!-- hippocampus stats: {before}tok → {after}tok ({ratio}× compression) -->"


def _goal(one: Scored) -> str:
    text = one.preview.replace("\n", " ")
    return text if one.type == "user_intent" and length(text) > _GOAL else ""


def _section(heading: str, lines: list[str]) -> list[str]:
    return [f"\n{heading}", *lines] if lines else []


def _kept(kept: Sequence[Scored], messages: Sequence[Any]) -> list[str]:
    made: list[str] = []
    for one in kept:
        text = seen.text_of(messages[one.at])
        shown = f"{cut(text, _FULL)}…" if length(text) > _FULL else text
        made.append(f"### [{one.type}] (r={fixed(one.retention, 2)})\n{shown}")
    return made


def _sparse(
    entries: Sequence[Scored], messages: Sequence[Any], settings: Settings
) -> tuple[list[str], int]:
    """The lines that fit, oldest first, and how many do not."""
    limit = to_number(settings["maxSparseIndexTokens"])
    lines: list[str] = []
    spent = 0
    for one in entries:
        line = line_of(one, messages[one.at])
        if spent + tokens(line) > limit:
            continue
        spent += tokens(line)
        lines.append(line)
    return lines, len(entries) - len(lines)
