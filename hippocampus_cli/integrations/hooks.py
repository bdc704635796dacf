"""Answers to an agent's hooks (CONTEXT §14.3), the same for every agent; the dialects say how each one reads them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from hippocampus_cli.errors import HippoError, SessionNotFound
from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.integrations.hook_dialects import DIALECTS, HookAgent, Reply
from hippocampus_cli.integrations.hook_event import Event, text_of, whole_of, with_text
from hippocampus_cli.integrations.hook_log import note_opened
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.workspace.own_files import SESSIONS

if TYPE_CHECKING:
    from hippocampus_cli.config import Config
    from hippocampus_cli.context.lifecycle.context_session import ContextSessions
    from hippocampus_cli.context.transcripts import Format
    from hippocampus_cli.workspace.fence import Piece, Random

_OWN = pattern(
    r"(?:^|[;&|(]|(?<!\s)(?=\n))\s*+"
    r"(?:\w+=[^\s;&|(]*+\s++|(?:command|env|exec|pipx|run|sudo|time|uvx?)\s++)*+"
    r"(?:(?:[^\s;&|(]*/)?hippo(?:\.exe)?|[^\s;&|(]++\s++-m\s++hippocampus_cli)(?=\s|$)"
)
"""A command of hippo itself, and no folder of that name."""
_READING = pattern(
    r"\s*+(?:cd\s[^&;|]++&&\s*+)?(?:(?:bat|cat|head|less|more|tail|nl|jq|grep|rg|ag)\s|sed\s+-n\b"
    r"|git\s+(?:-C\s+\S+\s+)?(?:show|diff|log|blame|grep)\b)"
)
"""Commands whose output is what the agent set out to read: it is left alone, as the output of Read is."""
_CUT = pattern(r"^Warning: truncated output|…\d+ (?:chars|tokens|lines|bytes) truncated…")
"""What Codex writes into an output of which it hands over a part."""
_CONTEXT_END = "</hook_context>"  # before a first prompt Gemini CLI puts what was said at the start
_REF = 200  # characters
_NAMES = ("url", "pattern", "query")
_RESUMED = 100  # times that a session may go on after its end


class Found(NamedTuple):
    """What the memory brings unasked: the place of the answer, the pieces that tell it, how likely it answers, and in
    a word how sure that is."""

    place: str
    pieces: list[Piece]
    confidence: float
    sure: str


class Door(Protocol):
    """The workspace of an event; it is opened, and its settings are read, when something is asked of it.

    ``random`` gives so many random bytes; ``client`` is the agent's own folder. ``brief`` takes the bytes for its
    fence; ``recall`` finds nothing where it is not likely to answer what is asked with these ``odds``, and nothing is
    written back; ``end`` ends a session of this id, ``encode`` makes episodes of what is new in a session's file.
    """

    root: Path
    now: datetime
    agent: HookAgent
    client: Path
    has_index: bool
    random: Random

    @property
    def config(self) -> Config: ...
    def brief(self, random: Random) -> str: ...
    def recall(self, prompt: str, odds: float | None = None) -> Found | None: ...
    def end(self, session: str) -> None: ...
    def encode(self, path: str, form: Format | None) -> None: ...


def _sessions(door: Door) -> ContextSessions:
    """The workspace's sessions, with a shorter wait for another writer than elsewhere."""
    from hippocampus_cli.context.lifecycle.context_session import ContextSessions

    lock = door.config.lock._replace(timeout_seconds=door.config.hook.lock_seconds)
    return ContextSessions(door.root, door.config.replaced(lock=lock), door.now)


def reply_to(event: Event, door: Door) -> Reply | None:
    """The answer to the agent; ``None`` for nothing. Raises :class:`HippoError` of many kinds."""
    return _HANDLERS[event.name](event, door)


def _pre_compact(event: Event, door: Door) -> Reply | None:
    _encode(event, door)  # what is said before it is not in the window afterwards
    form = DIALECTS[door.agent].transcript
    if form is None:
        return None
    from hippocampus_cli.integrations.handover import save

    return Reply(instructions=save(event, form, _sessions(door), door.random))


def _session_start(event: Event, door: Door) -> Reply | None:
    if event.text("source") == "compact":
        from hippocampus_cli.integrations.handover import take

        kept = take(event, door.root)
        if kept is not None:
            return Reply(context=kept)
    if not door.has_index:
        return None
    from hippocampus_cli.integrations.recall import at_start, has_brief

    resumes = DIALECTS[door.agent].keeps_start and event.text("source") == "resume"
    if resumes and has_brief(door.root, event.session):
        return None
    return Reply(context=at_start(door, event.session))


def _user_prompt_submit(event: Event, door: Door) -> Reply | None:
    if not door.has_index:
        return None
    from hippocampus_cli.integrations.recall import at_prompt

    asked = event.text("prompt").rpartition(_CONTEXT_END)[2]
    text = at_prompt(door, event.session, asked)
    return None if text is None else Reply(context=text)


def _pre_tool_use(event: Event, door: Door) -> Reply | None:
    """What is likely about a command, or about a file that is to be edited."""
    most = door.config.hook.reminders
    given = _given(event)
    command = _command(given)
    file = str(given.get("file_path", "")).removeprefix(str(door.root)).lstrip("/\\")
    asked = command or file
    if not door.has_index or not asked or _OWN.search(command):
        return None
    from hippocampus_cli.integrations.recall import before_tool, opens

    if opens(door.root, event.session, asked):
        note_opened(door.root, door.now, door.agent, event.session)
    if not most or _READING.match(command):
        return None
    text = before_tool(door, event.session, asked, most)
    return None if text is None else Reply(context=text)


def _post_tool_use(event: Event, door: Door) -> Reply | None:
    if not DIALECTS[door.agent].replaces:
        return None
    response = event.record.get("tool_response")
    text = text_of(response)
    given = _given(event)
    command = _command(given)
    # what is small costs least, and what the agent fetches back must be seen
    if not _fades(event) and (
        _is_small(text, door) or _OWN.search(command) or _READING.match(command)
    ):
        return None
    whole = _whole(event, door, text)
    if whole is None:
        return None  # without the whole, the output stays as the agent shows it
    entry = _entry(event, door, whole, _ref(given, command))
    return None if entry is None else Reply(output=entry, whole=with_text(response, entry))


def _fades(event: Event) -> bool:
    """Whether one of hippo's own extensions drops an older result, whatever its size."""
    return event.record.get("fading") is True


def _is_small(text: str, door: Door) -> bool:
    return not text or tokens(text) <= door.config.hook.output_tokens


def _whole(event: Event, door: Door, text: str) -> bytes | None:
    """All of an output; ``None`` where the agent does not hand it over."""
    most = door.config.context.max_content_bytes
    if not DIALECTS[door.agent].shows_parts:
        data = text.encode("utf-8", "replace")
        return data if len(data) <= most and not _CUT.search(text) else None
    return whole_of(event, text, door.client, most)


def _stop(event: Event, door: Door) -> None:
    if (session := _kept(event, door)) is not None:
        with contextlib.suppress(SessionNotFound):  # it has ended
            _sessions(door).turn(session)


def _session_end(event: Event, door: Door) -> None:
    """End the session: what persists goes to MEMORY.md and the index, what was said to the episodes."""
    _encode(event, door)
    if (session := _kept(event, door)) is not None:
        with contextlib.suppress(SessionNotFound):
            door.end(session)


def _encode(event: Event, door: Door) -> None:
    path = event.text("transcript_path")
    if door.has_index and path:
        with contextlib.suppress(HippoError):  # upkeep and the next session make up for it
            door.encode(path, DIALECTS[door.agent].transcript)


def _kept(event: Event, door: Door) -> str | None:
    """The id under which the session was kept last; ``None`` where nothing was."""
    from hippocampus_cli.context.session_ids import check_id

    found = None
    for one in _ids(check_id(event.session)):
        if not (door.root / SESSIONS / one).is_dir():
            break
        found = one
    return found


_HANDLERS: dict[str, Callable[[Event, Door], Reply | None]] = {
    "PreCompact": _pre_compact,
    "SessionStart": _session_start,
    "UserPromptSubmit": _user_prompt_submit,
    "PreToolUse": _pre_tool_use,
    "PostToolUse": _post_tool_use,
    "Stop": _stop,
    "SessionEnd": _session_end,
}


def _entry(event: Event, door: Door, output: bytes, ref: str) -> str | None:
    """An output kept as an entry of the session, as the window shows it in a fence; ``None`` where policies
    leave it."""
    from hippocampus_cli.context.extract import shown
    from hippocampus_cli.context.lifecycle.window import heading
    from hippocampus_cli.workspace.fence import fenced, quoted

    sessions = _sessions(door)
    session = _begun(sessions, event.session)
    source = event.text("tool_name") or None
    entry = sessions.add(session, output, source=source, ref=ref)[1].entry
    if not entry.indexed:
        return None
    whole = f"hippo context get {entry.id} --session {session}"
    text = shown(entry.summary, entry.key_data)
    kept = quoted("tool", door.now.date(), heading(entry), text)
    way = f"Kept outside the window by hippo; the original: `{whole}`; a part: `--lines 1-9`, `--grep X`"
    return f"{fenced([kept], door.random)}\n{way}"


def _begun(sessions: ContextSessions, session: str) -> str:
    """The session's id, begun; a session that had ended and is resumed goes on under an id of its own."""
    for one in _ids(session):
        try:
            sessions.begin(one)
        except SessionNotFound:
            continue
        return one
    raise SessionNotFound(reason=f"{session} was ended too often", advice="begin another session")


def _ids(session: str) -> Iterator[str]:
    """The ids of a session: its own, and those under which it goes on after an end."""
    yield session
    yield from (f"{session}-{number}" for number in range(2, _RESUMED))


def _given(event: Event) -> dict[str, object]:
    """What a tool was called with."""
    asked = event.record.get("tool_input")
    return asked if isinstance(asked, dict) else {}


def _command(given: dict[str, object]) -> str:
    """The command that was run; of words in a list, the last is the script that a shell was given."""
    command = given.get("command", "")
    return str(command[-1]) if isinstance(command, list) and command else str(command)


def _ref(given: dict[str, object], command: str) -> str:
    """What a tool was called with, in a line."""
    named = (value for name in _NAMES if isinstance(value := given.get(name), str))
    return " ".join((command or next(named, "")).split())[:_REF]
