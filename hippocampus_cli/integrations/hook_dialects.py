"""How each agent speaks of a hook: its names of the events, and the form of an answer. Pure.

An event has one name here, Claude Code's. What each agent reads of an answer was found in its own package: Claude
Code 2.1, Copilot CLI 1.0, Codex 0.171, Gemini CLI 0.61, Qwen Code 0.24; Cursor's is from its documentation.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

from hippocampus_cli.fast_types import NamedTuple

HookAgent = Literal[
    "claude-code", "copilot", "codex", "gemini", "qwen", "cursor", "opencode", "openclaw", "pi"
]
HOOK_AGENTS: tuple[HookAgent, ...] = get_args(HookAgent)
EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PreCompact",
    "Stop",
    "SessionEnd",
)


class Reply(NamedTuple):
    """What a hook has to say: ``context`` for the agent to read, ``output`` in the place of a tool's (``whole`` is
    that in the tool's own shape), ``instructions`` for the agent's own summary."""

    context: str = ""
    output: str = ""
    whole: Any = None
    instructions: str = ""

    @property
    def text(self) -> str:
        """The text for the agent to read."""
        return self.context or self.output or self.instructions


class Dialect(NamedTuple):
    """One agent's way: its own names of the events, and the answer as it is printed.

    ``shows_parts``: it keeps whole outputs in files. ``transcript`` is the format of its
    sessions, where it lets hippo give something back after a compaction. ``replaces``: it takes another output in the
    place of a tool's. ``loads`` are the files at a workspace's root that it reads to its model by itself;
    ``keeps_start``: what it got at a start is in the session's own file, and so in a session that is resumed.
    """

    events: Mapping[str, str]
    answer: Callable[[str, Reply], str]
    shows_parts: bool = False
    replaces: bool = True
    transcript: Literal["claude-code", "codex", "opencode"] | None = None
    loads: tuple[str, ...] = ()
    keeps_start: bool = False

    def event_of(self, name: str) -> str | None:
        """hippo's name of an event that the agent calls ``name``; hippo's own is understood too."""
        return self.events.get(name) or (name if name in self.events.values() else None)


def _claude(name: str, reply: Reply) -> str:
    if reply.instructions:
        return (
            reply.instructions
        )  # plain text: Claude Code adds it to the instructions of its own summary
    field = {"updatedToolOutput": reply.whole} if reply.output else _added(reply)
    return _specific(name, field)


def _codex(name: str, reply: Reply) -> str:
    """Codex refuses fields that it does not know, and reads nothing of an answer before a compaction."""
    if reply.instructions:
        return ""
    if reply.output:  # the reason replaces the tool's output
        return _json({"decision": "block", "reason": reply.output})
    return _specific(name, _added(reply))


def _gemini(name: str, reply: Reply) -> str:
    """An output is never replaced: the model gets what a hook denies as an error."""
    return _specific(name, _added(reply)) if reply.context else ""


def _copilot(_: str, reply: Reply) -> str:
    """It runs Claude Code's hooks, and reads what Claude Code would drop: a key at the top."""
    return _json(_added(reply)) if reply.context else ""


def _cursor(name: str, reply: Reply) -> str:
    """In its own form and in Claude Code's, whose settings Cursor reads too."""
    if not reply.context:
        return ""
    specific = {"hookEventName": CURSOR_EVENTS.get(name, name), **_added(reply)}
    return _json({"additional_context": reply.context, "hookSpecificOutput": specific})


def _own(_: str, reply: Reply) -> str:
    """What hippo's own extensions read."""
    fields = reply._replace(whole=None)._asdict().items()
    return _json({name: text for name, text in fields if text})


def _added(reply: Reply) -> dict[str, Any]:
    return {"additionalContext": reply.context}


def _specific(name: str, fields: dict[str, Any]) -> str:
    return _json({"hookSpecificOutput": {"hookEventName": name, **fields}})


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


_SAME = {name: name for name in EVENTS}
_GEMINI = {
    "SessionStart": "SessionStart",
    "BeforeAgent": "UserPromptSubmit",
    "AfterTool": "PostToolUse",
    "PreCompress": "PreCompact",
    "AfterAgent": "Stop",
    "SessionEnd": "SessionEnd",
}
CURSOR_EVENTS = {
    "sessionStart": "SessionStart",
    "beforeSubmitPrompt": "UserPromptSubmit",
    "preCompact": "PreCompact",
    "stop": "Stop",
    "sessionEnd": "SessionEnd",
}
_OPENCLAW = ("AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md")
DIALECTS: Mapping[HookAgent, Dialect] = {
    "claude-code": Dialect(
        _SAME, _claude, shows_parts=True, transcript="claude-code", loads=("CLAUDE.md",)
    ),
    "copilot": Dialect(_SAME, _copilot, replaces=False, loads=("AGENTS.md", "CLAUDE.md")),
    "codex": Dialect(_SAME, _codex, transcript="codex", loads=("AGENTS.md",), keeps_start=True),
    "gemini": Dialect(_GEMINI, _gemini, replaces=False, loads=("GEMINI.md",)),
    "qwen": Dialect(_SAME, _claude, replaces=False, loads=("AGENTS.md", "QWEN.md")),
    "cursor": Dialect(CURSOR_EVENTS, _cursor, replaces=False, loads=("AGENTS.md",)),
    "opencode": Dialect(_SAME, _own, transcript="opencode", loads=("AGENTS.md",)),
    "openclaw": Dialect(_SAME, _own, loads=_OPENCLAW),
    "pi": Dialect(_SAME, _own, loads=("AGENTS.md",)),
}
