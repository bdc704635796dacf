from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.config.context import Context
from hippocampus_cli.context.lifecycle.policies import (
    Candidate,
    Match,
    Policy,
    PolicyAction,
    apply_policies,
    built_in,
    fits,
    read_policies,
)
from hippocampus_cli.errors import PolicyInvalid

RESULT = Candidate("tool_result", "browser.snapshot", None, "a page")


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
    assert fits(RESULT._replace(priority="normal"), match) is expected


def test_a_later_policy_has_the_last_word_and_sees_what_earlier_ones_set() -> None:
    raise_it = Policy(
        Match(type=("tool_result",)), PolicyAction(priority="high", decay_rate=0.5), 1
    )
    of_high = Policy(Match(priority=("high",)), PolicyAction(decay_rate=0.1, persist=True), 2)
    of_low = Policy(Match(priority=("low",)), PolicyAction(persist=False), 3)
    action, policies = apply_policies(RESULT, (raise_it, of_high, of_low))
    assert action == PolicyAction(decay_rate=0.1, priority="high", persist=True)
    assert [policy.line for policy in policies] == [1, 2]


def test_a_priority_given_by_hand_is_what_policies_match() -> None:
    given = RESULT._replace(priority="high")
    of_high = Policy(Match(priority=("high",)), PolicyAction(persist=True))
    assert apply_policies(given, (of_high,))[0].persist
    lowers = Policy(Match(type=("tool_result",)), PolicyAction(priority="low"))
    assert apply_policies(given, (lowers, of_high))[0].persist


@pytest.mark.parametrize(
    ("candidate", "action"),
    [
        (
            Candidate("message", "user", None, "Never do that"),
            PolicyAction(priority="high", persist=True),
        ),
        (Candidate("message", "user", None, "Nevertheless"), PolicyAction()),
        (Candidate("message", "assistant", None, "Never"), PolicyAction()),
        (Candidate("tool_result", "error", None, "x"), PolicyAction(expires_after_turns=50)),
        (RESULT, PolicyAction(decay_rate=0.2, indexed=True, compression="aggressive")),
        (
            Candidate("tool_result", "config.get", "low", ""),
            PolicyAction(decay_rate=0.3, persist=False),
        ),
    ],
)
def test_the_policies_of_the_specification_are_built_in(
    candidate: Candidate, action: PolicyAction
) -> None:
    assert apply_policies(candidate, built_in(Context().instruction_words))[0] == action


EXAMPLE = """\
lifecycle_policies:
  # Tool results decay fast unless high priority
  - match:
      type: tool_result
      priority: [normal, low]
    action:
      decay_rate: 0.15
      persist: false

  - match:
      type: message
      contains: ["remember", "always", "never", "important"]
    action:
      priority: high
      persist: true

  - match:
      type: tool_result
      source.type: error
    action:
      expires_after_turns: 50

  - match:
      source.type: browser.snapshot
    action:
      index: true
      compression: aggressive
      decay_rate: 0.2

  - match:
      source.type: [config.schema, config.get]
    action:
      decay_rate: 0.3
      persist: false
"""


def test_the_example_of_the_specification() -> None:
    """CONTEXT §10, each policy with the line where it stands."""
    words = ("remember", "always", "never", "important")
    assert read_policies(EXAMPLE) == (
        Policy(Match(("tool_result",), ("normal", "low")), PolicyAction(0.15, persist=False), 3),
        Policy(
            Match(("message",), contains=words), PolicyAction(priority="high", persist=True), 10
        ),
        Policy(Match(("tool_result",), (), ("error",)), PolicyAction(expires_after_turns=50), 17),
        Policy(
            Match(source_type=("browser.snapshot",)),
            PolicyAction(0.2, indexed=True, compression="aggressive"),
            23,
        ),
        Policy(
            Match(source_type=("config.schema", "config.get")), PolicyAction(0.3, persist=False), 30
        ),
    )


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "lifecycle_policies: []\n"])
def test_no_policies_are_no_mistake(text: str) -> None:
    assert read_policies(text) == ()


def policy(match: str, action: str = "{persist: true}") -> str:
    return f"lifecycle_policies:\n  - match: {match}\n    action: {action}\n"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (policy("{}"), 2, "matches everything"),
        (policy(""), 2, "matches everything"),
        (policy("{contains: ''}"), 2, "must be text, and not empty"),
        (policy("{contains: []}"), 2, "must be text, and not empty"),
        (policy("{type: tool}"), 2, "type must be one of tool_result, message, state, memory"),
        (policy("{kind: tool_result}"), 2, "use type, priority"),
        (policy("{source_type: error}"), 2, "source.type here"),
        (policy("{type: state}", "3"), 2, "use decay_rate"),
        (policy("{type: state}", "{decay_rate: fast}"), 2, "must be a number from 0"),
        (policy("{type: state}", "{decay_rate: .nan}"), 2, "must be a number from 0"),
        (policy("{type: state}", "{decay_rate: -1}"), 2, "must be a number from 0"),
        (policy("{type: state}", "{expires_after_turns: 1.5}"), 2, "must be a whole number"),
        (policy("{type: state}", "{persist: maybe}"), 2, "must be true or false"),
        (policy("{type: state}", "{priority: urgent}"), 2, "must be one of critical"),
        (policy("{type: state}", "{index: [true]}"), 2, "must be true or false"),
        (policy("{type: state}", "{compression: 3}"), 2, "must be one of normal, aggressive"),
        (policy("[1]"), 2, "use type"),
        ("lifecycle_policies:\n  - action: {persist: true}\n", 2, "has no match"),
        ("lifecycle_policies:\n  - match: {type: state}\n", 2, "has no action"),
        ("lifecycle_policies: 3\n", 1, "must be a list"),
        ("policies: []\n", 1, "the file must be"),
        ("- match\n", 1, "the file must be"),
        ("lifecycle_policies: [\n", 2, "not YAML"),
        ("a: b: c\n", 1, "not YAML"),
        ("lifecycle_policies: &a [*a]\n", None, ""),
        ("? [1]\n: 2\n", 1, "not YAML"),
        ("\x00", None, "not YAML"),
        ("[" * 1_000, None, "not YAML"),
    ],
)
def test_a_mistake_is_named_with_its_line(text: str, line: int | None, reason: str) -> None:
    with pytest.raises(PolicyInvalid) as caught:
        read_policies(text)
    assert reason in caught.value.message
    assert caught.value.path == ".hippocampus/policies.yaml"
    if line is not None:
        assert caught.value.line == line


@given(st.text(alphabet="lifecyc_po:-[]{}&*!|>'\" \n#match", max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    for whole in (text, policy(text), policy("{type: state}", text)):
        try:
            read_policies(whole)
        except PolicyInvalid as error:
            assert error.message
