"""What Pi hands over before a compaction, and the answer to it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Sequence
from itertools import zip_longest
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

    Each message has its id in ``file``, the session's own, empty where Pi gives none.
    """

    raw: Record
    messages: tuple[tuple[str, Record], ...]
    previous: str
    skipped: int
    name: str = ""
    file: str = ""

    @property
    def key(self) -> str:
        """What names the session where it is in no file: its id, else what it begins with."""
        return self.name or f"unnamed-{identity_of(self.messages[0][1] if self.messages else {})}"

    def session(self, known: Container[str] = ()) -> Messages:
        """The messages with their ids, Pi's own where they are ``known`` to be in its file.

        Others have ids of their own: what they say decides on them, so they are the same next time.
        """
        previous = None
        if self.previous:
            told = {"role": "compactionSummary", "summary": self.previous}
            previous = message_of(told, identity_of(told))
        messages = [
            message_of(
                raw,
                given if given in known else identity_of(raw),
                timestamp=time_of(raw.get("timestamp")),
            )
            for given, raw in self.messages
        ]
        return Messages(messages, previous)

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
        raise TranscriptUnreadable(path=STANDARD_INPUT, reason=f"not JSON: {error}") from None
    if not isinstance(raw, dict) or not isinstance(raw.get("messagesToSummarize"), list):
        reason = "it is not a preparation of Pi: messagesToSummarize is missing"
        raise TranscriptUnreadable(path=STANDARD_INPUT, reason=reason)
    prefix = raw.get("turnPrefixMessages")
    given = [*raw["messagesToSummarize"], *(prefix if isinstance(prefix, list) else ())]
    session = next(iter(dicts_in([raw.get("session")])), {})
    ids = session.get("entryIds")
    ids = ids if isinstance(ids, list) else []
    pairs = zip_longest(ids[: len(given)], given)
    messages = [(word(key), raw) for key, raw in pairs if isinstance(raw, dict)]
    return Preparation(
        raw,
        tuple(messages),
        word(raw.get("previousSummary")),
        len(given) - len(messages),
        word(session.get("id")),
        word(session.get("file")),
    )


def identity_of(raw: Record) -> str:
    """An id from what a message says."""
    text = json.dumps(raw, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_ID]


def _files(operations: object) -> dict[str, Sequence[str]]:
    """Pi's own details: files that were only read, and files that were changed."""

    def listed(key: str) -> set[str]:
        paths = operations.get(key) if isinstance(operations, dict) else None
        return set(filter(None, map(word, paths))) if isinstance(paths, list) else set()

    changed = listed("written") | listed("edited")
    return {"readFiles": sorted(listed("read") - changed), "modifiedFiles": sorted(changed)}
