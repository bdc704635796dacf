"""What Pi hands over before a compaction, and the answer to it."""

from __future__ import annotations

import hashlib
import json
from typing import NamedTuple

from hippocampus_cli.context.transcripts.message import (
    Messages,
    Record,
    dicts_in,
    time_of,
    word,
)
from hippocampus_cli.context.transcripts.pi import message_of
from hippocampus_cli.errors import TranscriptUnreadable

STANDARD_INPUT = "standard input"
_ID = 16  # hexadecimal digits; a summary cuts them


class Preparation(NamedTuple):
    """A preparation as it was given; ``raw`` is the whole object.

    ``file`` is the session's own file, empty where Pi gives none; ``name`` is the session's id.
    """

    raw: Record
    messages: tuple[Record, ...]
    name: str
    file: str

    @property
    def key(self) -> str:
        """What names the session where it is in no file: its id, else what it begins with."""
        return self.name or f"unnamed-{identity_of(self.messages[0] if self.messages else {})}"

    def session(self) -> Messages:
        """The messages and the summary before them; what they say decides on their ids: the same next time."""
        previous = {"role": "compactionSummary", "summary": word(self.raw.get("previousSummary"))}
        messages = [
            message_of(raw, identity_of(raw), timestamp=time_of(raw.get("timestamp")))
            for raw in self.messages
        ]
        told = message_of(previous, identity_of(previous)) if previous["summary"] else None
        return Messages(messages, told)

    def answer(self, summary: str) -> dict[str, object]:
        """The compaction."""
        passed = ("firstKeptEntryId", "tokensBefore")
        return {"summary": summary, **{key: self.raw[key] for key in passed if key in self.raw}}


def read_preparation(text: str) -> Preparation:
    """The preparation in ``text``. Raises :class:`TranscriptUnreadable`."""
    try:
        raw = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise TranscriptUnreadable(path=STANDARD_INPUT, reason=f"not JSON: {error}") from None
    if not isinstance(raw, dict) or not isinstance(raw.get("messagesToSummarize"), list):
        reason = "it is not a preparation of Pi: messagesToSummarize is missing"
        raise TranscriptUnreadable(path=STANDARD_INPUT, reason=reason)
    given = [*raw["messagesToSummarize"], *dicts_in(raw.get("turnPrefixMessages"))]
    session = next(iter(dicts_in([raw.get("session")])), {})
    name, file = word(session.get("id")), word(session.get("file"))
    return Preparation(raw, tuple(dicts_in(given)), name, file)


def identity_of(raw: Record) -> str:
    """An id from what a message says."""
    text = json.dumps(raw, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_ID]
