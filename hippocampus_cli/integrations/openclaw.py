"""OpenClaw: where it keeps its state, and hippo's plugin in it, with its entry in OpenClaw's settings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hippocampus_cli.errors import InstallRefused

FOLDERS = (".openclaw", ".clawdbot")
"""Where it keeps its state, below the home folder; the second is its older name."""
SETTINGS = "openclaw.json"
MANIFEST = "extensions/hippo/openclaw.plugin.json"
KEYS = ("plugins", "entries", "hippo")
ENTRY: Mapping[str, Any] = {"enabled": True, "hooks": {"allowConversationAccess": True}}
"""Without the access OpenClaw blocks a plugin that adds to a prompt."""


def state_folder(home: Path, environ: Mapping[str, str]) -> Path:
    """The folder of its state: named by OPENCLAW_STATE_DIR, else the one below ``home``.

    Raises :class:`InstallRefused` where there is none.
    """
    named = environ.get("OPENCLAW_STATE_DIR")
    tried = [Path(named)] if named else [home / name for name in FOLDERS]
    found = next((folder for folder in tried if folder.is_dir()), None)
    if found is None:
        reason = f"OpenClaw was not found (looked for {', '.join(map(str, tried))})"
        advice = "start OpenClaw once, or name its folder in OPENCLAW_STATE_DIR"
        raise InstallRefused(reason=reason, advice=advice)
    return found
