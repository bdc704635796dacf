"""hippo's hooks in the text of an agent's settings: Claude Code, Codex, Gemini CLI, Qwen Code, Cursor. Pure.

Everything else in it stays byte for byte, and removing the hooks restores the earlier text.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hippocampus_cli.integrations.hook_dialects import DIALECTS, HookAgent
from hippocampus_cli.integrations.settings_entry import entries, with_entry, without_entry

_KEYS = ("hooks",)
OR_SUCCESS = " || exit 0"
"""An exit code can refuse: 2 blocks Claude Code and Codex, each but 0 and 1 Gemini CLI; where hippo is missing it is
127."""


class Hook(NamedTuple):
    """A hook: ``matcher`` says when it runs, empty for always; ``timeout`` is in seconds; ``name`` is hippo's of the
    event."""

    event: str
    matcher: str
    timeout: int
    name: str


class Layout(NamedTuple):
    """How an agent writes its hooks: ``options`` are of the command, ``grouped``: below a matcher, ``unit`` is a
    second in its timeouts, ``named``: each has a name, ``head`` is the text of a new file before the hooks come in,
    ``at_end`` what keeps a failure from the agent on Windows."""

    hooks: tuple[Hook, ...]
    options: tuple[str, ...] = ()
    grouped: bool = True
    unit: int = 1
    named: bool = False
    head: str = ""
    at_end: str = OR_SUCCESS


_EVERY = ("PreCompact", "SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")
_SECONDS = {"PreCompact": 60}


def _hooks(agent: HookAgent, events: Sequence[str] = _EVERY, **matchers: str) -> tuple[Hook, ...]:
    """The hooks of these events, and of those that have a matcher, under the agent's own names."""
    own = {event: name for name, event in DIALECTS[agent].events.items()}
    return tuple(
        Hook(own[event], matchers.get(event, ""), _SECONDS.get(event, 10), event)
        for event in (*events[:3], *matchers, *events[3:])
    )


# What is read is about to be worked on and lies on disk already, so Read is not among these. There is no hook for
# failed commands: Claude Code hands over 10,000 characters of their output at most, and lets nobody replace them.
_LARGE = "Bash|Grep|Glob|WebFetch|WebSearch|mcp__.*"
LAYOUTS: Mapping[str, Layout] = {
    "claude-code": Layout(_hooks("claude-code", PreToolUse="Bash|Edit|Write", PostToolUse=_LARGE)),
    "codex": Layout(
        _hooks("codex", PreToolUse="Bash", PostToolUse="Bash|mcp__.*"),
        options=("--agent", "codex"),
    ),
    "gemini": Layout(
        _hooks("gemini"),
        options=("--agent", "gemini"),
        unit=1_000,
        named=True,
        at_end="; exit 0",  # PowerShell runs them there, and 5.1 knows no ||
    ),
    "qwen": Layout(_hooks("qwen"), options=("--agent", "qwen"), unit=1_000),
    # Cursor also runs the hooks of Claude Code's settings, and drops a command that it has: so it is the same.
    "cursor": Layout(_hooks("cursor", _EVERY[1:]), grouped=False, head='{ "version": 1 }\n'),
}
_EVENTS = "|".join(dict.fromkeys(name for one in DIALECTS.values() for name in one.events))
_OURS = re.compile(
    rf"(?:^|[\s/\\'\"])(?:hippo(?:\.exe)?|hippocampus_cli)['\"]? hook (?:{_EVENTS})\b"
)


def edit_hooks(agent: str, program: Sequence[str], path: str, text: str, installs: bool) -> str:
    """The text without hippo's hooks, as any version wrote them, and where it ``installs`` with every hook of the
    agent, each run by ``program``, the words before hippo's own.

    An empty text is that of no file. ``path`` names the file in errors. Raises :class:`InstallRefused` for what
    cannot be such a file.
    """
    layout = LAYOUTS[agent]
    text = without_entry(text, path, _KEYS, _is_ours)
    if not installs:
        return "" if text == layout.head else text
    text = text or layout.head
    for hook in reversed(layout.hooks):
        group = _group(layout, hook, program)
        text = with_entry(text, path, (*_KEYS, hook.event), [group])
    return text


def _group(layout: Layout, hook: Hook, program: Sequence[str]) -> dict[str, object]:
    command = _command(layout, hook, program)
    timeout = hook.timeout * layout.unit
    if not layout.grouped:
        return {"command": command, "timeout": timeout}
    name = {"name": "hippo"} if layout.named else {}
    handler = {"type": "command", **name, "command": command, "timeout": timeout}
    return ({"matcher": hook.matcher} if hook.matcher else {}) | {"hooks": [handler]}


def _command(layout: Layout, hook: Hook, program: Sequence[str]) -> str:
    """A command that always succeeds, and in time where the system has ``timeout``: an agent that has waited too
    long stops the shell, and may then wait for what the shell had started."""
    event = hook.event if layout.options else hook.name  # who says no name speaks as Claude Code
    words = shlex.join((*program, "hook", event, *layout.options))
    if os.name == "nt":
        return f"{words}{layout.at_end}"
    return f"command $(command -v timeout && echo {hook.timeout - 1}) {words}{OR_SUCCESS}"


def commands(text: str, path: str) -> list[str]:
    """The commands of hippo's hooks in the text, as any version wrote them. Raises as :func:`edit_hooks`."""
    groups = [nodes[-1].value for nodes in entries(text, path, _KEYS, _is_ours)]
    return [handler["command"] for group in groups for handler in group.get("hooks", [group])]


def _is_ours(value: Any) -> bool:
    """Whether this is a hook of hippo's, or a group of nothing else."""
    if not isinstance(value, dict):
        return False
    handlers = value.get("hooks")
    if isinstance(handlers, list) and handlers:
        return all(map(_is_ours, handlers))
    return bool(_OURS.search(str(value.get("command"))))
