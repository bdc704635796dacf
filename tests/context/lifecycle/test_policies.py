from __future__ import annotations

import pytest

from hippocampus_cli.config.context import Context
from hippocampus_cli.context.lifecycle.policies import (
    Action,
    Candidate,
    Match,
    Policy,
    built_in,
    contains,
    fits,
    judge,
)

RESULT = Candidate("tool_result", "browser.snapshot", "normal", "a page")


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        (Match(type=("tool_result",)), True),
        (Match(type=("message", "state")), False),
        (Match(priority=("normal", "low")), True),
        (Match(priority=("high",)), False),
        (Match(source_type=("browser.snapshot",)), True),
        (Match(source_type=("browser.*",)), True),
        (Match(source_type=("browser",)), False),
        (Match(contains=("a page",)), True),
        (Match(contains=("missing", "PAGE")), True),
        (Match(contains=("pa",)), False),
        (Match(type=("tool_result",), contains=("missing",)), False),
    ],
)
def test_every_matcher_that_is_given_must_fit(match: Match, expected: bool) -> None:
    assert fits(RESULT, match) is expected


@pytest.mark.parametrize(
    ("text", "phrase", "expected"),
    [
        ("Explanation of it", "plan", False),
        ("the PLAN.", "plan", True),
        ("do not\n forget", "not forget", True),
        ("请记住这个命令", "记住", True),
        ("100% sure", "%", True),
        ("anything", " ", False),
    ],
)
def test_words_are_whole_words(text: str, phrase: str, expected: bool) -> None:
    assert contains(text, (phrase,)) is expected


def test_a_later_policy_has_the_last_word_and_sees_what_earlier_ones_set() -> None:
    raise_it = Policy(Match(type=("tool_result",)), Action(priority="high", decay_rate=0.5), 1)
    of_high = Policy(Match(priority=("high",)), Action(decay_rate=0.1, persist=True), 2)
    of_low = Policy(Match(priority=("low",)), Action(persist=False), 3)
    judged = judge(RESULT, (raise_it, of_high, of_low), None)
    assert judged.action == Action(decay_rate=0.1, priority="high", persist=True)
    assert [policy.line for policy in judged.policies] == [1, 2]


def test_a_priority_given_by_hand_is_what_policies_match() -> None:
    of_high = Policy(Match(priority=("high",)), Action(persist=True))
    assert judge(RESULT, (of_high,), "high").action.persist
    lowers = Policy(Match(type=("tool_result",)), Action(priority="low"))
    assert judge(RESULT, (lowers, of_high), "high").action.persist


@pytest.mark.parametrize(
    ("candidate", "action"),
    [
        (
            Candidate("message", "user", "normal", "Never do that"),
            Action(priority="high", persist=True),
        ),
        (Candidate("message", "user", "normal", "Nevertheless"), Action()),
        (Candidate("message", "assistant", "normal", "Never"), Action()),
        (Candidate("tool_result", "error", "normal", "x"), Action(expires_after_turns=50)),
        (RESULT, Action(decay_rate=0.2, indexed=True, compression="aggressive")),
        (Candidate("tool_result", "config.get", "low", ""), Action(decay_rate=0.3, persist=False)),
    ],
)
def test_the_policies_of_the_specification_are_built_in(
    candidate: Candidate, action: Action
) -> None:
    assert judge(candidate, built_in(Context().instruction_words), None).action == action
