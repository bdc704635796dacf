"""The reference's log file, below the folder it runs in and nowhere else.

The reference's answer to Pi before a compaction, with what it says and logs on the way.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from hippocampus_cli.context.compaction.reference.javascript import fixed, stringify, tokens
from hippocampus_cli.context.compaction.reference.scoring import ReferenceThrows, Settings, score
from hippocampus_cli.context.compaction.reference.summary import buckets_of, build
from hippocampus_cli.workspace.own_files import is_inside


def append_log(folder: Path, name: object, lines: Iterable[str], now: datetime) -> None:
    """Append to the log, as the reference does: no folder is made for it, and a failure is no word.

    Unlike there a setting cannot lead out of ``folder``.
    """
    if not isinstance(name, str) or "\0" in name or not is_inside(folder, folder / name):
        return
    stamp = now.astimezone(UTC).isoformat("T", "milliseconds").replace("+00:00", "Z")
    with contextlib.suppress(OSError), (folder / name).open("a", encoding="utf-8") as file:
        file.writelines(f"[{stamp}] [hippocampus] {line}\n" for line in lines)


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
