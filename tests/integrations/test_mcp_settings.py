"""The MCP server in each agent's settings, and opencode's list of plugins: what comes goes to the byte."""

from __future__ import annotations

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.integrations.mcp_settings import PLACES, with_server, without_server
from hippocampus_cli.integrations.settings_entry import with_listed, without_listed

PROGRAM = ("C:/Program Files/Python/python.exe", "-P", "-m", "hippocampus_cli")
JSON = [agent for agent, place in PLACES.items() if place.key]
own = st.dictionaries(
    st.sampled_from(["mcp", "mcpServers", "model", "plugin"]),
    st.just({}) | st.just({"other": {"command": "x", "args": ["mcp"]}}),
)


@pytest.mark.parametrize("agent", JSON)
@given(settings=own, indent=st.sampled_from([None, 2, 4]), end=st.sampled_from(["", "\n", "\r\n"]))
def test_json_settings_come_back(
    agent: str, settings: dict[str, object], indent: int | None, end: str
) -> None:
    text = json.dumps(settings, indent=indent) + end
    after = with_server(agent, text, PROGRAM, "x")
    server = json.loads(after)[PLACES[agent].key]["hippo"]
    words = server["command"] if agent == "opencode" else [server["command"], *server["args"]]
    assert words == [*PROGRAM, "mcp"]
    assert with_server(agent, after, ("hippo",), "x") == after  # by whichever program
    assert without_server(agent, after, "x") == text
    assert without_server(agent, with_server(agent, "", PROGRAM, "x"), "x") == ""


@given(
    text=st.lists(st.sampled_from(['model = "o"', "", "[features]", "hooks = true", "# mine"])).map(
        "\n".join
    ),
    end=st.sampled_from(["", "\n", "\r\n"]),
)
def test_toml_settings_come_back(text: str, end: str) -> None:
    before = text + end if text else ""
    after = with_server("codex", before, PROGRAM, "x")
    known = after.replace("[features]", "", max(0, after.count("[features]") - 1))
    if "hooks" not in known and "model" not in known:
        assert tomllib.loads(known)["mcp_servers"]["hippo"]["command"] == PROGRAM[0]
    assert without_server("codex", after, "x") == before


def test_a_persons_own_entry_stays() -> None:
    mine = '[mcp_servers.hippo]\ncommand = "x"\n'
    assert with_server("codex", mine, PROGRAM, "x") == without_server("codex", mine, "x") == mine
    mine = '{"mcpServers": {"hippo": {"command": "x", "args": ["mcp"], "env": {}}}}'
    assert with_server("gemini", mine, PROGRAM, "x") == without_server("gemini", mine, "x") == mine


@pytest.mark.parametrize("text", ["", "{}", '{"plugin": []}', '{"plugin": ["a", "b"],\n "x": 1}\n'])
def test_a_plugin_is_listed_and_leaves(text: str) -> None:
    after = with_listed(text, "x", "plugin", "./p.js")
    assert json.loads(after)["plugin"][0] == "./p.js"
    assert without_listed(after, "x", "plugin", "./p.js") == text
    assert without_listed(text, "x", "plugin", "./p.js") == text


@pytest.mark.parametrize("text", ['{"plugin": {}}', "[]", "{} // mine"])
def test_what_is_no_list_of_plugins_is_refused(text: str) -> None:
    with pytest.raises(InstallRefused):
        with_listed(text, "x", "plugin", "./p.js")
