"""``hippo mcp``: the memory by the Model Context Protocol, to clients of both eras."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli import open_workspace
from hippocampus_cli.cli.commands.mcp import INSTRUCTIONS
from hippocampus_cli.cli.mcp_server import STATELESS, WITH_HANDSHAKE, Server, tool_of
from hippocampus_cli.errors import UsageError
from hippocampus_cli.markdown.tokens import tokens

ROOT = Path(__file__).parents[2]


def echo(text: str) -> str:
    """Says it."""
    return text


def fail(text: str = "") -> str:
    """Fails."""
    if text == "wrong":
        raise UsageError(reason="the text is wrong", advice="write another")
    raise RuntimeError


SERVER = Server("stub", "1", "how to use it", (tool_of(echo), tool_of(fail, reads=False)))


def asked(method: str, params: object = None, id: object = 1) -> dict[str, Any]:
    message = {"jsonrpc": "2.0", "id": id, "method": method}
    answer = SERVER.answer(json.dumps(message | ({} if params is None else {"params": params})))
    assert answer is not None
    assert "\n" not in answer
    return dict(json.loads(answer))


@pytest.mark.parametrize("version", WITH_HANDSHAKE)
def test_a_client_that_shakes_hands(version: str) -> None:
    result = asked("initialize", {"protocolVersion": version})["result"]
    assert result["protocolVersion"] == version
    assert result["serverInfo"] == {"name": "stub", "version": "1"}
    assert result["instructions"] == "how to use it"
    assert "resultType" not in result
    assert (
        asked("initialize", {"protocolVersion": "1999-01-01"})["result"]["protocolVersion"]
        == WITH_HANDSHAKE[0]
    )
    assert SERVER.answer('{"jsonrpc":"2.0","method":"notifications/initialized"}') is None


def test_a_client_without_a_handshake() -> None:
    meta = {"_meta": {"io.modelcontextprotocol/protocolVersion": STATELESS}}
    found = asked("server/discover", meta)["result"]
    assert found["resultType"] == "complete"
    assert found["supportedVersions"][0] == STATELESS
    assert found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "stub"
    listed = asked("tools/list", meta)["result"]
    assert listed["resultType"] == "complete"
    assert listed["ttlMs"] > 0
    assert listed["cacheScope"] == "public"
    assert [one["name"] for one in listed["tools"]] == ["echo", "fail"]
    meta["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2031-01-01"
    error = asked("tools/list", meta)["error"]
    assert (error["code"], error["data"]["requested"]) == (-32022, "2031-01-01")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "echo needs text"),
        ({"text": 5}, "text must be of type string"),
        ({"text": "a", "more": 1}, "the arguments of echo are text"),
        ([], "echo needs text"),
        ("x", "must be an object"),
    ],
)
def test_wrong_arguments_are_told_what_to_pass(arguments: object, words: str) -> None:
    result = asked("tools/call", {"name": "echo", "arguments": arguments})["result"]
    assert result["isError"]
    assert words in result["content"][0]["text"]


def test_what_fails_says_what_to_do_and_ends_nothing() -> None:
    assert asked("tools/call", {"name": "echo", "arguments": {"text": "hi"}})["result"] == {
        "content": [{"type": "text", "text": "hi"}],
        "isError": False,
    }
    wrong = asked("tools/call", {"name": "fail", "arguments": {"text": "wrong"}})["result"]
    assert wrong["isError"]
    assert "next: write another" in wrong["content"][0]["text"]
    bug = asked("tools/call", {"name": "fail", "arguments": {"text": ""}})["result"]
    assert bug["content"][0]["text"] == "a bug in hippo: RuntimeError"
    assert asked("tools/call", {"name": "none"})["error"]["code"] == -32602
    assert asked("nothing/such")["error"]["code"] == -32601


@given(
    st.text()
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=9),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["id", "method", "params", "name", "jsonrpc", "_meta"]), inner
            )
        ),
        max_leaves=12,
    ).map(json.dumps)
)
def test_any_line_is_answered_or_left(line: str) -> None:
    answer = SERVER.answer(line)
    assert answer is None or json.loads(answer)["jsonrpc"] == "2.0"


@pytest.mark.parametrize(
    ("id", "code"),
    [
        *((one, -32700) for one in ("NaN", "Infinity", "-Infinity", "9" * 5000)),
        *((one, -32600) for one in ("1e999", "-1e999", "true", "[1]", "{}", r'"\ud800"')),
    ],
)
def test_an_id_that_no_answer_can_have_is_an_error(id: str, code: int) -> None:
    answer = SERVER.answer(f'{{"jsonrpc":"2.0","id":{id},"method":"ping"}}')
    assert answer is not None
    strict = json.loads(answer, parse_constant=fail)
    assert (strict["id"], strict["error"]["code"]) == (None, code)


@pytest.mark.parametrize("id", ["7", "-7", "1.5", '"x"', r'"\u00e9\ud83d\ude00"', "9" * 40])
def test_an_id_comes_back_as_it_was(id: str) -> None:
    answer = SERVER.answer(f'{{"jsonrpc":"2.0","id":{id},"method":"ping"}}')
    assert answer is not None and json.loads(answer)["id"] == json.loads(id)


def test_halves_of_characters_leave_as_question_marks() -> None:
    """Strict parsers refuse the whole line otherwise; and nothing but its end may look like the end of a line."""
    answer = SERVER.answer(
        r'{"id":1,"method":"tools/call","params":{"name":"echo","arguments":'
        r'{"text":"a \ud800 \udcff \u2028 \ud83d\ude00"}}}'
    )
    assert answer is not None and answer.isascii()
    assert json.loads(answer)["result"]["content"][0]["text"] == "a ? ? \u2028 \U0001f600"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "MEMORY.md").write_text(
        "# Memory\n\n- tea at four, on the terrace, with everybody\n"
    )
    (tmp_path / "TOOLS.md").write_text(
        "# Tools\n\n## Deploy\n\nDeploy the site with `kelpctl release prod`.\n\n## Printer\n\nIt jams.\n"
    )
    with open_workspace(tmp_path) as workspace:
        workspace.at(datetime(2026, 8, 1, 9, tzinfo=UTC)).bootstrap()
    return tmp_path


def talked(
    folder: Path, *messages: dict[str, Any], options: tuple[str, ...] = ()
) -> list[dict[str, Any]]:
    """What the real process answers to these messages."""
    lines = [json.dumps({"jsonrpc": "2.0", "id": at} | one) for at, one in enumerate(messages)]
    done = subprocess.run(
        [sys.executable, "-m", "hippocampus_cli", "mcp", "--workspace", str(folder), *options],
        input="".join(f"{line}\n" for line in lines),
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def call(name: str, **arguments: object) -> dict[str, Any]:
    return {"method": "tools/call", "params": {"name": name, "arguments": arguments}}


def text_of(answer: dict[str, Any]) -> str:
    (part,) = answer["result"]["content"]
    return str(part["text"])


def test_the_memory_is_served(folder: Path) -> None:
    before = (folder / "HIPPOCAMPUS.md").read_bytes()
    listed, found, read, outside, briefed = talked(
        folder,
        {"method": "tools/list"},
        call("recall", query="how do we deploy the site"),
        call("read", path="TOOLS.md", line=7, lines=1),
        call("read", path="../../etc/passwd"),
        call("brief"),
    )
    assert tokens(json.dumps(listed["result"]["tools"])) * 1.3 <= 600
    assert len(INSTRUCTIONS) <= 300
    assert "kelpctl release prod" in text_of(found)
    assert "TOOLS.md:3" in text_of(found)
    assert "## Printer" in text_of(read)
    assert "2 more lines; read from line 8" in text_of(read)
    assert outside["result"]["isError"]
    assert "This workspace has a memory" in text_of(briefed)
    assert (folder / "HIPPOCAMPUS.md").read_bytes() == before  # what was used is counted by upkeep
    with open_workspace(folder) as workspace:
        workspace.upkeep.run("daily")
    assert "hits=1" in (folder / "HIPPOCAMPUS.md").read_text()


def test_what_is_remembered_is_recalled(folder: Path) -> None:
    kept, found = talked(
        folder,
        call("remember", text="The siren sounds at noon on Fridays.", tags=["siren"]),
        call("recall", query="when does the siren sound"),
    )
    assert text_of(kept).startswith("kept in memory/")
    assert "at noon on Fridays" in text_of(found)


def test_a_task_with_much_evidence_has_room(folder: Path) -> None:
    with open_workspace(folder) as workspace:
        for pier in range(25):
            text = f"The ferry to Kessler leaves from pier {pier}{', they say' * 30}."
            workspace.mind.believe(text, subject="ferry", attribute="pier")
    told = text_of(talked(folder, call("curate"))[0])
    assert "task conflict:" in told and "from pier 3," in told
    assert 600 < tokens(told) <= 900
    told = text_of(talked(folder, call("curate", answers=[{"id": "x"}]))[0])
    assert "these are no answers" in told


def test_other_workspaces_are_recalled_and_read_and_nothing_is_written_there(
    tmp_path: Path,
) -> None:
    own, team = tmp_path / "own", tmp_path / "team"
    for folder, text in (
        (own, "Tea is at four.\n"),
        (team, "Deploy with `kelpctl release prod`.\n"),
    ):
        folder.mkdir()
        (folder / "MEMORY.md").write_text(f"# Memory\n\n## Notes\n\n{text}")
        open_workspace(folder).bootstrap()
    before = {one: one.read_bytes() for one in team.rglob("*.md")}
    calls = [
        {"name": "recall", "arguments": {"query": "how to deploy prod"}},
        {"name": "read", "arguments": {"path": "team:MEMORY.md"}},
        {"name": "read", "arguments": {"path": "team:../own/MEMORY.md"}},
    ]
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": at, "method": "tools/call", "params": one})
        for at, one in enumerate(calls)
    ]
    done = subprocess.run(
        [sys.executable, "-m", "hippocampus_cli", "mcp", "-w", str(own), "--also", str(team)],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
        check=True,
    )
    recalled, read, outside = (json.loads(line)["result"] for line in done.stdout.splitlines())
    assert "in the workspace team: read it as team:PATH" in recalled["content"][0]["text"]
    assert "kelpctl release prod" in recalled["content"][0]["text"]
    assert "kelpctl release prod" in read["content"][0]["text"]
    assert outside["isError"] and "Tea" not in outside["content"][0]["text"]
    assert {one: one.read_bytes() for one in team.rglob("*.md")} == before


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("recall", {"query": "harbour \ud800"}),
        ("read", {"path": "\ud800.md"}),
        ("remember", {"text": "a \ud800 b"}),
        ("remember", {"text": "a", "tags": ["\udfff"]}),
        ("remember", {"\ud800": "a"}),
        ("sessions", {"query": "\ud800"}),
        ("brief", {"prompt": "\ud800"}),
        ("recall", {"query": "a", "tokens": 10**40}),
        ("read", {"path": "MEMORY.md", "line": 10**40, "lines": 10**40}),
    ],
)
def test_odd_arguments_are_served_or_refused_and_change_nothing(
    folder: Path, name: str, arguments: dict[str, Any]
) -> None:
    before = sorted(folder.rglob("*.md"))
    (answer,) = talked(folder, call(name, **arguments))
    assert "a bug in hippo" not in text_of(answer)
    assert sorted(folder.rglob("*.md")) == before
