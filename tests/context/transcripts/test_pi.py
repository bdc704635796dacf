from __future__ import annotations

from pathlib import Path

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
