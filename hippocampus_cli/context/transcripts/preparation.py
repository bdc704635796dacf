"""What Pi hands over before a compaction: the messages to compact, the earlier summary, and where it goes on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from hippocampus_cli.context.transcripts.message import Record
from hippocampus_cli.context.transcripts.pi import message_of
from hippocampus_cli.context.transcripts.session import Messages
from hippocampus_cli.errors import TranscriptUnreadable

STANDARD_INPUT = "standard input"
_ID = 8  # hexadecimal digits


class Preparation(NamedTuple):
    """A preparation as it was given; ``raw`` is the whole object."""

    raw: Record
    messages: tuple[Record, ...]
    previous: str
    skipped: int

    def session(self) -> Messages:
        """The messages with ids of their own: what they say decides on them, so they are the same next time."""
        previous = None
        if self.previous:
            told = {"role": "compactionSummary", "summary": self.previous}
            previous = message_of(told, identity_of(told))
        return Messages([message_of(raw, identity_of(raw)) for raw in self.messages], previous)

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
        raise TranscriptUnreadable(path=STANDARD_INPUT, reason=f"no JSON: {error}") from None
    if not isinstance(raw, dict) or not isinstance(raw.get("messagesToSummarize"), list):
        reason = "it is no preparation of Pi: messagesToSummarize is missing"
        raise TranscriptUnreadable(path=STANDARD_INPUT, reason=reason)
    prefix = raw.get("turnPrefixMessages")
    given = [*raw["messagesToSummarize"], *(prefix if isinstance(prefix, list) else ())]
    messages = tuple(one for one in given if isinstance(one, dict))
    previous = raw.get("previousSummary")
    previous = previous if isinstance(previous, str) else ""
    return Preparation(raw, messages, previous, len(given) - len(messages))


def identity_of(raw: Record) -> str:
    """An id from what a message says."""
    text = json.dumps(raw, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_ID]


def _files(operations: Any) -> dict[str, Sequence[str]]:
    """Pi's own details: files that were only read, and files that were changed."""
    found: dict[str, set[str]] = {}
    for key in ("read", "written", "edited"):
        listed = operations.get(key) if isinstance(operations, dict) else None
        found[key] = (
            {one for one in listed or () if isinstance(one, str)}
            if isinstance(listed, list)
            else set()
        )
    changed = found["written"] | found["edited"]
    return {"readFiles": sorted(found["read"] - changed), "modifiedFiles": sorted(changed)}
