"""Answers to an agent's hooks (CONTEXT §14.3)."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hippocampus_cli.errors import UsageError
from hippocampus_cli.integrations.hook_event import Event
from hippocampus_cli.workspace.own_files import SESSIONS

if TYPE_CHECKING:
    from hippocampus_cli.config import Config
    from hippocampus_cli.context.lifecycle.context_session import ContextSessions
    from hippocampus_cli.integrations.recall import Memory
    from hippocampus_cli.workspace.fence import Random

Answer = dict[str, Any]
_OWN = re.compile(r"(?:^|[\s;&|(/])(?:hippo(?:\.exe)?|hippocampus_cli)\s")
_READING = re.compile(
    r"\s*(?:cd\s+[^&;|]+&&\s*)?(?:(?:bat|cat|head|less|more|tail|nl|jq|grep|rg|ag)\s|sed\s+-n\b"
    r"|git\s+(?:-C\s+\S+\s+)?(?:show|diff|log|blame|grep)\b)"
)
"""Commands whose output is what the agent set out to read: it is left alone, as the output of Read is."""
_REF = 200  # characters
_NAMES = ("command", "url", "pattern", "query")


class HookContext(NamedTuple):
    """Where a hook works; its settings are read when they are needed.

    ``random`` gives so many random bytes; ``client`` is the agent's own folder, ``agent`` what it says of itself in
    AI_AGENT, ``memory`` what is asked where there is an index.
    """

    root: Path
    settings: Callable[[], Config]
    now: datetime
    random: Random
    client: Path
    agent: str = ""
    memory: Callable[[], Memory] | None = None

    def sessions(self) -> ContextSessions:
        """The workspace's sessions, with a shorter wait for another writer than elsewhere."""
        from hippocampus_cli.context.lifecycle.context_session import ContextSessions

        config = self.settings()
        lock = config.lock._replace(timeout_seconds=config.hook.lock_seconds)
        return ContextSessions(self.root, config.replaced(lock=lock), self.now)


def answer(event: Event, hook: HookContext) -> Answer | None:
    """The answer to the agent; ``None`` for none. Raises :class:`HippoError` of many kinds."""
    act = _HANDLERS.get(event.name)
    if act is None:
        reason = f"unknown hook {event.name[:40]!r}"
        raise UsageError(reason=reason, advice=f"the hooks are {', '.join(_HANDLERS)}")
    return act(event, hook)


def _pre_compact(event: Event, hook: HookContext) -> None:
    from hippocampus_cli.integrations.handover import save

    save(event, hook.sessions(), hook.random)


def _session_start(event: Event, hook: HookContext) -> Answer | None:
    if event.text("source") == "compact":
        from hippocampus_cli.integrations.handover import take

        kept = take(event, hook.root)
        return None if kept is None else _specific(event, additionalContext=kept)
    if hook.memory is None:
        return None
    from hippocampus_cli.integrations.recall import at_start

    return _specific(event, additionalContext=at_start(hook.memory(), event.session))


def _user_prompt_submit(event: Event, hook: HookContext) -> Answer | None:
    if hook.memory is None:
        return None
    from hippocampus_cli.integrations.recall import at_prompt

    text = at_prompt(hook.memory(), hook.root, event.session, event.text("prompt"))
    return None if text is None else _specific(event, additionalContext=text)


def _post_tool_use(event: Event, hook: HookContext) -> Answer | None:
    from hippocampus_cli.integrations.hook_event import (
        REPLACES_FROM,
        text_of,
        version_of,
        whole_of,
        with_text,
    )
    from hippocampus_cli.markdown.tokens import tokens

    output = event.record.get("tool_response")
    text = text_of(output)
    asked = event.record.get("tool_input")
    given = asked if isinstance(asked, dict) else {}
    settings = hook.settings()
    command = str(given.get("command", ""))
    own = _OWN.search(command)  # what the agent fetches back must be seen
    if own or _READING.match(command) or tokens(text) <= settings.hook.output_tokens:
        return None
    if (version_of(event, hook.agent) or ()) < REPLACES_FROM:
        return None  # it would ignore the replacement
    whole = whole_of(event, text, hook.client, settings.context.max_content_bytes)
    if whole is None:
        return None  # without the whole, the output stays as the agent shows it
    entry = _entry(event, hook, whole, _ref(given))
    return None if entry is None else _specific(event, updatedToolOutput=with_text(output, entry))


def _stop(event: Event, hook: HookContext) -> None:
    from hippocampus_cli.context.lifecycle.session import check_id

    if (hook.root / SESSIONS / check_id(event.session)).is_dir():
        hook.sessions().turn(event.session)


_HANDLERS: dict[str, Callable[[Event, HookContext], Answer | None]] = {
    "PreCompact": _pre_compact,
    "SessionStart": _session_start,
    "UserPromptSubmit": _user_prompt_submit,
    "PostToolUse": _post_tool_use,
    "Stop": _stop,
}


def _entry(event: Event, hook: HookContext, output: bytes, ref: str) -> str | None:
    """An output kept as an entry of the session, as the window shows it in a fence; ``None`` where policies
    leave it."""
    from hippocampus_cli.context.lifecycle.ingest import AddRequest
    from hippocampus_cli.context.lifecycle.window import heading, said
    from hippocampus_cli.workspace.fence import Piece, fenced, quoted

    sessions = hook.sessions()
    sessions.begin(event.session)
    request = AddRequest(source=event.text("tool_name") or None, ref=ref)
    entry = sessions.add(event.session, output, request)[1].entry
    if not entry.indexed:
        return None
    whole = f"hippo context get {entry.id} --session {event.session}"
    text = said(entry.summary, entry.key_data)
    kept = quoted("tool", hook.now.date(), heading(entry), text)
    return fenced(
        [kept, Piece(f"kept outside the window by hippo; the original: `{whole}`")], hook.random
    )


def _ref(given: dict[str, Any]) -> str:
    """What a tool was called with, in a line."""
    named = (given[name] for name in _NAMES if isinstance(given.get(name), str))
    return " ".join(next(named, "").split())[:_REF]


def _specific(event: Event, **fields: object) -> Answer:
    return {"hookSpecificOutput": {"hookEventName": event.name, **fields}}
