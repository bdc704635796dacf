"""The ways of keeping a window small: hippo's, and those that it is compared with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from bench.context.reference import build, defaults, score
from bench.context.values import says
from hippocampus_cli.config.context import Compaction, Context
from hippocampus_cli.context.compaction import compact
from hippocampus_cli.context.lifecycle.consolidate import ContextEntryState, consolidate
from hippocampus_cli.context.lifecycle.ingest import IngestRequest, ingest, placed
from hippocampus_cli.context.lifecycle.policies import built_in
from hippocampus_cli.context.lifecycle.session import ContextEntry, ContextSession, touch
from hippocampus_cli.context.lifecycle.window import compose, heading, sparse
from hippocampus_cli.context.transcripts import Message
from hippocampus_cli.context.transcripts.message import Messages
from hippocampus_cli.markdown.tokens import tokens

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


_ENTRY = re.compile(r"^\[(ctx_\d+)\]", re.MULTILINE)
_POINTER = re.compile(r"#([0-9a-f]{8})\b")
_SUMMARY = 0.9  # of what may stand for the past; the rest is the index of entries


class Lifecycle(Everything):
    """A result stands whole in the turn that asked for it, then as its entry; fetching it is an access.

    Above the limit the newest talk stays, all before is compacted, and the entries that were in it go on in an
    index beside the summary, the strongest first.
    """

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit
        memory = int(limit * MEMORY)
        summary = int(memory * _SUMMARY)
        self._compaction = Compaction(tokens=summary, sparse_tokens=summary)
        self._context = Context(window_tokens=memory - summary)
        self._policies = built_in(self._context.instruction_words)
        self._session = ContextSession("bench", "", "")
        self._summary = self._index = ""
        self._older: list[Message] = []
        self._calls: dict[str, str] = {}
        self._entries: dict[str, str] = {}  # of messages, by their ids
        self._originals: dict[str, str] = {}  # of entries and messages
        self._texts: dict[tuple[str, bool], str] = {}  # of entries, active or not

    @property
    def tokens(self) -> int:
        return super().tokens + tokens(self._summary) + tokens(self._index)

    def texts(self) -> Iterator[str]:
        yield from super().texts()
        yield from (self._summary, self._index)

    def reach(self, fact: str) -> Reach:
        if super().reach(fact).verbatim:
            return Reach(True)
        for pointer in self._pointers():
            original = self._originals[pointer]
            if says(original, fact):
                if pointer in self._session.entries:
                    self._session = touch(self._session, [pointer])
                return Reach(False, tokens(original))
        return Reach(False)

    def hear(self, messages: Sequence[Message]) -> None:
        super().hear(messages)
        for message in messages:
            self._originals[message.id] = text_of(message)
            self._calls.update((part.call, part.argument[1]) for part in message.calls)
            if (entry := self._entry(message)) is not None:
                self._session = self._session.with_entries([entry])
                self._entries[message.id] = entry.id
                self._originals[entry.id] = message.text

    def settle(self) -> None:
        turned = consolidate(self._session, self._context)
        self._session = turned.session
        standings = {one.entry.id: one for one in turned.standings}
        self.talk = [self._faded(one, standings) for one in self.talk]
        at = cut(self.talk, int(self._limit * KEEP))
        if at and self.tokens > self._limit:
            self._compact(at)
            self._index = self._compose(turned.standings)

    def _entry(self, message: Message) -> ContextEntry | None:
        """The entry of a result, or of an instruction of the user's."""
        if message.role == "tool":
            wish = IngestRequest(
                "tool_result", message.tool or None, self._calls.get(message.call, "")
            )
        elif message.role == "user":
            wish = IngestRequest("message")
        else:
            return None
        content = message.text.encode("utf-8", "replace")
        made = ingest(content, wish, self._policies, self._context, exact=False).entry
        if wish.type == "message" and not made.indexed:
            return None
        return placed(made, self._session.next_id, self._session.turn, ())

    def _faded(self, one: Shown, standings: dict[str, ContextEntryState]) -> Shown:
        """A result as its entry stands; what the user said stays as it is."""
        key = self._entries.get(one.message.id)
        if key is None or one.message.role != "tool":
            return one
        entry, active = standings[key].entry, standings[key].state == "active"
        if active and not entry.indexed:
            return one
        text = self._texts.get((key, active))
        if text is None:
            text = self._texts[key, active] = sparse(entry) if active else heading(entry)
        return Shown(one.message, text, tokens(text))

    def _compact(self, at: int) -> None:
        self._older += [shown.message for shown in self.talk[:at]]
        del self.talk[:at]
        self._summary = compact(Messages(self._older), self._compaction).summary
        self.compactions += 1

    def _compose(self, standings: Sequence[ContextEntryState]) -> str:
        """The window of the entries that do not stand in the talk."""
        there = {self._entries.get(one.message.id) for one in self.talk}
        active = [one for one in standings if one.state == "active" and one.entry.id not in there]
        budget = self._context.window_tokens
        return compose(active, budget, lambda entry: self._originals[entry.id]).text

    def _pointers(self) -> Iterator[str]:
        """The ids that an agent sees, those of its talk first."""
        keys = (self._entries.get(one.message.id) for one in self.talk)
        yield from (key for key in keys if key)
        yield from (key for key in _ENTRY.findall(self._index) if key in self._originals)
        yield from (key for key in _POINTER.findall(self._summary) if key in self._originals)
