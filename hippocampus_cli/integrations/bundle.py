"""A folder that Claude Code takes as a plugin and OpenClaw as a bundle: hooks, a skill and the MCP server. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from hippocampus_cli.integrations import hook_settings, instructions

NAME = "hippo-memory"
MANIFEST = ".claude-plugin/plugin.json"
_SAID = "The long-term memory of a workspace: a brief at the start, what it knows at a prompt, tools to ask it"


def bundle_files(program: Sequence[str], version: str) -> Mapping[str, str]:
    """The text of each file, by its name in the folder; agents take an update where ``version`` is another."""
    owner = {"name": "hippo"}
    command, *words = program
    server = {"command": command, "args": [*words, "mcp"]}  # it is started in the agent's folder
    told = {"version": version, "description": _SAID, "author": owner, "license": "MIT"}
    listed = {"name": NAME, "source": "./", "description": _SAID}
    documents: Mapping[str, Mapping[str, object]] = {
        MANIFEST: {"name": NAME, **told},
        ".claude-plugin/marketplace.json": {
            "name": "hippo",
            "description": _SAID,
            "owner": owner,
            "plugins": [listed],
        },
        ".mcp.json": {"mcpServers": {"memory": server}},
    }
    skill = instructions.with_instructions(instructions.SKILL, "", program)
    return {name: json.dumps(one, indent=2) + "\n" for name, one in documents.items()} | {
        "hooks/hooks.json": hook_settings.with_hooks("claude-code", "", program, "hooks.json"),
        f"skills/{instructions.SKILL_FOLDER}/SKILL.md": skill,
    }


def is_bundle(manifest: str) -> bool:
    """Whether this is the manifest of a folder that was written here."""
    try:
        found = json.loads(manifest)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("name") == NAME
