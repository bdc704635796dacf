"""The format of a summary: the line of a decayed entry, and texts on one line.

``[TOOL:bash] 1200tok `df -h` → "Filesystem\\nSize" #9987634b``. Line breaks and quotes in a text are escaped as
in JSON, so that a text is never read as a line of its own. In the active context a text is not escaped, so each
entry has a heading there; in a fence the heading says whose words follow, and of which day.
"""

from __future__ import annotations

import json
import re

from hippocampus_cli.context.compaction.prior import PRIOR
from hippocampus_cli.context.compaction.score import ScoredMessage

_LABEL = re.compile(r"[^\w.:-]+")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_LABELS = {"user_intent": "USER", "decision": "DECISION", "ephemeral": "EPHEMERAL"}
_CALL = 120  # characters of what a tool was called with: a command is of use only as a whole


def label_of(entry: ScoredMessage) -> str:
    """The label of an entry: ``TOOL:bash``, ``USER``, ``DECISION``, or its role."""
    if entry.type == "tool_result":
        return f"TOOL:{_word(entry.tool) or 'unknown'}"
    label = "" if entry.role == PRIOR else _LABELS.get(entry.type)
    return label or _word(entry.role).upper() or "UNKNOWN"


def line_of(entry: ScoredMessage, text: str, size: int) -> str:
    """The line of an entry: what its tool was called with, and ``text`` cut after ``size`` characters."""
    tokens = f" {entry.tokens}tok" if entry.type == "tool_result" else ""
    shown = escaped(json.dumps(cut(text.strip(), size), ensure_ascii=False))
    arrow = " →" if tokens else ""
    return f"[{label_of(entry)}]{tokens}{called(entry.called)}{arrow} {shown}{mark(entry)}"


def called(call: str) -> str:
    """What a tool was called with, behind a label."""
    return f" {code(cut(call, _CALL))}" if call else ""


def mark(entry: ScoredMessage) -> str:
    """The id that fetches the original; summaries of others give none."""
    return f" #{entry.id}" if entry.id else ""


def cut(text: str, size: int) -> str:
    """A text cut after ``size`` characters, and a sign that it goes on."""
    return text if len(text) <= size else f"{text[: size - 1].rstrip()}…"


def escaped(text: str) -> str:
    """A text on one line: a line break is written ``\\n``, other control characters as in JSON."""
    return text if text.isprintable() else _CONTROL.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    return {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(char) or f"\\u{ord(char):04x}"


def code(text: str) -> str:
    """A text as a code span on one line."""
    line = escaped(text)
    longest = max(map(len, re.findall("`+", line)), default=0)
    if not longest:
        return f"`{line}`"
    fence = "`" * (longest + 1)
    return f"{fence} {line} {fence}"


def _word(text: str) -> str:
    return _LABEL.sub("_", text)[:40].strip("_")
