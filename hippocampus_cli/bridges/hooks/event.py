"""What an agent hands to a hook."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from hippocampus_cli.errors import HookEventUnreadable

STANDARD_INPUT = "standard input"


class Event(NamedTuple):
    """An event by its name, of one of the agent's sessions; ``record`` is the whole object."""

    name: str
    session: str
    record: dict[str, Any]

    def text(self, key: str) -> str:
        """A text of the record, empty where there is none."""
        value = self.record.get(key)
        return value if isinstance(value, str) else ""


def read_event(name: str, data: bytes) -> Event:
    """The event in ``data``. Raises :class:`HookEventUnreadable`."""
    try:
        record = json.loads(data.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        raise _unreadable(f"no JSON: {error}") from None
    if not isinstance(record, dict):
        raise _unreadable("it is not an object")
    event = Event(name, "", record)
    if event.text("hook_event_name") not in ("", name):
        raise _unreadable(f"it is {event.text('hook_event_name')[:40]!r}, not {name[:40]!r}")
    if not event.text("session_id"):
        raise _unreadable("session_id is missing")
    return event._replace(session=event.text("session_id"))


def _unreadable(reason: str) -> HookEventUnreadable:
    return HookEventUnreadable(path=STANDARD_INPUT, reason=reason)
