"""The plugin in the package says what the other ways of installing write."""

from __future__ import annotations

import json

from hippocampus_cli import __version__
from hippocampus_cli.integrations.hook_settings import LAYOUTS
from hippocampus_cli.integrations.plugin import FOLDER, plugin_files


def test_the_folder_has_its_files_and_no_other() -> None:
    there = {
        path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8")
        for path in FOLDER.rglob("*")
        if path.is_file()
    }
    assert there == dict(plugin_files(__version__))


def test_it_has_hooks_a_server_and_a_skill() -> None:
    files = plugin_files(__version__)
    assert json.loads(files[".claude-plugin/plugin.json"])["version"] == __version__
    hooks = json.loads(files["hooks/hooks.json"])["hooks"]
    assert set(hooks) == {hook.event for hook in LAYOUTS["claude-code"].hooks}
    assert json.loads(files[".mcp.json"])["mcpServers"]["hippo"]["args"] == ["mcp"]
    assert "name: hippo-memory" in files["skills/hippo-memory/SKILL.md"]
    (listed,) = json.loads(files[".claude-plugin/marketplace.json"])["plugins"]
    assert listed["source"] == "./"
