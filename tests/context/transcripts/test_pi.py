from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hippocampus_cli.context.transcripts import Transcript
from tests.support.sessions import (
    HEADER,
    call,
    pi_entries,
    pi_file,
    result,
    says,
    user,
    write_lines,
)


def test_messages_have_roles_and_tools(tmp_path: Path) -> None:
    path = pi_file(
        tmp_path,
        user("Look around."),
        says("I look.", call("c1", command="ls"), thinks="where am I"),
        result("c1", "a.txt", isError=True),
        {"role": "bashExecution", "command": "df -h", "output": "full", "exitCode": 1},
        {"role": "custom", "content": "reminder"},
        {"role": "assistant", "content": [None, {"type": "image", "data": "x"}, {"type": "new"}]},
    )
    with Transcript(path) as session:
        found = list(session)
    assert [one.role for one in found] == [
        "user",
        "assistant",
        "tool",
        "bash",
        "custom",
        "assistant",
    ]
    asked, said, came, ran, _, odd = found
    assert (asked.id, asked.line, asked.text) == ("e1", 2, "Look around.")
    assert (said.thinking, said.calls[0].argument) == ("where am I", ("command", "ls"))
    assert (came.tool, came.call, came.text) == ("bash", "c1", "a.txt")
    assert (ran.text, ran.calls[0].text) == ("full", "df -h")
    assert [part.kind for part in odd.parts] == ["media", "other"]


def test_only_the_branch_of_the_last_entry_is_in_the_window(tmp_path: Path) -> None:
    first, other, second = pi_entries([user("one"), user("other"), user("two")])
    second["parentId"] = "e1"
    path = write_lines(tmp_path / "s.jsonl", [HEADER, first, other, second])
    with Transcript(path) as session:
        assert [one.text for one in session] == ["one", "two"]
        assert session.find("e2").text == "other"


def test_what_was_said_before_a_compaction_is_there_beside_its_summary(tmp_path: Path) -> None:
    entries = pi_entries([user("old"), user("kept"), user("new")])
    compaction = {
        "type": "compaction",
        "id": "c1",
        "parentId": "e2",
        "summary": "told",
        "firstKeptEntryId": "e2",
    }
    entries[2]["parentId"] = "c1"
    path = write_lines(tmp_path / "s.jsonl", [HEADER, *entries[:2], compaction, entries[2]])
    with Transcript(path) as session:
        assert [one.text for one in session] == ["old", "kept", "new"]
        assert session.previous is not None
        assert (session.previous.text, session.previous.role) == ("told", "summary")
        assert session.find("e1").text == "old"


def test_what_is_not_in_the_window_is_a_link_of_the_chain_only(tmp_path: Path) -> None:
    first, second = pi_entries([user("one"), user("two")])
    between = [
        {"type": "model_change", "id": "m", "parentId": "e1", "modelId": "x"},
        {"type": "custom", "customType": "x", "data": {}, "id": "d", "parentId": "m"},
        {"type": "what is this", "id": "w", "parentId": "d"},
        {
            "type": "message",
            "id": "b",
            "parentId": "w",
            "message": {"role": "bashExecution", "command": "x", "excludeFromContext": True},
        },
        {"type": "branch_summary", "id": "s", "parentId": "b", "summary": "of a branch"},
        {"type": "custom_message", "id": "n", "parentId": "s", "content": "note"},
    ]
    second["parentId"] = "n"
    path = write_lines(tmp_path / "s.jsonl", [HEADER, first, *between, second])
    with Transcript(path) as session:
        assert [one.text for one in session] == ["one", "of a branch", "note", "two"]


def test_a_header_may_be_missing(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "s.jsonl", pi_entries([user("one"), user("two")]))
    with Transcript(path) as session:
        assert [one.text for one in session] == ["one", "two"]


def test_entries_without_ids_follow_each_other(tmp_path: Path) -> None:
    lines = [{"type": "message", "message": user(text)} for text in ("one", "two")]
    path = write_lines(tmp_path / "s.jsonl", [{"type": "session", "id": "s"}, *lines])
    with Transcript(path) as session:
        assert [(one.id, one.text) for one in session] == [("line2", "one"), ("line3", "two")]


def line(
    identity: str, parent: str | None, role: str, content: object, **more: Any
) -> dict[str, Any]:
    message = {"role": role, "content": content, **more.pop("api", {})}
    base = {"uuid": identity, "parentUuid": parent, "sessionId": "s", "type": role}
    return {**base, "message": message, **more}


def called(identity: str, name: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": identity, "name": name, "input": arguments}


def answered(identity: str, content: object, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": identity, "content": content, **more}


def test_a_tool_result_is_a_message_of_its_tool_although_the_user_bears_it(tmp_path: Path) -> None:
    blocks = [{"type": "text", "text": "one"}, None, {"type": "text", "text": "two"}]
    path = write_lines(
        tmp_path / "t.jsonl",
        [
            line("u1", None, "user", "Read it."),
            line("a1", "u1", "assistant", [called("t1", "Read", file_path="/x.py")]),
            line("r1", "a1", "user", [answered("t1", blocks, is_error=True)], toolUseResult={}),
        ],
    )
    with Transcript(path) as session:
        asked, calls, came = list(session)
    assert session.format == "claude-code"
    assert (asked.role, asked.text) == ("user", "Read it.")
    assert calls.calls[0].argument == ("path", "/x.py")
    assert (came.role, came.tool, came.text) == ("tool", "Read", "one\ntwo")
    assert came.raw["role"] == "tool"


def test_one_api_message_over_several_lines_is_one_message(tmp_path: Path) -> None:
    api = {"id": "msg_1"}
    path = write_lines(
        tmp_path / "t.jsonl",
        [
            line("u1", None, "user", "Go."),
            line("a1", "u1", "assistant", [{"type": "thinking", "thinking": "hm"}], api=api),
            line("a2", "a1", "assistant", [{"type": "text", "text": "I go."}], api=api),
            line("a3", "a2", "assistant", [called("t1", "Bash", command="ls")], api=api),
            line("a4", "a3", "assistant", [called("t2", "Bash", command="pwd")], api=api),
            # Answers to parallel calls: the first is beside the branch.
            line("r1", "a3", "user", [answered("t1", "x")]),
            line("r2", "a4", "user", [answered("t2", "/")]),
            line("a5", "r2", "assistant", [{"type": "text", "text": "Done."}], api={"id": "msg_2"}),
        ],
    )
    with Transcript(path) as session:
        found = list(session)
    assert [one.id for one in found] == ["u1", "a1", "r1", "r2", "a5"]
    assert [part.kind for part in found[1].parts] == ["thinking", "text", "tool_call", "tool_call"]


def test_several_results_in_one_line_are_several_messages(tmp_path: Path) -> None:
    content = [answered("t1", "x"), answered("t2", "y"), {"type": "text", "text": "and go on"}]
    path = write_lines(
        tmp_path / "t.jsonl",
        [
            line("a1", None, "assistant", [called("t1", "A"), called("t2", "B")]),
            line("r1", "a1", "user", content),
        ],
    )
    with Transcript(path) as session:
        found = list(session)
        assert [(one.id, one.role, one.text) for one in found[1:]] == [
            ("r1", "tool", "x"),
            ("r1.2", "tool", "y"),
            ("r1.3", "user", "and go on"),
        ]
        assert session.find("r1.2").text == "y"


def test_meta_sidechains_and_other_lines_are_outside(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "t.jsonl",
        [
            {"type": "summary", "summary": "a title", "leafUuid": "x"},
            {"type": "file-history-snapshot", "messageId": "x"},
            line("u1", None, "user", "Hello."),
            line("m1", "u1", "user", "caveat", isMeta=True),
            line("p1", "m1", "user", "sub-agent", isSidechain=True),
            {"type": "progress", "uuid": "g1", "parentUuid": "m1", "sessionId": "s"},
            line("a1", "g1", "assistant", [{"type": "text", "text": "Hi."}]),
            line("p2", "p1", "assistant", "of the sub-agent", isSidechain=True),
        ],
    )
    with Transcript(path) as session:
        assert [one.text for one in session] == ["Hello.", "Hi."]


def test_a_rewritten_question_hides_the_branch_it_replaced(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "t.jsonl",
        [
            line("u1", None, "user", "Hello."),
            line("u2", "u1", "user", "first try"),
            line("a2", "u2", "assistant", "first answer"),
            line("u3", "u1", "user", "second try"),
        ],
    )
    with Transcript(path) as session:
        assert [one.text for one in session] == ["Hello.", "second try"]


@pytest.mark.parametrize("way", [{}, {"logicalParentUuid": "u1"}])
def test_a_session_goes_on_over_a_compaction(tmp_path: Path, way: dict[str, str]) -> None:
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": None}
    path = write_lines(
        tmp_path / "t.jsonl",
        [
            line("u1", None, "user", "before"),
            {**boundary, **way},
            line("s1", "b", "user", "This session is being continued", isCompactSummary=True),
            line("u2", "s1", "user", "after"),
        ],
    )
    with Transcript(path) as session:
        assert [one.text for one in session] == (["before", "after"] if way else ["after"])
        assert session.previous is not None
        assert session.previous.role == "summary"
        assert session.find("u1").text == "before"
