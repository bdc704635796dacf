"""What a client's module offers: how its files are told, and what a record of them says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from hippocampus_cli.context.transcripts.message import Message, Record
from hippocampus_cli.context.transcripts.window import Node, TurnKind, Window


class Place(NamedTuple):
    """Where a record stands: its line, 1-based, how many turns came before it, and the id of the last of them."""

    line: int
    number: int = 0
    before: str | None = None


class Turn(NamedTuple):
    """What a record says. ``back`` and ``group`` are as in :class:`Node`.

    The messages have no id, parent, line, time and tool of their own yet unless the record says them.
    """

    id: str
    messages: Sequence[Message]
    kind: TurnKind = "message"
    parent: str | None = None
    back: str = ""
    group: str = ""


class Client(NamedTuple):
    """A client's files. ``fits`` says whether the first records of a file are its; ``read`` gives the turn of a
    record, None for one that is no link of the conversation.

    In a ``tree`` each turn names its parent; else they follow each other. With ``sidechains`` a file also holds
    conversations beside its own. ``window`` is the client's own way to what is in the window.
    """

    fits: Callable[[Sequence[Record]], bool]
    read: Callable[[Record, Place], Turn | None]
    tree: bool = False
    sidechains: bool = False
    window: Callable[[Sequence[Node]], Window] | None = None
