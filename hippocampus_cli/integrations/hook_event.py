"""What an agent passes to a hook, and the output that it gets back.

Claude Code replaces the output of any tool by ``updatedToolOutput``. Of a large output of a command it passes the
beginning alone, and the whole is in a file below its own folder:
``projects/PROJECT/SESSION/tool-results/NAME.txt``. An agent takes a replacement only if it has the shape of this
tool's output, so nothing but texts changes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hippocampus_cli.errors import FileUnreadable
from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.integrations.hook_dialects import CURSOR_EVENTS, HookAgent
from hippocampus_cli.markdown.lines import decode
from hippocampus_cli.workspace.own_files import is_inside
from hippocampus_cli.workspace.regular import read_regular

STANDARD_INPUT = "standard input"


class HookEventUnreadable(FileUnreadable):
    """The input of a hook is not an event."""

    code = "hook-event"
    what = "this is not a hook event: {reason}"
    next = "`hippo hook` is run by an agent; `hippo install` arranges that"


class Event(NamedTuple):
    """An event of one of the agent's sessions: hippo's name of it, and the whole object as the agent passes it."""

    name: str
    session: str
    record: dict[str, Any]

    def text(self, key: str) -> str:
        """A text of the record, empty where there is none."""
        value = self.record.get(key)
        return value if isinstance(value, str) else ""


def read_event(name: str, data: bytes, known_as: str | None) -> Event:
    """The event in ``data``, which the agent calls ``name``. Raises :class:`HookEventUnreadable`."""
    try:
        record = json.loads(data.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        raise _unreadable(f"not valid JSON: {error}") from None
    if not isinstance(record, dict):
        raise _unreadable("it is not an object")
    event = Event(known_as or name, "", record)
    stated = event.text("hook_event_name")
    if stated not in ("", name, event.name) and CURSOR_EVENTS.get(stated) != event.name:
        raise _unreadable(f"it is {event.text('hook_event_name')[:40]!r}, not {name[:40]!r}")
    session = event.text("session_id") or event.text("conversation_id")
    if not session:
        raise _unreadable("session_id is missing")
    return event._replace(session=session)


def agent_of(event: Event) -> HookAgent:
    """Who runs a hook that is written for Claude Code: others do, too."""
    if "cursor_version" in event.record:
        return "cursor"
    return "copilot" if "timestamp" in event.record else "claude-code"


def _unreadable(reason: str) -> HookEventUnreadable:
    return HookEventUnreadable(path=STANDARD_INPUT, reason=reason)


PERSISTED = ("persistedOutputPath", "persistedOutputSize")
"""Where a large output is, and its size in bytes."""
_RESULTS = "tool-results"
_CUT = pattern(r"\[\d+ (?:lines?|characters?) truncated\](?: \.\.\.)?\s*\Z")
_BEGINNING = 1_000  # characters


def whole_of(event: Event, text: str, folder: Path, most: int) -> bytes | None:
    """All of an output of Claude Code's whose passages are ``text``, or None where it is not available.

    ``folder`` is Claude Code's own. A file of its own counts only for this session, without a link, in its size and
    where the output begins as the file does; more than ``most`` bytes are too many.
    """
    output = event.record.get("tool_response")
    fields = output if isinstance(output, dict) else {}
    if fields.get("truncated") or fields.get("appliedLimit") or _CUT.search(text):
        return None
    if not any(key in fields for key in PERSISTED):
        return text.encode("utf-8", "replace")
    place = _result_file(event, fields, folder)
    try:
        data = b"" if place is None else read_regular(place, most + 1)
    except (OSError, ValueError):
        return None
    size = fields.get("persistedOutputSize")
    whole = decode(data)
    beginning = text.strip()[:_BEGINNING]
    if not data or len(data) > most or size not in (None, len(data)) or beginning not in whole:
        return None
    said = fields.get("stderr")
    if isinstance(said, str) and said.strip() and said.strip() not in whole:
        data += b"\n" + said.encode("utf-8", "replace")
    return data


def _result_file(event: Event, fields: dict[str, Any], folder: Path) -> Path | None:
    """The file of an output, where it is one of this session's, below Claude Code's folder and behind no link."""
    stated = Path(str(fields.get("persistedOutputPath")))
    if not stated.is_absolute() or "\0" in str(stated) or stated.is_symlink():
        return None
    real, projects = Path(os.path.realpath(stated)), Path(os.path.realpath(folder), "projects")
    inside = real.relative_to(projects).parts if is_inside(projects, real) else ()
    own = len(inside) == 4 and inside[1:3] == (event.session, _RESULTS)
    return real if own else None


_PASSAGE = 200  # characters from which a text is more than a name
_NO_TEXT = ("data", "base64")  # where an image is


def text_of(output: Any) -> str:
    """All passages of an output, a line break between them."""
    return "\n".join(_passages(output))


def with_text(output: Any, text: str) -> Any:
    """The output with ``text`` for its first passage, the others empty."""
    if isinstance(output, dict):
        # the copy of a long output on disk would be shown instead of the replacement
        output = {key: value for key, value in output.items() if key not in PERSISTED}
    return _filled(output, iter([text]))


def _passages(value: Any) -> Iterator[str]:
    if (passage := _passage(value)) is not None:
        yield passage
    elif isinstance(value, (dict, list)):
        for part in _texts_in(value).values():
            yield from _passages(part)


def _filled(value: Any, texts: Iterator[str]) -> Any:
    if _passage(value) is not None:
        text = next(texts, "")
        return text if isinstance(value, str) else [text]
    if isinstance(value, dict):
        return value | {key: _filled(part, texts) for key, part in _texts_in(value).items()}
    if isinstance(value, list):
        return [_filled(part, texts) for part in value]
    return value


def _passage(value: Any) -> str | None:
    """A long text, or a list of lines that is one."""
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        value = "\n".join(value)
    return value if isinstance(value, str) and len(value) > _PASSAGE else None


def _texts_in(value: dict[str, Any] | list[Any]) -> dict[Any, Any]:
    """The parts of a value that may be, or hold, texts."""
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    return {key: part for key, part in parts if key not in _NO_TEXT}
