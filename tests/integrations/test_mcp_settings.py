"""The MCP server in each agent's settings, and opencode's list of plugins: what comes goes to the byte."""

from __future__ import annotations

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.integrations.agent_files import FILES, Agent
from hippocampus_cli.integrations.mcp_settings import edit_server
from hippocampus_cli.integrations.settings_entry import edit_entry

PROGRAM = ("C:/Program Files/Python/python.exe", "-P", "-m", "hippocampus_cli")
JSON = [agent for agent, files in FILES.items() if files.servers and files.server_key]
own = st.dictionaries(
    st.sampled_from(["mcp", "mcpServers", "model", "plugin"]),
    st.just({}) | st.just({"other": {"command": "x", "args": ["mcp"]}}),
)


def put(agent: Agent, text: str) -> str:
    return edit_server(agent, PROGRAM, "x", text, True)


def taken(agent: Agent, text: str) -> str:
    return edit_server(agent, (), "x", text, False)


@pytest.mark.parametrize("agent", JSON)
@given(settings=own, indent=st.sampled_from([None, 2, 4]), end=st.sampled_from(["", "\n", "\r\n"]))
def test_json_settings_come_back(
    agent: Agent, settings: dict[str, object], indent: int | None, end: str
) -> None:
    text = json.dumps(settings, indent=indent) + end
    after = put(agent, text)
    server = json.loads(after)[FILES[agent].server_key]["hippo"]
    words = server["command"] if agent == "opencode" else [server["command"], *server["args"]]
    assert words == [*PROGRAM, "mcp"]
    assert put(agent, edit_server(agent, ("hippo",), "x", after, True)) == after
    assert taken(agent, after) == text
    assert taken(agent, put(agent, "")) == ""


@given(
    text=st.lists(st.sampled_from(['model = "o"', "", "[features]", "hooks = true", "# mine"])).map(
        "\n".join
    ),
    end=st.sampled_from(["", "\n", "\r\n"]),
)
def test_toml_settings_come_back(text: str, end: str) -> None:
    before = text + end if text else ""
    after = put("codex", before)
    known = after.replace("[features]", "", max(0, after.count("[features]") - 1))
    if "hooks" not in known and "model" not in known:
        assert tomllib.loads(known)["mcp_servers"]["hippo"]["command"] == PROGRAM[0]
    assert taken("codex", after) == before


def test_a_persons_own_entry_stays() -> None:
    mine = '[mcp_servers.hippo]\ncommand = "x"\n'
    assert put("codex", mine) == taken("codex", mine) == mine
    mine = '{"mcpServers": {"hippo": {"command": "x", "args": ["mcp"], "env": {}}}}'
    assert put("gemini", mine) == taken("gemini", mine) == mine


@pytest.mark.parametrize("text", ["", "{}", '{"plugin": []}', '{"plugin": ["a", "b"],\n "x": 1}\n'])
def test_a_plugin_is_listed_and_leaves(text: str) -> None:
    after = listed(text, True)
    assert json.loads(after)["plugin"][0] == "./p.js" and listed(after, True) == after
    assert listed(after, False) == listed(text, False) == text


def listed(text: str, installs: bool) -> str:
    return edit_entry("x", ("plugin",), ["./p.js"], lambda one: one == "./p.js", text, installs)


@pytest.mark.parametrize("text", ['{"plugin": {}}', "[]", "{} // mine"])
def test_what_is_no_list_of_plugins_is_refused(text: str) -> None:
    with pytest.raises(InstallRefused):
        listed(text, True)
