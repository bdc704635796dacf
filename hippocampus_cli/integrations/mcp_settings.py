"""The MCP server of hippo in each agent's own settings of a workspace. Pure."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from hippocampus_cli.integrations.agent_files import FILES, Agent
from hippocampus_cli.integrations.marked_block import BlockMarks, edit_block
from hippocampus_cli.integrations.settings_entry import edit_entry

NAME = "hippo"
_MARKS = BlockMarks("# hippo:begin mcp", "# hippo:end mcp")
_TABLE = f"[mcp_servers.{NAME}]"


def edit_server(agent: Agent, program: Sequence[str], path: str, text: str, installs: bool) -> str:
    """The settings without the server, and where it ``installs`` with it. It finds the workspace from the folder it
    is started in: so the file can be shared. Raises :class:`InstallRefused`."""
    key = FILES[agent].server_key
    words = [*program, "mcp"]
    if key:
        return edit_entry(path, (key, NAME), _server(agent, words), _is_ours, text, installs)
    lines = (_TABLE, f"command = {json.dumps(words[0])}", f"args = {json.dumps(words[1:])}")
    is_own = _TABLE in edit_block(_MARKS, (), text, False)
    return edit_block(_MARKS, lines, text, installs and not is_own)


def server_words(agent: Agent, text: str) -> list[str]:
    """The words that the settings start the server by; none where they have none, or cannot be read."""
    key = FILES[agent].server_key
    with suppress(ValueError, KeyError, TypeError, RecursionError):
        settings = json.loads(text) if key else tomllib.loads(text)
        entry = settings[key or "mcp_servers"][NAME]
        words = entry["command"] if agent == "opencode" else [entry["command"], *entry["args"]]
        return [str(word) for word in words]
    return []


def _server(agent: Agent, words: list[str]) -> dict[str, Any]:
    if agent == "opencode":
        return {"type": "local", "command": words}
    return {"command": words[0], "args": words[1:]}


def _is_ours(value: Any) -> bool:
    """Whether the entry has the shape that is written here, by whichever program."""
    if not isinstance(value, dict) or set(value) not in ({"type", "command"}, {"command", "args"}):
        return False
    words = value.get("args", value["command"])
    return isinstance(words, list) and words[-1:] == ["mcp"]
