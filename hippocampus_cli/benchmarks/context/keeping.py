"""hippo's way: results fade to entries after their turn, and above the limit the talk is compacted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hippocampus_cli.benchmarks.context.carrying import (
    KEEP,
    MEMORY,
    Everything,
    Reach,
    Shown,
    cut,
    text_of,
)
from hippocampus_cli.benchmarks.context.values import says
from hippocampus_cli.config.compaction import Compaction
from hippocampus_cli.config.context import Context
from hippocampus_cli.context.compaction import compact
from hippocampus_cli.context.lifecycle.consolidate import Standing, consolidate
from hippocampus_cli.context.lifecycle.entry import ContextEntry
from hippocampus_cli.context.lifecycle.intake import Wish, placed, take_in
from hippocampus_cli.context.lifecycle.policies import built_in
from hippocampus_cli.context.lifecycle.session import Session, touch
from hippocampus_cli.context.lifecycle.window import compose, heading, sparse
from hippocampus_cli.context.transcripts import Message
from hippocampus_cli.context.transcripts.pi import message_of
from hippocampus_cli.context.transcripts.session import Messages
from hippocampus_cli.index.budget import tokens

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
        self._session = Session("bench", "", "")
        self._summary = self._index = ""
        self._calls: dict[str, str] = {}
        self._entries: dict[str, str] = {}  # of messages, by their ids
        self._originals: dict[str, str] = {}  # of entries and messages

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
            wish = Wish("tool_result", message.tool or None, self._calls.get(message.call, ""))
        elif message.role == "user":
            wish = Wish("message")
        else:
            return None
        content = message.text.encode("utf-8", "replace")
        made = take_in(content, wish, self._policies, self._context, exact=False).entry
        if wish.type == "message" and not made.indexed:
            return None
        return placed(made, self._session.next_id, self._session.turn, ())

    def _faded(self, one: Shown, standings: dict[str, Standing]) -> Shown:
        """A result as its entry stands; what the user said stays as it is."""
        key = self._entries.get(one.message.id)
        if key is None or one.message.role != "tool":
            return one
        entry = standings[key].entry
        if standings[key].state != "active":
            text = heading(entry)
        elif entry.indexed:
            text = sparse(entry)
        else:
            return one
        return Shown(one.message, text, tokens(text))

    def _compact(self, at: int) -> None:
        older, self.talk = self.talk[:at], self.talk[at:]
        before = {"role": "compactionSummary", "summary": self._summary}
        previous = message_of(before, "summary") if self._summary else None
        given = Messages([one.message for one in older], previous)
        self._summary = compact(given, self._compaction).summary
        self.compactions += 1

    def _compose(self, standings: Sequence[Standing]) -> str:
        """The window of the entries that do not stand in the talk."""
        there = {self._entries.get(one.message.id) for one in self.talk}
        active = [one for one in standings if one.state == "active" and one.entry.id not in there]
        budget = self._context.window_tokens
        return compose(active, budget, lambda entry: self._originals[entry.id]).text

    def _pointers(self) -> Iterator[str]:
        """The ids that an agent sees, those of its talk first."""
        keys = (self._entries.get(one.message.id) for one in self.talk)
        yield from (key for key in keys if key)
        yield from (key for key in self._session.entries if f"[{key}]" in self._index)
        yield from (key for key in _POINTER.findall(self._summary) if key in self._originals)
