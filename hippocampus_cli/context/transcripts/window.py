"""The turns of a transcript, and those of them that are in the agent's window."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from hippocampus_cli.context.transcripts.message import Message
from hippocampus_cli.context.transcripts.records import RecordSpan

TurnKind = Literal["message", "summary", "outside"]


class Turn(NamedTuple):
    """What a record says, and what a window needs to know of it: who it is, and whose child.

    What is ``outside`` says nothing in the window. ``back`` is the id that a rewind goes back to. ``group`` joins
    records that are one message. The messages have no id, line, time and tool of their own yet unless the record
    says them; in a window they are not held: ``calls`` are then the ids and names of the tools they call, ``answers``
    the ids of the calls they answer, and ``size`` says how many they are.
    """

    id: str
    messages: Sequence[Message]
    kind: TurnKind = "message"
    parent: str | None = None
    back: str = ""
    group: str = ""
    span: RecordSpan = RecordSpan(0, 0, 0)
    calls: tuple[tuple[str, str], ...] = ()
    answers: tuple[str, ...] = ()
    size: int = 1


def as_summary(turn: Turn) -> Turn:
    """The turn as what a compaction left."""
    return turn._replace(kind="summary", messages=[turn.messages[0]._replace(role="summary")])


class TranscriptWindow(NamedTuple):
    """What was said on the way to the last message, oldest first: groups of records, each one message or several;
    ``branch`` are the turns from the root to the leaf."""

    groups: tuple[tuple[Turn, ...], ...]
    branch: tuple[Turn, ...] = ()


def line_window(nodes: Sequence[Turn], broken: Sequence[int]) -> TranscriptWindow:
    """The window of turns that follow each other."""
    return _window(nodes, nodes)


def tree_window(
    nodes: Sequence[Turn], broken: Sequence[int], *, sidechains: bool = False
) -> TranscriptWindow:
    """The window of turns that name their parents: the branch that ends in the last of them.

    A message that was rewritten is left out with all that followed it. With ``sidechains`` the last that was said in
    the conversation itself is the end, and what answers a call of the branch, or belongs to one of its messages, is
    part of it.
    """
    leaf = next(
        (
            place
            for place in reversed(range(len(nodes)))
            if not sidechains or nodes[place].kind != "outside"
        ),
        None,
    )
    if leaf is None:
        return TranscriptWindow(())
    branch = branch_to(leaf, nodes, broken)
    return _window(branch, _with_answers(nodes, branch) if sidechains else branch)


def branch_to(leaf: int, nodes: Sequence[Turn], broken: Sequence[int]) -> tuple[Turn, ...]:
    """The branch that ends in ``nodes[leaf]``; ``broken`` are the numbers of lines that cannot be read.

    A parent that is nowhere ends the way, as in the agents themselves, but where a broken line may have
    held it: then the way goes on before that line, so that one damaged line does not hide all before it.
    """
    places = {node.id: place for place, node in enumerate(nodes)}
    way: dict[int, Turn] = {}
    place: int | None = leaf
    while place is not None and place not in way:  # parents may form a loop
        node = way[place] = nodes[place]
        above = None if node.parent is None else places.get(node.parent)
        if above is None and node.parent is not None and place:
            before = bisect_right(broken, nodes[place - 1].span.line)
            if before < bisect_right(broken, node.span.line):
                above = place - 1
        place = above
    return tuple(reversed(way.values()))


def _window(branch: Sequence[Turn], seen: Iterable[Turn]) -> TranscriptWindow:
    """The messages of those nodes that are seen."""
    groups: dict[object, list[Turn]] = {}
    for node in seen:
        if node.kind == "message":
            groups.setdefault(node.group or node.span.offset, []).append(node)
    return TranscriptWindow(tuple(map(tuple, groups.values())), tuple(branch))


def _with_answers(nodes: Sequence[Turn], way: Sequence[Turn]) -> Iterator[Turn]:
    """The nodes of the way and those that belong to it, in the order of the file."""
    on_way = {node.span.offset for node in way}
    groups = {node.group for node in way if node.group}

    def belongs(node: Turn) -> bool:
        return node.span.offset in on_way or node.group in groups

    called = {call for node in nodes if belongs(node) for call, _ in node.calls}
    return (node for node in nodes if belongs(node) or called.intersection(node.answers))
