"""The ways of keeping a window small that hippo is compared with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from hippocampus_cli.benchmarks.context.values import says
from hippocampus_cli.context.compaction.reference.scoring import score
from hippocampus_cli.context.compaction.reference.settings import defaults
from hippocampus_cli.context.compaction.reference.summary import build
from hippocampus_cli.context.transcripts import Message
from hippocampus_cli.index.budget import tokens

KEEP, MEMORY = 0.1, 0.6
"""Shares of a limit: what of the newest talk a compaction leaves as it is, and what may stand for all before."""


class Reach(NamedTuple):
    """How a fact can be had: ``verbatim`` in the window, or by one fetch that brings ``fetched`` tokens into it."""

    verbatim: bool
    fetched: int = 0

    @property
    def lost(self) -> bool:
        """Whether it cannot be had."""
        return not self.verbatim and not self.fetched


class Carrier(Protocol):
    """A window over a session."""

    compactions: int

    @property
    def tokens(self) -> int:
        """What stands in the window, without the system prompt."""

    def reach(self, fact: str) -> Reach:
        """How a fact can be had now."""

    def hear(self, messages: Sequence[Message]) -> None:
        """What is said in a turn, all of it in the window while the turn lasts."""

    def settle(self) -> None:
        """The turn is over."""


class Shown(NamedTuple):
    """A message, and the text that stands for it in the window."""

    message: Message
    text: str
    tokens: int

    @classmethod
    def whole(cls, message: Message) -> Shown:
        """The message as it is."""
        return cls(message, text_of(message), message.tokens)


class Everything:
    """No lifecycle: all is carried on."""

    def __init__(self) -> None:
        self.compactions = 0
        self.talk: list[Shown] = []

    @property
    def tokens(self) -> int:
        return sum(one.tokens for one in self.talk)

    def texts(self) -> Iterator[str]:
        """All that stands in the window, the newest talk first."""
        yield from (one.text for one in reversed(self.talk))

    def reach(self, fact: str) -> Reach:
        return Reach(any(says(text, fact) for text in self.texts()))

    def hear(self, messages: Sequence[Message]) -> None:
        self.talk.extend(map(Shown.whole, messages))

    def settle(self) -> None:
        """Nothing is ever let go."""


class Truncated(Everything):
    """Sliding window: what does not fit any more is dropped, the oldest first."""

    def __init__(self, limit: int) -> None:
        """``limit`` tokens stay after a turn, without the system prompt."""
        super().__init__()
        self._limit = limit

    def settle(self) -> None:
        if self.tokens > self._limit:
            self.talk = self.talk[cut(self.talk, self._limit) :]
            self.compactions += 1


class Reference(Everything):
    """The reference: above the limit its summary stands for all but the newest talk.

    Each summary holds the one before it whole, so that they grow; ``memory``, a share of the limit, bounds them: what
    the summary before is more than that leaves room for is cut off, and at last the end of the new one. ``keep`` is
    the share of the newest talk that stays as it is.
    """

    def __init__(self, limit: int, keep: float = KEEP, memory: float | None = None) -> None:
        super().__init__()
        self._limit = limit
        self._keep = int(limit * keep)
        self._most = None if memory is None else 4 * int(limit * memory)  # characters
        self._summary = ""
        self._settings = defaults()

    @property
    def tokens(self) -> int:
        return super().tokens + tokens(self._summary)

    def texts(self) -> Iterator[str]:
        yield from super().texts()
        yield self._summary

    def settle(self) -> None:
        at = cut(self.talk, self._keep)
        if self.tokens <= self._limit or not at:
            return
        older, self.talk = self.talk[:at], self.talk[at:]
        raws = [dict(one.message.raw) for one in older]
        scored = score(raws, self._settings)
        if self._most is None:
            self._summary = build(scored, raws, self._settings, self._summary)
        else:
            bare = build(scored, raws, self._settings)
            room = max(0, self._most - len(bare))
            self._summary = build(scored, raws, self._settings, self._summary[:room])[: self._most]
        self.compactions += 1


def cut(talk: Sequence[Shown], keep: int) -> int:
    """Where the newest ``keep`` tokens of talk begin; never at a tool's result."""
    at, size = len(talk), 0
    while at and size + talk[at - 1].tokens <= keep:
        at -= 1
        size += talk[at].tokens
    while at < len(talk) and talk[at].message.role == "tool":
        at += 1
    return at


def text_of(message: Message) -> str:
    """All that a message says: its calls too."""
    return "\n".join(part.text for part in message.parts if part.text)
