"""What Pi hands over before a compaction: the messages to compact, the earlier summary, and where it goes on."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Container, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from hippocampus_cli.context.transcripts.message import Record
from hippocampus_cli.context.transcripts.pi import message_of
from hippocampus_cli.context.transcripts.session import Messages
from hippocampus_cli.errors import TranscriptUnreadable

STANDARD_INPUT = "standard input"
_ID = 8  # hexadecimal digits
_LONG_ID = 32
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")


class Preparation(NamedTuple):
    """A preparation as it was given; ``raw`` is the whole object.

    ``file`` is the session's own file and ``ids`` are the messages' ids in it, empty where Pi gives none.
    """

    raw: Record
    messages: tuple[Record, ...]
    previous: str
    skipped: int
    name: str = ""
    file: str = ""
    ids: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """What names the session where it is in no file: its id, else what it begins with."""
        return self.name or f"unnamed-{identity_of(self.messages[0] if self.messages else {})}"

    def session(self, known: Container[str] = ()) -> Messages:
        """The messages with their ids, Pi's own where they are ``known`` to be in its file.

        Others have ids of their own: what they say decides on them, so they are the same next time.
        """
        previous = None
        if self.previous:
            told = {"role": "compactionSummary", "summary": self.previous}
            previous = message_of(told, identity_of(told))
        own = self.ids or ("",) * len(self.messages)
        taken: dict[str, Record] = {}
        messages = []
        for raw, given in zip(self.messages, own, strict=True):
            key = given if given in known else identity_of(raw)
            if taken.setdefault(key, raw) != raw:  # cut to eight digits, two can be the same
                key = identity_of(raw, _LONG_ID)
            messages.append(message_of(raw, key, timestamp=_time(raw.get("timestamp"))))
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
        raise TranscriptUnreadable(path=STANDARD_INPUT, reason=f"no JSON: {error}") from None
    if not isinstance(raw, dict) or not isinstance(raw.get("messagesToSummarize"), list):
        reason = "it is no preparation of Pi: messagesToSummarize is missing"
        raise TranscriptUnreadable(path=STANDARD_INPUT, reason=reason)
    prefix = raw.get("turnPrefixMessages")
    given = [*raw["messagesToSummarize"], *(prefix if isinstance(prefix, list) else ())]
    messages = tuple(one for one in given if isinstance(one, dict))
    told = raw.get("session")
    session = told if isinstance(told, dict) else {}
    ids = session.get("entryIds")
    ids = ids if isinstance(ids, list) and len(ids) == len(given) else [""] * len(given)
    own = (_text(key) for key, one in zip(ids, given, strict=True) if isinstance(one, dict))
    name = _text(session.get("id"))
    return Preparation(
        raw,
        messages,
        _text(raw.get("previousSummary")),
        len(given) - len(messages),
        name if _NAME.fullmatch(name) else "",
        _text(session.get("file")),
        tuple(own),
    )


def identity_of(raw: Record, digits: int = _ID) -> str:
    """An id from what a message says."""
    text = json.dumps(raw, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:digits]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _time(value: object) -> str | None:
    """When a message was said, which Pi tells in milliseconds; None where that is no time."""
    if not isinstance(value, (int, float)):
        return None
    try:
        return datetime.fromtimestamp(value / 1000, UTC).isoformat()
    except (ArithmeticError, ValueError, OSError):
        return None


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
