"""What is remembered of each record of a transcript, so that the rest can stay on disk."""

from __future__ import annotations

from typing import Literal, NamedTuple

from hippocampus_cli.context.transcripts.records import Span

NodeKind = Literal["message", "summary", "outside"]


class Node(NamedTuple):
    """A record: who it is, whose child, and what a window needs to know of it.

    ``outside`` records are links of the chain that say nothing in the window. ``kept`` is the id from which
    a compaction kept what came before it. ``group`` joins records that are one message. ``calls`` are the
    ids and names of the tools it calls, ``answers`` the ids of the calls it answers, and ``messages`` says
    how many messages it holds.
    """

    span: Span
    id: str
    parent: str | None
    kind: NodeKind
    kept: str = ""
    group: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    answers: tuple[str, ...] = ()
    messages: int = 1


class Window(NamedTuple):
    """What is in an agent's window, oldest first: groups of records, each one message or several."""

    groups: tuple[tuple[Node, ...], ...]
    summary: Node | None = None
    loop: Node | None = None
    bridged: int = 0
    left_out: int = 0
