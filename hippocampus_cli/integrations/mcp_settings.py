"""The MCP server of hippo in each agent's own settings of a workspace. Pure."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from hippocampus_cli.integrations.marked_block import BlockMarks, with_block, without_block
from hippocampus_cli.integrations.settings_entry import with_entry, without_entry

NAME = "hippo"
_MARKS = BlockMarks("# hippo:begin mcp", "# hippo:end mcp")
_TABLE = f"[mcp_servers.{NAME}]"


class ServerFile(NamedTuple):
    """The file of a workspace in which an agent keeps its servers, and the key they stand behind; none: TOML."""

    file: str
    key: str


PLACES: Mapping[str, ServerFile] = {
    "claude-code": ServerFile(".mcp.json", "mcpServers"),
    "codex": ServerFile(".codex/config.toml", ""),
    "gemini": ServerFile(".gemini/settings.json", "mcpServers"),
    "qwen": ServerFile(".qwen/settings.json", "mcpServers"),
    "cursor": ServerFile(".cursor/mcp.json", "mcpServers"),
    "opencode": ServerFile("opencode.json", "mcp"),
}


def with_server(agent: str, text: str, program: Sequence[str], path: str) -> str:
    """The settings with the server, which finds the workspace from the folder it is started in: so the file can be
    shared. Raises :class:`InstallRefused`."""
    key = PLACES[agent].key
    if key:
        return with_entry(text, path, (key, NAME), _server(agent, program))
    if _TABLE in text:
        return text  # a person's own
    command, *words = (*program, "mcp")
    lines = [_TABLE, f"command = {json.dumps(command)}", f"args = {json.dumps(words)}"]
    return with_block(text, _MARKS, lines)


def without_server(agent: str, text: str, path: str) -> str:
    """The settings without the server. Raises :class:`InstallRefused`."""
    key = PLACES[agent].key
    if not key:
        return without_block(text, _MARKS)
    return without_entry(text, path, (key, NAME), _is_ours)


def server_words(agent: str, text: str) -> list[str]:
    """The words that the settings start the server by; none where they have none, or cannot be read."""
    key = PLACES[agent].key or "mcp_servers"
    with suppress(ValueError, KeyError, TypeError, RecursionError):
        settings = json.loads(text) if PLACES[agent].key else tomllib.loads(text)
        entry = settings[key][NAME]
        words = entry["command"] if agent == "opencode" else [entry["command"], *entry["args"]]
        return [str(word) for word in words]
    return []


def _server(agent: str, program: Sequence[str]) -> dict[str, Any]:
    words = [*program, "mcp"]
    if agent == "opencode":
        return {"type": "local", "command": words}
    return {"command": words[0], "args": words[1:]}


def _is_ours(value: Any) -> bool:
    """Whether the entry has the shape that is written here, by whichever program."""
    if not isinstance(value, dict) or set(value) not in ({"type", "command"}, {"command", "args"}):
        return False
    words = value.get("args", value["command"])
    return isinstance(words, list) and words[-1:] == ["mcp"]
