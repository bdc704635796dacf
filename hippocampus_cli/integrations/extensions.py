"""The extension files for Pi, OpenClaw and opencode: their text, and where OpenClaw keeps its state."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Literal

from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.markdown.lines import encode

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

    Raises :class:`InstallRefused` where there is none, or that of a newer OpenClaw.
    """
    tried = [Path(named)] if named else [home / name for name in FOLDERS]
    found = next((folder for folder in tried if folder.is_dir()), None)
    if found is None:
        reason = f"OpenClaw was not found (looked for {', '.join(map(str, tried))})"
        advice = "start OpenClaw once, or name its folder in OPENCLAW_STATE_DIR"
        raise InstallRefused(reason=reason, advice=advice)
    newer = next(iter(sorted(found.glob(_DATABASES))), None)
    if newer is not None:
        reason = (
            "this OpenClaw is newer than the layout of February 2026: its sessions are in SQLite, a context engine"
            " compacts them, and it loads no extension of Pi"
        )
        advice = "hippo has no context engine for it, but indexes its notes: hippo bootstrap"
        raise InstallRefused(path=str(newer), reason=reason, advice=advice)
    return found


def workspace_in(state: Path) -> Path | None:
    """The workspace that it makes by default, None where there is none."""
    tried = (state.joinpath(name).resolve() for name in _WORKSPACES)
    return next((folder for folder in tried if folder.is_dir()), None)


NAME = "hippo.ts"
PLUGIN = "hippo.js"  # opencode's
_TEMPLATES = Path(__file__).parent / "data"
_PROGRAM = re.compile(r'^(const PROGRAM(?:: string\[\])? = )\["hippo"\];', re.MULTILINE)
_HEAD = re.compile(
    r"// Written by `hippo install`; `hippo uninstall` takes it away\. ([0-9a-f]{16})\r?\n"
)

State = Literal["absent", "ours", "edited", "foreign"]


def extension_text(program: Sequence[str], name: str = NAME) -> str:
    """The extension that runs hippo by ``program``, the words before hippo's own; ``name`` says for which agent."""
    template = (_TEMPLATES / name).read_text(encoding="utf-8")
    words = f"{json.dumps(list(program))};"
    body = _PROGRAM.sub(lambda found: found[1] + words, template, count=1)
    return (
        f"// Written by `hippo install`; `hippo uninstall` takes it away. {_digest(body)}\n{body}"
    )


def state_of(text: str) -> State:
    """Whose file is in the extension's place; empty text is no file. A changed line ending is no edit."""
    if not text:
        return "absent"
    head = _HEAD.match(text)
    if head is None:
        return "foreign"
    return "ours" if _digest(text[head.end() :].replace("\r\n", "\n")) == head[1] else "edited"


def check_ours(text: str, path: str) -> None:
    """Raises :class:`InstallRefused` where replacing or removing the file would lose a person's changes."""
    state = state_of(text)
    if state in ("edited", "foreign"):
        reason = "it was edited" if state == "edited" else "another file has this name"
        advice = "move or rename it, then try again"
        raise InstallRefused(path=path, reason=reason, advice=advice)


def _digest(body: str) -> str:
    return sha256(encode(body)).hexdigest()[:16]
