from __future__ import annotations

from datetime import timedelta

import pytest

from hippocampus_cli.maintenance.actions import Kind
from hippocampus_cli.maintenance.steps.aliases import DAYS, learn_aliases
from hippocampus_cli.workspace.journal import Event
from tests.maintenance.steps.made import NOW, block, index, snapshot

QUESTION = "how do we push the buoy firmware?"


def question(ago: int, *used: str, wrong: str = "", query: str = QUESTION) -> Event:
    events = (), used, (), {}, "", None, (wrong,) if wrong else ()
    return Event(NOW - timedelta(days=ago), query, "both", *events)


def asked(days: int, *used: str) -> list[Event]:
    """The question on so many days, answered for sure on the last of them."""
    return [*(question(ago) for ago in range(days, 1, -1)), question(1, *used)]


@pytest.mark.parametrize(
    ("events", "also"),
    [
        (asked(DAYS, "a"), (QUESTION,)),
        ([*asked(DAYS, "a"), question(0, query="the firmware of the buoy: push?")], (QUESTION,)),
        (asked(DAYS - 1, "a"), ()),
        ([question(1, "a")] * 9, ()),  # often on one day
        (asked(DAYS), ()),  # never answered for sure
        ([*asked(DAYS, "a"), question(0, wrong="a")], ()),
        ([*asked(DAYS, "b"), question(0, "a")], (QUESTION,)),  # what answered it in the end
        ([question(ago, "a", query="deploy") for ago in range(9)], ()),  # says it already
    ],
)
def test_what_is_asked_on_five_days_is_a_phrase_of_what_answered_it(
    events: list[Event], also: tuple[str, ...]
) -> None:
    whole = index(block("a", "Deploy"), block("b"))
    once = learn_aliases(whole, snapshot(events=events))
    assert once.result.by_key["a"].entry.also == also
    assert [action.kind for action in once.actions] == [Kind.ALIAS] * bool(also)
    assert learn_aliases(once.result, snapshot(events=events)).actions == ()
    undone = snapshot(events=events, undone=[(Kind.ALIAS, "a")])
    assert learn_aliases(whole, undone).result == whole
