"""hippo's hooks in the text of an agent's settings: Claude Code, Codex, Gemini CLI, Qwen Code, Cursor. Pure.

Everything else in it stays byte for byte, and removing the hooks restores the earlier text.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.integrations.hook_dialects import DIALECTS, HookAgent
from hippocampus_cli.integrations.json_text import Node, parse, removal, with_item, with_member

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
    second in its timeouts, ``named``: each has a name, ``head`` is what its file begins with, ``at_end`` what keeps a
    failure from the agent on Windows."""

    hooks: tuple[Hook, ...]
    options: tuple[str, ...] = ()
    grouped: bool = True
    unit: int = 1
    named: bool = False
    head: Mapping[str, int] = {}
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
    "cursor": Layout(_hooks("cursor", _EVERY[1:]), grouped=False, head={"version": 1}),
}
_STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*+"?|(//|/\*)')
_EVENTS = "|".join(dict.fromkeys(name for one in DIALECTS.values() for name in one.events))
_OURS = re.compile(
    rf"(?:^|[\s/\\'\"])(?:hippo(?:\.exe)?|hippocampus_cli)['\"]? hook (?:{_EVENTS})\b"
)


def with_hooks(agent: str, text: str, program: Sequence[str], path: str) -> str:
    """The text with every hook of the agent, each run by ``program``, the words before hippo's own.

    An empty text is that of no file. ``path`` names the file in errors. Raises :class:`InstallRefused` for what
    cannot be such a file.
    """
    text = without_hooks(agent, text, path)
    layout = LAYOUTS[agent]
    groups = {hook.event: _group(layout, hook, program) for hook in layout.hooks}
    every = {event: [group] for event, group in groups.items()}
    if not text:
        return json.dumps({**layout.head, "hooks": every}, indent=2, ensure_ascii=False) + "\n"
    root = _checked(text, path)
    if root.member("hooks") is None:
        return with_member(text, root, "hooks", every, 0)
    for event, group in reversed(groups.items()):
        text = _with_group(text, event, group, path)
    return text


def without_hooks(agent: str, text: str, path: str) -> str:
    """The text without hippo's hooks, empty where it was made for them. Raises as :func:`with_hooks`."""
    head = LAYOUTS[agent].head
    made = bool(text and head) and [one.key for one in _checked(text, path).children] == [
        *head,
        "hooks",
    ]
    while text:
        found = next(_ours(_checked(text, path)), None)
        if found is None:
            return text
        text = removal(text, found)
        if made and text and _checked(text, path).value == head:
            return ""  # in a file that was there before, hippo's hooks stand first
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
    """The commands of hippo's hooks in the text, as any version wrote them. Raises as :func:`with_hooks`."""
    handlers = [one[-1] for one in _ours(_checked(text, path))] if text else []
    handlers += [
        inner for one in handlers if (group := one.member("hooks")) for inner in group.children
    ]
    found = (one.member("command") for one in handlers if _is_ours(one))
    return [str(command.value) for command in found if command]


def _with_group(text: str, event: str, group: Mapping[str, object], path: str) -> str:
    hooks = _checked(text, path).member("hooks")
    assert hooks is not None
    groups = hooks.member(event)
    if groups is None:
        return with_member(text, hooks, event, [group], 1)
    return with_item(text, groups, group, 2)


def _ours(root: Node) -> Iterator[tuple[Node, ...]]:
    """The paths from the root to what is removed: a handler, or its whole group where it is the only one."""
    hooks = root.member("hooks")
    for event in hooks.children if hooks else ():
        for group in event.children:
            if hooks and _is_ours(group):
                yield (root, hooks, event, group)
            handlers = group.member("hooks")
            for handler in handlers.children if handlers else ():
                if handlers and hooks and _is_ours(handler):
                    alone = len(handlers.children) == 1
                    inner = (group,) if alone else (group, handlers, handler)
                    yield (root, hooks, event, *inner)


def _is_ours(handler: Node) -> bool:
    command = handler.member("command")
    return (
        command is not None and isinstance(command.value, str) and bool(_OURS.search(command.value))
    )


def _checked(text: str, path: str) -> Node:
    """The tree of the text, of the shape that hooks can be put into."""
    try:
        root = parse(text)
    except json.JSONDecodeError as error:
        raise _unparsed(text, path, error) from None
    except ValueError as error:
        raise _refused(path, None, f"not valid JSON: {error}") from None
    except RecursionError:
        raise _refused(path, None, "not valid JSON: nested too deeply") from None
    hooks = root.member("hooks")
    events = hooks.children if hooks else ()
    for name, node, kind in (
        ("the file", root, dict),
        ("hooks", hooks, dict),
        *((f"hooks.{event.key}", event, list) for event in events),
    ):
        if node is not None and not isinstance(node.value, kind):
            what = "an object" if kind is dict else "a list"
            raise _refused(path, text.count("\n", 0, node.at) + 1, f"{name} is not {what}")
    return root


def _unparsed(text: str, path: str, error: json.JSONDecodeError) -> InstallRefused:
    for found in _STRING_OR_COMMENT.finditer(text):
        if found[1]:
            line = text.count("\n", 0, found.start()) + 1
            reason = "it contains a comment, for which the agent may ignore the whole file"
            return _refused(path, line, reason)
    return _refused(path, error.lineno, f"not valid JSON: {error.msg}")


def _refused(path: str, line: int | None, reason: str) -> InstallRefused:
    return InstallRefused(path=path, line=line, reason=reason, advice="correct it, then try again")
