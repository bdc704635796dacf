"""What each agent keeps where: one table for whatever looks for an agent or writes into its files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

Agent = Literal[
    "claude-code",
    "codex",
    "gemini",
    "qwen",
    "cursor",
    "opencode",
    "openclaw",
    "pi",
    "any",
    "git",
]
AGENTS: tuple[Agent, ...] = get_args(Agent)


class AgentFiles(NamedTuple):
    """An agent's programs and files.

    ``programs`` read what the agent gets, its own first. ``folder`` is its own in a workspace, and below the home
    folder unless ``user_folder`` says otherwise; the variable ``moved_by`` may move that one. ``runner`` is the file
    in it that runs hippo; ``workspace_runner`` is another one. ``servers`` is the workspace's file of MCP servers,
    and ``server_key`` what they stand behind; none: it is TOML.
    """

    programs: tuple[str, ...]
    folder: str
    runner: str
    servers: str = ""
    server_key: str = "mcpServers"
    moved_by: str = ""
    user_folder: str = ""
    workspace_runner: str = ""


OPENCODE_SETTINGS = "opencode.json"
FILES: Mapping[Agent, AgentFiles] = {
    "claude-code": AgentFiles(
        ("claude", "copilot"),  # Copilot CLI runs Claude Code's hooks
        ".claude",
        "settings.json",
        ".mcp.json",
        moved_by="CLAUDE_CONFIG_DIR",
    ),
    "codex": AgentFiles(
        ("codex",), ".codex", "hooks.json", ".codex/config.toml", "", moved_by="CODEX_HOME"
    ),
    "gemini": AgentFiles(("gemini",), ".gemini", "settings.json", ".gemini/settings.json"),
    "qwen": AgentFiles(("qwen",), ".qwen", "settings.json", ".qwen/settings.json"),
    "cursor": AgentFiles(("cursor-agent",), ".cursor", "hooks.json", ".cursor/mcp.json"),
    # A plugin in its own folder of a workspace makes opencode install packages there.
    "opencode": AgentFiles(
        ("opencode",),
        ".opencode",
        "plugins/hippo.js",
        OPENCODE_SETTINGS,
        "mcp",
        user_folder=".config/opencode",
        workspace_runner=".agents/hippo/hippo.js",
    ),
    "openclaw": AgentFiles(("openclaw",), ".openclaw", "extensions/hippo/index.js"),
    "pi": AgentFiles(
        ("pi",),
        ".pi",
        "extensions/hippo.ts",
        moved_by="PI_CODING_AGENT_DIR",
        user_folder=".pi/agent",
    ),
}
