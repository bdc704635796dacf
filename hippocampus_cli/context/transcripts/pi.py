"""Formats of Pi: session files, version 3 (OpenClaw's too), and what Pi passes on before a compaction.

A session file has one entry a line, each with its parent.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Container, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from hippocampus_cli.context.transcripts.message import (
    Flag,
    Message,
    Messages,
    Part,
    Record,
    as_results,
    calls_of,
    parts_of,
)
from hippocampus_cli.context.transcripts.records import Node, NodeKind, Span, Window, branch_to
from hippocampus_cli.errors import TranscriptUnreadable

ROLES = {
    "toolResult": "tool",
    "bashExecution": "bash",
    "branchSummary": "custom",
    "compactionSummary": "summary",
}
"""Pi's roles in the words of every reader."""
_IN_WINDOW = frozenset(("message", "custom_message", "branch_summary"))
_TYPES = _IN_WINDOW | {"session", "compaction", "custom", "label", "session_info", "model_change"}
_FIELDS = {
    "custom_message": ("custom", "customType", "content", "display", "details"),
    "branch_summary": ("branchSummary", "summary", "fromId"),
    "compaction": ("compactionSummary", "summary", "tokensBefore"),
}
_OPENCLAW = "openclaw"


def fits(records: Sequence[Record]) -> bool:
    """Whether the first records of a file are Pi's; a header may be missing."""
    return any(
        value.get("type") in _TYPES and ("parentId" in value or value["type"] == "session")
        for value in records
    )


def is_openclaw(records: Sequence[Record]) -> bool:
    """Whether OpenClaw wrote them."""
    return any(str(value.get("customType", "")).startswith(_OPENCLAW) for value in records)


def node(value: Record, span: Span, before: Node | None) -> Node | None:
    """The node of an entry; None for the header. An entry without an id follows the one before it."""
    kind = value.get("type")
    if kind == "session":
        return None
    parent = value.get("parentId", before.id if before else None)
    identity = value.get("id")
    return Node(
        span,
        identity if isinstance(identity, str) and identity else f"line{span.line}",
        parent if isinstance(parent, str) else None,
        _kind(value),
        kept=str(value.get("firstKeptEntryId") or "") if kind == "compaction" else "",
        calls=_calls(value.get("message")),
    )


def window(nodes: Sequence[Node], broken: Sequence[int]) -> Window:
    """The branch that ends in the last entry: from its last compaction on, with what that one kept."""
    if not nodes:
        return Window(())
    branch = branch_to(len(nodes) - 1, nodes, broken)
    way = branch.nodes
    summary = next((at for at in reversed(range(len(way))) if way[at].kind == "summary"), None)
    if summary is None:
        seen = way
    else:
        kept = next((at for at in range(summary) if way[at].id == way[summary].kept), summary)
        seen = way[kept:summary] + way[summary + 1 :]
    messages = tuple((one,) for one in seen if one.kind == "message")
    return Window(
        messages,
        None if summary is None else way[summary],
        branch.loop,
        branch.bridged,
        sum(one.kind == "message" for one in nodes) - len(messages),
    )


def messages(
    records: Sequence[Record], nodes: Sequence[Node], tools: Mapping[str, str]
) -> list[Message]:
    """The message of one entry. ``tools``, the names behind call ids, are not needed: results bear them."""
    value, place = records[0], nodes[0]
    time = _optional_text(value.get("timestamp"))
    return [message_of(_raw(value), place.id, place.parent, time, place.span.line)]


def message_of(
    raw: Record,
    identity: str,
    parent: str | None = None,
    timestamp: str | None = None,
    line: int = 0,
) -> Message:
    """A message of Pi as it is in memory: also what a compaction is handed."""
    given = _optional_text(raw.get("role")) or ""
    role = ROLES.get(given, given)
    flags: set[Flag] = set()
    if raw.get("isError") is True or (role == "bash" and raw.get("exitCode") not in (0, None)):
        flags.add("error")
    if raw.get("truncated") is True:
        flags.add("truncated")
    if role == "summary":
        flags.add("summary")
    return Message(
        identity,
        parent,
        role,
        _parts(raw, role),
        raw,
        tool=_optional_text(raw.get("toolName")) or ("bash" if role == "bash" else ""),
        call=_optional_text(raw.get("toolCallId")) or "",
        timestamp=timestamp,
        line=line,
        flags=frozenset(flags),
    )


def _raw(value: Record) -> Record:
    """The message in an entry; entries that hold theirs in other fields are given its form."""
    if fields := _FIELDS.get(str(value.get("type"))):
        role, *keys = fields
        return {"role": role, **{key: value[key] for key in keys if key in value}}
    message = value.get("message")
    return message if isinstance(message, dict) else {}


def _parts(raw: Record, role: str) -> tuple[Part, ...]:
    if role == "bash":
        command, output = (
            _optional_text(raw.get("command")) or "",
            _optional_text(raw.get("output")) or "",
        )
        call = Part("tool_call", command, "bash", argument=("command", command))
        return (call, Part("tool_result", output))
    if "summary" in raw and "content" not in raw:
        return parts_of(raw["summary"])
    found = parts_of(raw.get("content"))
    return as_results(found) if role == "tool" else found


def _kind(value: Record) -> NodeKind:
    kind = value.get("type")
    if kind == "compaction":
        return "summary"
    if kind not in _IN_WINDOW:
        return "outside"
    message = value.get("message")
    if kind == "message" and (not isinstance(message, dict) or message.get("excludeFromContext")):
        return "outside"
    return "message"


def _calls(message: object) -> tuple[tuple[str, str], ...]:
    speaks = isinstance(message, dict) and message.get("role") == "assistant"
    content = message.get("content") if speaks and isinstance(message, dict) else None
    return calls_of(parts_of(content)) if isinstance(content, list) else ()


def _optional_text(value: object) -> str | None:
    return value if isinstance(value, str) else None


STANDARD_INPUT = "standard input"
_ID = 8  # hexadecimal digits
_LONG_ID = 32
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")


class Preparation(NamedTuple):
    """A preparation as it was given; ``raw`` is the whole object.

    ``file`` is the session's own file and ``ids`` are the messages' ids in it, empty where Pi gives none.
    """

    raw: Record
    messages: tuple[Record, ...]
    previous: str
    skipped: int
    name: str = ""
    file: str = ""
    ids: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """What names the session where it is in no file: its id, else what it begins with."""
        return self.name or f"unnamed-{identity_of(self.messages[0] if self.messages else {})}"

    def session(self, known: Container[str] = ()) -> Messages:
        """The messages with their ids, Pi's own where they are ``known`` to be in its file.

        Others have ids of their own: what they say decides on them, so they are the same next time.
        """
        previous = None
        if self.previous:
            told = {"role": "compactionSummary", "summary": self.previous}
            previous = message_of(told, identity_of(told))
        own = self.ids or ("",) * len(self.messages)
        taken: dict[str, Record] = {}
        messages = []
        for raw, given in zip(self.messages, own, strict=True):
            key = given if given in known else identity_of(raw)
            if taken.setdefault(key, raw) != raw:  # cut to eight digits, two can be the same
                key = identity_of(raw, _LONG_ID)
            messages.append(message_of(raw, key, timestamp=_time(raw.get("timestamp"))))
        return Messages(messages, previous)

    def answer(self, summary: str) -> dict[str, object]:
        """The compaction, with the files that Pi has seen read and changed."""
        passed = {
            key: self.raw[key] for key in ("firstKeptEntryId", "tokensBefore") if key in self.raw
        }
        return {"summary": summary, **passed, "details": _files(self.raw.get("fileOps"))}


def read_preparation(text: str) -> Preparation:
    """The preparation in ``text``. Raises :class:`TranscriptUnreadable`."""
    try:
        raw = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise TranscriptUnreadable(path=STANDARD_INPUT, reason=f"not JSON: {error}") from None
    if not isinstance(raw, dict) or not isinstance(raw.get("messagesToSummarize"), list):
        reason = "it is not a preparation of Pi: messagesToSummarize is missing"
        raise TranscriptUnreadable(path=STANDARD_INPUT, reason=reason)
    prefix = raw.get("turnPrefixMessages")
    given = [*raw["messagesToSummarize"], *(prefix if isinstance(prefix, list) else ())]
    messages = tuple(one for one in given if isinstance(one, dict))
    told = raw.get("session")
    session = told if isinstance(told, dict) else {}
    ids = session.get("entryIds")
    ids = ids if isinstance(ids, list) and len(ids) == len(given) else [""] * len(given)
    own = (_text(key) for key, one in zip(ids, given, strict=True) if isinstance(one, dict))
    name = _text(session.get("id"))
    return Preparation(
        raw,
        messages,
        _text(raw.get("previousSummary")),
        len(given) - len(messages),
        name if _NAME.fullmatch(name) else "",
        _text(session.get("file")),
        tuple(own),
    )


def identity_of(raw: Record, digits: int = _ID) -> str:
    """An id from what a message says."""
    text = json.dumps(raw, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:digits]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _time(value: object) -> str | None:
    """When a message was said, which Pi tells in milliseconds; None where that is no time."""
    if not isinstance(value, (int, float)):
        return None
    try:
        return datetime.fromtimestamp(value / 1000, UTC).isoformat()
    except (ArithmeticError, ValueError, OSError):
        return None


def _files(operations: Any) -> dict[str, Sequence[str]]:
    """Pi's own details: files that were only read, and files that were changed."""

    def listed(key: str) -> set[str]:
        found = operations.get(key) if isinstance(operations, dict) else None
        return {one for one in found if isinstance(one, str)} if isinstance(found, list) else set()

    changed = listed("written") | listed("edited")
    return {"readFiles": sorted(listed("read") - changed), "modifiedFiles": sorted(changed)}
