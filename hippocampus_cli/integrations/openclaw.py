"""OpenClaw: where it keeps its state, and hippo's plugin in it, with its entry in OpenClaw's settings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.integrations.json_text import Node, parse, removal, with_member

FOLDERS = (".openclaw", ".clawdbot")
"""Where it keeps its state, below the home folder; the second is its older name."""
_WORKSPACES = ("workspace", "../clawd")
_DATABASES = "agents/*/agent/openclaw-agent.sqlite*"

SAFEGUARD = (
    'where openclaw.json has agents.defaults.compaction.mode "safeguard", as new installations do, OpenClaw\'s own'
    ' handler may take precedence; with "default" hippo compacts'
)


def state_folder(home: Path, named: str | None) -> Path:
    """The folder of its state: ``named`` by OPENCLAW_STATE_DIR, else the one below ``home``.

    Raises :class:`InstallRefused` where there is none.
    """
    tried = [Path(named)] if named else [home / name for name in FOLDERS]
    found = next((folder for folder in tried if folder.is_dir()), None)
    if found is None:
        reason = f"OpenClaw was not found (looked for {', '.join(map(str, tried))})"
        advice = "start OpenClaw once, or name its folder in OPENCLAW_STATE_DIR"
        raise InstallRefused(reason=reason, advice=advice)
    return found


def keeps_sqlite(state: Path) -> bool:
    """Whether its sessions are in SQLite, as in an OpenClaw that asks no extension of Pi."""
    return any(state.glob(_DATABASES))


def workspace_in(state: Path) -> Path | None:
    """The workspace that it makes by default, None where there is none."""
    tried = (state.joinpath(name).resolve() for name in _WORKSPACES)
    return next((folder for folder in tried if folder.is_dir()), None)


SETTINGS = "openclaw.json"
FOLDER = "extensions/hippo"
INDEX, MANIFEST = f"{FOLDER}/index.js", f"{FOLDER}/openclaw.plugin.json"
ENTRY: Mapping[str, Any] = {"enabled": True, "hooks": {"allowConversationAccess": True}}
"""Without the access OpenClaw blocks a plugin that adds to a prompt."""
_PATH = ("plugins", "entries", "hippo")


def manifest() -> str:
    """What OpenClaw reads of the plugin before it runs it."""
    nothing = {"type": "object", "additionalProperties": False, "properties": {}}
    said = {"id": "hippo", "name": "hippo", "description": "The memory of the agent's workspace"}
    return (
        json.dumps({**said, "activation": {"onStartup": True}, "configSchema": nothing}, indent=2)
        + "\n"
    )


def with_entry(text: str, path: str) -> str:
    """OpenClaw's settings with hippo's entry; empty text is no file. Raises :class:`InstallRefused`."""
    value: Any = ENTRY
    if not text:
        for key in reversed(_PATH):
            value = {key: value}
        return json.dumps(value, indent=2) + "\n"
    nodes = _nodes(text, path)
    missing = _PATH[len(nodes) - 1 :]
    if not missing:
        return text  # a person's own entry says what it says
    for key in reversed(missing[1:]):
        value = {key: value}
    return with_member(text, nodes[-1], missing[0], value, len(nodes) - 1)


def without_entry(text: str, path: str) -> str:
    """The settings without what :func:`with_entry` wrote, empty where it made the file."""
    nodes = _nodes(text, path) if text else ()
    if len(nodes) <= len(_PATH) or nodes[-1].value != ENTRY:
        return text
    return removal(text, nodes)


def _nodes(text: str, path: str) -> tuple[Node, ...]:
    """The settings, and as much of the way to hippo's entry as is there."""
    try:
        nodes = [parse(text)]
    except (ValueError, RecursionError):
        reason = "it is not plain JSON, and hippo changes no other"
        advice = "write it without comments, then try again"
        raise InstallRefused(path=path, reason=reason, advice=advice) from None
    for key in (*_PATH, None):
        if not isinstance(nodes[-1].value, dict):
            name = nodes[-1].key or "the file"
            raise InstallRefused(
                path=path, reason=f"{name} is not an object", advice="correct it, then try again"
            )
        found = nodes[-1].member(key) if key else None
        if found is None:
            break
        nodes.append(found)
    return tuple(nodes)
