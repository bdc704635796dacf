"""OpenClaw: where it keeps its state, and hippo's plugin in it, with its entry in OpenClaw's settings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hippocampus_cli.errors import InstallRefused

FOLDERS = (".openclaw", ".clawdbot")
"""Where it keeps its state, below the home folder; the second is its older name."""
SETTINGS = "openclaw.json"
FOLDER = "extensions/hippo"
INDEX, MANIFEST = f"{FOLDER}/index.js", f"{FOLDER}/openclaw.plugin.json"
KEYS = ("plugins", "entries", "hippo")
ENTRY: Mapping[str, Any] = {"enabled": True, "hooks": {"allowConversationAccess": True}}
"""Without the access OpenClaw blocks a plugin that adds to a prompt."""


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


def manifest() -> str:
    """What OpenClaw reads of the plugin before it runs it."""
    nothing = {"type": "object", "additionalProperties": False, "properties": {}}
    said = {"id": "hippo", "name": "hippo", "description": "The memory of the agent's workspace"}
    return (
        json.dumps({**said, "activation": {"onStartup": True}, "configSchema": nothing}, indent=2)
        + "\n"
    )
