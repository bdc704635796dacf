"""The file that an agent reads hippo's part from."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from hippocampus_cli.bridges import extension
from hippocampus_cli.errors import InstallRefused, OutsideWorkspace
from hippocampus_cli.workspace.own_files import is_inside

Agent = Literal["pi", "claude-code", "openclaw", "git"]
MOVED_BY = {"pi": "PI_CODING_AGENT_DIR", "claude-code": "CLAUDE_CONFIG_DIR"}
"""The variables that move the folder an agent keeps for its user."""
FOLDERS = frozenset((".pi", "extensions", ".claude"))
"""Folders that are made for the file."""
_EXTENSION = f"extensions/{extension.NAME}"
_SETTINGS = "settings.json"


def in_workspace(agent: Agent, root: Path) -> Path:
    """Its place in a workspace, links followed so that they stay links. Raises :class:`OutsideWorkspace`."""
    name = f".claude/{_SETTINGS}" if agent == "claude-code" else f".pi/{_EXTENSION}"
    if not is_inside(root, root / name):
        raise OutsideWorkspace(path=name, reason=f"{name} lies behind a link out of the workspace")
    return _real(root / name)


def folder_for_user(agent: Agent, home: Path, named: str | None) -> Path:
    """The folder an agent keeps for its user; ``named`` is the value of the variable in MOVED_BY."""
    return Path(named or home / (".claude" if agent == "claude-code" else ".pi/agent"))


def for_user(agent: Agent, home: Path, named: str | None) -> Path:
    """Its place for all of a user's work; ``named`` is the value of the variable in MOVED_BY.

    Raises :class:`InstallRefused` for an agent that has none.
    """
    match agent:
        case "pi":
            return _real(folder_for_user(agent, home, named) / _EXTENSION)
        case "claude-code":
            return _real(folder_for_user(agent, home, named) / _SETTINGS)
    reason = "OpenClaw has no such place of its own for every workspace"
    raise InstallRefused(reason=reason, advice="leave --user out, and name the --workspace")


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))
