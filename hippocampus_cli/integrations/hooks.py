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
    from hippocampus_cli.workspace.fence import Random

Answer = dict[str, Any]
_OWN = re.compile(r"(?:^|[\s;&|(/])(?:hippo(?:\.exe)?|hippocampus_cli)\s")
_REF = 200  # characters
_NAMES = ("command", "url", "pattern", "query")


class HookContext(NamedTuple):
    """Where a hook works; its settings are read when they are needed.

    ``random`` gives so many random bytes; ``client`` is the agent's own folder, ``agent`` what it says of itself in
    AI_AGENT.
    """

    root: Path
    settings: Callable[[], Config]
    now: datetime
    random: Random
    client: Path
    agent: str = ""

    def keeper(self) -> ContextSessions:
        """The workspace's sessions; another writer is not waited for as long as elsewhere."""
        from hippocampus_cli.context.lifecycle.context_session import ContextSessions

        config = self.settings()
        lock = config.lock._replace(timeout_seconds=config.hook.lock_seconds)
        return ContextSessions(self.root, config.replaced(lock=lock), self.now)


def answer(event: Event, desk: HookContext) -> Answer | None:
    """What the agent is told; ``None`` for nothing. Raises :class:`HippoError` of many kinds."""
    act = _ACTS.get(event.name)
    if act is None:
        reason = f"there is no hook {event.name[:40]!r}"
        raise UsageError(reason=reason, advice=f"there are {', '.join(_ACTS)}")
    return act(event, desk)


def _pre_compact(event: Event, desk: HookContext) -> None:
    from hippocampus_cli.integrations.handover import save

    save(event, desk.keeper(), desk.random)


def _session_start(event: Event, desk: HookContext) -> Answer | None:
    if event.text("source") != "compact":
        return None
    from hippocampus_cli.integrations.handover import take

    kept = take(event, desk.root)
    return None if kept is None else _specific(event, additionalContext=kept)


def _post_tool_use(event: Event, desk: HookContext) -> Answer | None:
    from hippocampus_cli.index.budget import tokens
    from hippocampus_cli.integrations.hook_event import (
        REPLACES_FROM,
        text_of,
        version_of,
        whole_of,
        with_text,
    )

    output = event.record.get("tool_response")
    text = text_of(output)
    asked = event.record.get("tool_input")
    given = asked if isinstance(asked, dict) else {}
    settings = desk.settings()
    own = _OWN.search(str(given.get("command", "")))  # what was asked back is to be seen
    if own or tokens(text) <= settings.hook.output_tokens:
        return None
    if (version_of(event, desk.agent) or ()) < REPLACES_FROM:
        return None  # it would ignore the replacement
    whole = whole_of(event, text, desk.client, settings.context.max_content_bytes)
    if whole is None:
        return None  # what is not at hand as a whole stays as the agent shows it
    entry = _entry(event, desk, whole, _ref(given))
    return None if entry is None else _specific(event, updatedToolOutput=with_text(output, entry))


def _stop(event: Event, desk: HookContext) -> None:
    from hippocampus_cli.context.lifecycle.session import check_id

    if (desk.root / SESSIONS / check_id(event.session)).is_dir():
        desk.keeper().turn(event.session)


_ACTS: dict[str, Callable[[Event, HookContext], Answer | None]] = {
    "PreCompact": _pre_compact,
    "SessionStart": _session_start,
    "PostToolUse": _post_tool_use,
    "Stop": _stop,
}


def _entry(event: Event, desk: HookContext, output: bytes, ref: str) -> str | None:
    """An output kept as an entry of the session, as it stands in the window behind a fence; ``None`` where policies
    leave it."""
    from hippocampus_cli.context.lifecycle.ingest import AddRequest
    from hippocampus_cli.context.lifecycle.window import heading, said
    from hippocampus_cli.workspace.fence import Piece, fenced, quoted

    keeper = desk.keeper()
    keeper.begin(event.session)
    wish = AddRequest(source=event.text("tool_name") or None, ref=ref)
    entry = keeper.add(event.session, output, wish)[1].entry
    if not entry.indexed:
        return None
    whole = f"hippo context get {entry.id} --session {event.session}"
    text = said(entry.summary, entry.key_data)
    kept = quoted("tool", desk.now.date(), heading(entry), text)
    return fenced(
        [kept, Piece(f"kept outside the window by hippo; the whole: `{whole}`")], desk.random
    )


def _ref(given: dict[str, Any]) -> str:
    """What a tool was called with, in a line."""
    named = (given[name] for name in _NAMES if isinstance(given.get(name), str))
    return " ".join(next(named, "").split())[:_REF]


def _specific(event: Event, **fields: object) -> Answer:
    return {"hookSpecificOutput": {"hookEventName": event.name, **fields}}
