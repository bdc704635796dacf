from __future__ import annotations

from hippocampus_cli.context.compaction.score import MessageUse, Uses
from hippocampus_cli.context.transcripts.pi import message_of
from tests.support.sessions import Value, call, result, says, user


def used(*messages: Value) -> dict[int, MessageUse]:
    uses = Uses(len(messages) - 1)
    for at in reversed(range(len(messages))):
        uses.add(at, message_of(messages[at], str(at)))
    return uses.last_uses()


def test_an_identifier_of_an_output_that_is_named_later_is_a_use() -> None:
    found = used(result("c", "id dep_8f3k ready"), says("Deployed as dep_8f3k."), user("Thanks."))
    assert found == {0: MessageUse(1, "dep_8f3k")}


def test_the_last_use_counts() -> None:
    found = used(result("c", "port_map ready"), says("port_map"), user("hm"), says("port_map"))
    assert found[0] == MessageUse(3, "port_map")


def test_of_two_outputs_the_later_is_used() -> None:
    found = used(
        result("c", "def parse_args()"), result("d", "def parse_args()"), says("parse_args")
    )
    assert found == {1: MessageUse(2, "parse_args")}


def test_a_use_between_two_outputs_is_one_of_the_first() -> None:
    found = used(result("c", "parse_args"), says("parse_args"), result("d", "parse_args"))
    assert found == {0: MessageUse(1, "parse_args")}


def test_an_output_uses_nothing() -> None:
    assert used(result("c", "dep_8f3k"), result("d", "dep_8f3k")) == {}


def test_a_path_that_is_named_later_uses_what_was_read_there() -> None:
    found = used(
        says("", call("c", "read", path="src/app.py")),
        result("c", "nothing that names itself"),
        says("See app.py again."),
    )
    assert found[1] == MessageUse(2, "app.py")


def test_common_words_and_years_are_no_use() -> None:
    assert used(result("c", "the report of 2026"), says("the report of 2026")) == {}
