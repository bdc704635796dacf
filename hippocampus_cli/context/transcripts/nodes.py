"""The records of a transcript as a tree, and the branch from its root to a leaf.

What is remembered of each record of a transcript, so that the rest can stay on disk.

The way from a leaf to the root of a session's tree.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
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


class Branch(NamedTuple):
    """The nodes from the root to the leaf. ``loop`` is the node whose parents come back to it, if any does.

    ``bridged`` counts the parents that were lost in a broken line, where the line before that one stands in.
    """

    nodes: tuple[Node, ...]
    loop: Node | None = None
    bridged: int = 0


def branch_to(leaf: int, nodes: Sequence[Node], broken: Sequence[int]) -> Branch:
    """The branch that ends in ``nodes[leaf]``; ``broken`` are the numbers of lines that cannot be read.

    A parent that is nowhere ends the way, as in the agents themselves, but where a broken line may have
    held it: then the way goes on before that line, so that one damaged line does not hide all before it.
    """
    places = {node.id: at for at, node in enumerate(nodes)}
    found: list[Node] = []
    seen: set[int] = set()
    bridged = 0
    at: int | None = leaf
    while at is not None:
        if at in seen:
            return Branch(tuple(reversed(found)), nodes[at], bridged)
        seen.add(at)
        node = nodes[at]
        found.append(node)
        if node.parent is None:
            break
        above = places.get(node.parent)
        if above is None and at and _is_gap(nodes[at - 1], node, broken):
            bridged += 1
            above = at - 1
        at = above
    return Branch(tuple(reversed(found)), None, bridged)


def _is_gap(before: Node, after: Node, broken: Sequence[int]) -> bool:
    """Whether a broken line stands between the two."""
    at = bisect_right(broken, before.span.line)
    return at < len(broken) and broken[at] < after.span.line
