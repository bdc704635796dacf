"""The reference's summary, its answer to Pi before a compaction, and its log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tests.context.reference.javascript import (
    cut,
    fixed,
    length,
    number,
    stringify,
    to_number,
    tokens,
)
from tests.context.reference.scoring import (
    ReferenceThrows,
    Scored,
    Settings,
    score,
    text_of,
    tool_of,
)

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
        return f'[TOOL:{tool_of(message)}] {one.tokens}tok → "{cut(one.preview, _TOOL)}"'
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
    active = "\n\n".join(_kept(buckets.kept, messages))
    parts += _section("## Active Context (high retention)", [active] if buckets.kept else [])
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
        text = text_of(messages[one.at])
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


class Handled(NamedTuple):
    """``compaction`` is None where Pi compacts itself; ``notices`` are texts with ``info`` or ``warning``.

    ``log`` is what the reference logs, without its times.
    """

    compaction: dict[str, object] | None
    notices: tuple[tuple[str, str], ...]
    log: tuple[str, ...]


def handle(preparation: Mapping[str, Any], settings: Settings) -> Handled:
    """The answer to a preparation."""
    messages = [
        *(preparation.get("messagesToSummarize") or ()),
        *(preparation.get("turnPrefixMessages") or ()),
    ]
    asked = {"messages": len(messages), "tokensBefore": preparation.get("tokensBefore")}
    log = [_entry("🔬 Compaction triggered", asked)]
    if not messages:
        log.append(_entry("⚠️ No messages to process, falling back to default"))
        return Handled(None, (), tuple(log))
    try:
        return _compacted(messages, preparation, settings, log)
    except ReferenceThrows as thrown:
        log.append(_entry("❌ Error during compaction", {"error": str(thrown)}))
        notice = f"hippocampus error: {thrown}, falling back to default"
        return Handled(None, ((notice, "warning"),), tuple(log))


def _compacted(
    messages: list[Any], preparation: Mapping[str, Any], settings: Settings, log: list[str]
) -> Handled:
    scored = score(messages, settings)
    buckets = buckets_of(scored, settings)
    total = sum(one.tokens for one in scored)
    counts = {
        "total": len(scored),
        "sparse": len(buckets.sparse),
        "compressed": len(buckets.compressed),
        "kept": len(buckets.kept),
    }
    log.append(_entry("📊 Scoring complete", {**counts, "totalTokens": total}))
    summary = build(scored, messages, settings, preparation.get("previousSummary") or "")
    ratio = fixed(total / tokens(summary), 1)
    built = {"summaryTokens": tokens(summary), "compressionRatio": ratio}
    log.append(_entry("📝 Summary built", built))
    notice = (
        f"🧠 hippocampus: {len(scored)} entries → {len(buckets.sparse)} sparse + "
        f"{len(buckets.compressed)} compressed + {len(buckets.kept)} kept ({ratio}× compression)"
    )
    compaction: dict[str, object] = {"summary": summary}
    for key in ("firstKeptEntryId", "tokensBefore"):
        if key in preparation:
            compaction[key] = preparation[key]
    return Handled(compaction, ((notice, "info"),), tuple(log))


def loaded(settings: Settings) -> str:
    """The log's first line."""
    shown = {**settings, "decayRates": "..."}
    return _entry("🧠 hippocampus.md extension loaded", {"config": shown})


def _entry(text: str, value: dict[str, Any] | None = None) -> str:
    return text if value is None else f"{text} {stringify(value)}"
