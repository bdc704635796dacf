"""hippo's hooks in the settings of agents: put in, taken out, and nothing else touched."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.integrations.hook_dialects import HookAgent
from hippocampus_cli.integrations.hook_settings import LAYOUTS, with_hooks, without_hooks

PATH = ".claude/settings.json"
EVENTS = [hook.event for hook in LAYOUTS["claude-code"].hooks]

_scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
_values = st.recursive(
    _scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
_groups = st.fixed_dictionaries(
    {"hooks": st.lists(st.fixed_dictionaries({"command": st.text(max_size=10)}), max_size=2)},
    optional={"matcher": st.text(max_size=5)},
)
_hooks = st.dictionaries(
    st.sampled_from([*EVENTS, "PreToolUse"]), st.lists(_groups | _scalars, max_size=2), max_size=4
)


def _strings(value: Any) -> list[str]:
    """Every key and text in a document."""
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in _strings(part)]
    if isinstance(value, list):
        return [text for part in value for text in _strings(part)]
    return [value] if isinstance(value, str) else []


@st.composite
def settings_texts(draw: st.DrawFn) -> str:
    """A settings.json as somebody may have written it."""
    value: dict[str, Any] = draw(st.dictionaries(st.text(max_size=5), _values, max_size=3))
    value.pop("hooks", None)
    if draw(st.booleans()):
        value["hooks"] = draw(_hooks)
    style: dict[str, Any] = draw(
        st.sampled_from(
            (
                *({"indent": 2}, {"indent": 4}, {"indent": "\t"}, {}, {"indent": 0}),
                {"separators": (",", ":")},
            )
        )
    )
    text = json.dumps(value, ensure_ascii=draw(st.booleans()), **style)
    text = text.replace("\n", draw(st.sampled_from(("\n", "\r\n"))))
    empty = draw(st.sampled_from(("{}", "{ }", "{\n}")))
    if "{}" not in "".join(_strings(value)):
        text = text.replace("{}", empty)
    return draw(st.sampled_from(("", "\ufeff", "\n"))) + text + draw(st.sampled_from(("", "\n")))


@given(settings_texts())
def test_taking_the_hooks_out_gives_the_bytes_back(text: str) -> None:
    made = with_hooks("claude-code", text, ["hippo"], PATH)
    assert without_hooks("claude-code", made, PATH) == text
    assert without_hooks("claude-code", text, PATH) == text


@given(settings_texts())
def test_a_second_time_changes_nothing(text: str) -> None:
    made = with_hooks("claude-code", text, ["hippo"], PATH)
    assert with_hooks("claude-code", made, ["hippo"], PATH) == made


@given(settings_texts())
def test_all_the_hooks_are_there_and_everything_that_was(text: str) -> None:
    made = json.loads(
        with_hooks("claude-code", text, ["a b", "hippo"], PATH).removeprefix("\ufeff")
    )
    before = json.loads(text.removeprefix("\ufeff"))
    for event in EVENTS:
        first, *others = made["hooks"].pop(event)
        assert f" 'a b' hippo hook {event} || exit 0" in first["hooks"][0]["command"]
        assert others == before.get("hooks", {}).get(event, [])
        before.get("hooks", {}).pop(event, None)
    assert made == {"hooks": {}} | before


def test_a_new_file_is_gone_again() -> None:
    made = with_hooks("claude-code", "", ["hippo"], PATH)
    assert made.startswith('{\n  "hooks": {\n    "PreCompact": [\n') and made.endswith("}\n")
    assert without_hooks("claude-code", made, PATH) == ""


def test_another_program_takes_the_place_of_the_one_before() -> None:
    old = ["/opt/old venv/bin/python", "-P", "-m", "hippocampus_cli"]
    text = '{\n  "model": "opus"\n}\n'
    made = with_hooks("claude-code", with_hooks("claude-code", text, old, PATH), ["hippo"], PATH)
    assert made == with_hooks("claude-code", text, ["hippo"], PATH)


def test_what_a_person_put_beside_them_stays() -> None:
    made = with_hooks("claude-code", "", ["hippo"], PATH).replace(
        '"timeout": 60\n          }', '"timeout": 60\n          },\n          {"command": "mine"}'
    )
    left = json.loads(without_hooks("claude-code", made, PATH))
    assert left == {"hooks": {"PreCompact": [{"hooks": [{"command": "mine"}]}]}}


@pytest.mark.parametrize(
    "command",
    ["hippo hook", "echo hippo", "myhippo hook Stop", "hippo hook Stopwatch", "hippo query Stop"],
)
def test_a_command_that_only_looks_like_one_stays(command: str) -> None:
    text = json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}})
    assert without_hooks("claude-code", text, PATH) == text


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('{\n  "a": 1, // mine\n}', 2, "a comment"),
        ("/* mine */\n{}", 1, "a comment"),
        ('{\n  "url": "http://x",\n}', 3, "not valid JSON"),
        ('{"a": ', 1, "not valid JSON"),
        ('{"a": NaN}', None, "NaN"),
        ("{} {}", 1, "more than one"),
        ("[" * 100_000, None, "nested too deeply"),
        ("\n", 2, "not valid JSON"),
        ("[]", 1, "the file is not an object"),
        ('{\n"hooks": []}', 2, "hooks is not an object"),
        ('{"hooks": null}', 1, "hooks is not an object"),
        ('{"hooks": {\n"Stop": {}}}', 2, "hooks.Stop is not a list"),
    ],
)
def test_what_is_no_such_file_is_refused(text: str, line: int | None, reason: str) -> None:
    for act in (
        lambda: with_hooks("claude-code", text, ["hippo"], PATH),
        lambda: without_hooks("claude-code", text, PATH),
    ):
        with pytest.raises(InstallRefused, match=reason) as refused:
            act()
        assert (refused.value.path, refused.value.line) == (PATH, line)


def test_of_two_members_of_a_name_the_last_counts_as_it_does_for_the_agent() -> None:
    text = '{"hooks": {}, "hooks": {"Stop": []}}'
    made = with_hooks("claude-code", text, ["hippo"], PATH)
    assert {*json.loads(made)["hooks"]} == {*EVENTS}
    assert without_hooks("claude-code", made, PATH) == text


AGENTS = ("codex", "gemini", "cursor")


@pytest.mark.parametrize("agent", AGENTS)
@given(text=settings_texts())
def test_every_agents_hooks_come_and_go(agent: HookAgent, text: str) -> None:
    made = with_hooks(agent, text, ["hippo"], PATH)
    assert made != text and with_hooks(agent, made, ["hippo"], PATH) == made
    assert without_hooks(agent, made, PATH) == text


@pytest.mark.parametrize("agent", AGENTS)
def test_every_agents_new_file_is_gone_again(agent: HookAgent) -> None:
    made = with_hooks(agent, "", ["hippo"], PATH)
    assert without_hooks(agent, made, PATH) == ""


@pytest.mark.parametrize(
    "text", ['{"version": 1}', '{\n  "version": 1\n}\n', '{"version":1,"hooks":{}}']
)
def test_cursors_file_that_was_there_stays(text: str) -> None:
    made = with_hooks("cursor", text, ["hippo"], PATH)
    assert json.loads(made)["version"] == 1
    assert without_hooks("cursor", made, PATH) == text


def test_each_writes_hooks_in_its_own_way() -> None:
    gemini = json.loads(with_hooks("gemini", "", ["hippo"], PATH))["hooks"]["BeforeAgent"]
    command = (
        "command $(command -v timeout && echo 9) hippo hook BeforeAgent --agent gemini || exit 0"
    )
    own = {"type": "command", "name": "hippo", "command": command, "timeout": 10_000}
    assert gemini == [{"hooks": [own]}]
    cursor = json.loads(with_hooks("cursor", "", ["hippo"], PATH))
    assert cursor["version"] == 1
    assert cursor["hooks"]["sessionStart"] == [
        {
            "command": "command $(command -v timeout && echo 9) hippo hook SessionStart || exit 0",
            "timeout": 10,
        }
    ]
