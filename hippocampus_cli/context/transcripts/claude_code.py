"""Transcripts of Claude Code: API messages over one or several lines, tool results as lines of the user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hippocampus_cli.context.transcripts.message import (
    Flag,
    Message,
    Record,
    answers_of,
    calls_of,
    parts_of,
    split,
)
from hippocampus_cli.context.transcripts.records import Node, NodeKind, Span, Window, branch_to

_SPEAKERS = frozenset(("user", "assistant"))
_TYPES = _SPEAKERS | {
    *("summary", "system", "progress", "file-history-snapshot", "queue-operation"),
    *("last-prompt", "mode", "attachment", "ai-title", "custom-title"),
}


def fits(records: Sequence[Record]) -> bool:
    """Whether the first records of a file are Claude Code's."""
    return any(
        value.get("type") in _TYPES
        and ("sessionId" in value or "leafUuid" in value or "uuid" in value)
        for value in records
    )


def node(value: Record, span: Span, before: Node | None) -> Node | None:
    """The node of a line; None for a line that is no link of the conversation."""
    identity = value.get("uuid")
    if not isinstance(identity, str):
        return None
    parent = value.get("parentUuid")
    message = value.get("message")
    message = message if isinstance(message, dict) else {}
    content = parts_of(message.get("content"))
    answers, count = answers_of(content)
    api_id = message.get("id")
    return Node(
        span,
        identity,
        parent if isinstance(parent, str) else None,
        _kind(value),
        group=api_id if value.get("type") == "assistant" and isinstance(api_id, str) else "",
        calls=calls_of(content),
        answers=answers,
        messages=count,
    )


def window(nodes: Sequence[Node], broken: Sequence[int]) -> Window:
    """The branch that ends in the last message, with what parallel tool calls put beside it.

    A summary (of a compaction) starts a window anew. A message that was rewritten is left out with all that
    followed it; what answers a call of the branch, or belongs to one of its messages, is part of it.
    """
    spoken = [at for at, one in enumerate(nodes) if one.kind != "outside"]
    if not spoken:
        return Window(())
    branch = branch_to(spoken[-1], nodes, broken)
    way = branch.nodes
    summary = next((one for one in reversed(way) if one.kind == "summary"), None)
    start = 0 if summary is None else way.index(summary) + 1
    seen = [one for one in _beside(nodes, way[start:]) if one.kind == "message"]
    messages = sum(one.kind == "message" for one in nodes)
    return Window(tuple(_grouped(seen)), summary, branch.loop, branch.bridged, messages - len(seen))


def messages(
    records: Sequence[Record], nodes: Sequence[Node], tools: Mapping[str, str]
) -> list[Message]:
    """The messages of one line, or the one message of several; ``tools`` are the names behind call ids."""
    first, place = records[0], nodes[0]
    contents: list[object] = []
    for value in records:
        message = value.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        contents += content if isinstance(content, list) else [content]
    flags: frozenset[Flag] = frozenset(("summary",) if first.get("isCompactSummary") else ())
    time = first.get("timestamp")
    return [
        one._replace(
            parent=place.parent,
            line=place.span.line,
            timestamp=time if isinstance(time, str) else None,
            flags=one.flags | flags,
            role="summary" if flags else one.role,
        )
        for one in split(place.id, str(first.get("type")), contents, tools)
    ]


def _kind(value: Record) -> NodeKind:
    if value.get("isCompactSummary"):
        return "summary"
    if value.get("type") not in _SPEAKERS or value.get("isMeta") or value.get("isSidechain"):
        return "outside"
    return "message"


def _beside(nodes: Sequence[Node], way: Sequence[Node]) -> Iterator[Node]:
    """The nodes of the way and those that belong to it, in the order of the file."""
    on_way = {one.span.offset for one in way}
    called = {call for one in way for call, _ in one.calls}
    groups = {one.group for one in way if one.group}
    called |= {call for one in nodes if one.group in groups for call, _ in one.calls}
    for one in nodes:
        if one.span.offset in on_way or one.group in groups or called.intersection(one.answers):
            yield one


def _grouped(nodes: Sequence[Node]) -> Iterator[tuple[Node, ...]]:
    """The lines of one API message together, in the place of its first."""
    groups: dict[str, list[Node]] = {}
    for one in nodes:
        groups.setdefault(one.group or f"line {one.span.line}", []).append(one)
    yield from map(tuple, groups.values())
