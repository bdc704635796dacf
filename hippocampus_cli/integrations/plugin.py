"""The plugin in the package: hooks, the MCP server and a skill in one folder, as Claude Code and its like take them.

Its files say what the other ways of installing write; a test holds that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from hippocampus_cli.integrations.hook_settings import with_hooks
from hippocampus_cli.integrations.instructions import SKILL, SKILL_FOLDER, with_instructions

FOLDER = Path(__file__).with_name("data") / "plugin"
NAME = "hippo"
_ABOUT = "A memory for agents: a sparse index of the workspace's notes, asked at each prompt, and what is held true"
_OWNER = {"name": "hippocampus-cli"}


def plugin_files(version: str) -> Mapping[str, str]:
    """Its files for this version of hippo, by their paths in the folder; ``hippo`` is expected on the PATH."""
    program = (NAME,)
    about = {"version": version, "description": _ABOUT, "author": _OWNER, "license": "MIT"}
    listed = {"name": NAME, "source": "./", "description": _ABOUT}
    server = {"command": NAME, "args": ["mcp"]}
    return {
        ".claude-plugin/plugin.json": _json({"name": NAME, **about}),
        ".claude-plugin/marketplace.json": _json(
            {
                "name": NAME,
                "owner": _OWNER,
                "metadata": {"description": _ABOUT},
                "plugins": [listed],
            }
        ),
        ".mcp.json": _json({"mcpServers": {NAME: server}}),
        "hooks/hooks.json": with_hooks("claude-code", "", program, "hooks/hooks.json"),
        f"skills/{SKILL_FOLDER}/SKILL.md": with_instructions(SKILL, "", program),
    }


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
