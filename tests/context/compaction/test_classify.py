from __future__ import annotations

import pytest

from hippocampus_cli.config.context import Compaction
from hippocampus_cli.context.compaction.classify import classifier
from hippocampus_cli.context.transcripts.pi import message_of
from tests.support.sessions import Value, call, result, says, user

CLASSIFY = classifier(Compaction())


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (says("I decided to store timestamps in UTC."), "decision"),
        (says("Wir haben entschieden, SQLite zu verwenden."), "decision"),
        (says("我决定使用 SQLite 作为存储层。"), "decision"),
        (says("Я решил хранить логи в облаке."), "decision"),
        (says("Decision: book the room."), "decision"),
        (says("Let’s go with SQLite for the store."), "decision"),
        (says("I'll use port 8443 for it."), "decision"),
        (says("I chose gzip over zstd."), "decision"),
        (user("Why did you say HEARTBEAT_OK yesterday? Fix the parser."), "user_intent"),
        (says("", call("c", command="ls"), thinks="my plan: look first"), "decision"),
        (says("The explanation of the airplane planet."), "context"),
        (says("Token saved."), "context"),
        (says("Broken build"), "context"),
        (says("ok port 8443"), "context"),
        (says("", call("c", command="echo decision")), "context"),
        (says(""), "context"),
        (says("HEARTBEAT_OK"), "ephemeral"),
        (says("Ok, done."), "ephemeral"),
        (says("NO_REPLY"), "ephemeral"),
        (user("heartbeat"), "ephemeral"),
        (user("/status"), "ephemeral"),
        (user("Read HEARTBEAT.md if it exists (workspace context). Follow it."), "ephemeral"),
        (user("Pre-compaction memory flush. Store durable memories now."), "ephemeral"),
        (user("My watch shows a heartbeat of 140, write a parser for it."), "user_intent"),
        (user("Look at https://x.io/status/7 please"), "user_intent"),
        (user(""), "user_intent"),
        (result("c", "decided"), "tool_result"),
        ({"role": "bashExecution", "command": "ls", "output": "decided"}, "tool_result"),
        ({"role": "custom", "content": "A reminder"}, "context"),
        ({"role": "branchSummary", "summary": "We decided on it."}, "decision"),
        ({"role": "oracle", "content": "decided"}, "unknown"),
        ({"content": "no role"}, "unknown"),
    ],
)
def test_the_type_of_a_message(raw: Value, expected: str) -> None:
    assert CLASSIFY.type_of(message_of(raw, "x")) == expected


def test_the_word_lists_are_settings() -> None:
    own = classifier(Compaction(decision_words=("bestemt",), routine_words=("ping",)))
    assert own.type_of(message_of(says("Det er bestemt."), "x")) == "decision"
    assert own.type_of(message_of(says("We decided it."), "x")) == "context"
    assert own.type_of(message_of(user("ping"), "x")) == "ephemeral"
