"""hippo's hooks in the settings of agents: put in, taken out, and nothing else touched."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.integrations.hook_dialects import HookAgent
from hippocampus_cli.integrations.hook_settings import LAYOUTS, edit_hooks

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


def put(text: str, agent: HookAgent = "claude-code", program: tuple[str, ...] = ("hippo",)) -> str:
    return edit_hooks(agent, program, PATH, text, True)


def taken(text: str, agent: HookAgent = "claude-code") -> str:
    return edit_hooks(agent, (), PATH, text, False)


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
def test_all_the_hooks_are_there_and_everything_that_was(text: str) -> None:
    made = json.loads(put(text, program=("a b", "hippo")).removeprefix("\ufeff"))
    before = json.loads(text.removeprefix("\ufeff"))
    for event in EVENTS:
        first, *others = made["hooks"].pop(event)
        assert f" 'a b' hippo hook {event} || exit 0" in first["hooks"][0]["command"]
        assert others == before.get("hooks", {}).get(event, [])
        before.get("hooks", {}).pop(event, None)
    assert made == {"hooks": {}} | before


def test_a_new_file_is_gone_again() -> None:
    made = put("")
    assert made.startswith('{\n  "hooks": {\n    "PreCompact": [\n') and made.endswith("}\n")
    assert taken(made) == ""


def test_another_program_takes_the_place_of_the_one_before() -> None:
    old = ("/opt/old venv/bin/python", "-P", "-m", "hippocampus_cli")
    text = '{\n  "model": "opus"\n}\n'
    made = put(put(text, program=old))
    assert made == put(text)


def test_what_a_person_put_beside_them_stays() -> None:
    made = put("").replace(
        '"timeout": 60\n          }', '"timeout": 60\n          },\n          {"command": "mine"}'
    )
    left = json.loads(taken(made))
    assert left == {"hooks": {"PreCompact": [{"hooks": [{"command": "mine"}]}]}}


@pytest.mark.parametrize(
    "command",
    ["hippo hook", "echo hippo", "myhippo hook Stop", "hippo hook Stopwatch", "hippo query Stop"],
)
def test_a_command_that_only_looks_like_one_stays(command: str) -> None:
    text = json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}})
    assert taken(text) == text


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
        ("[]", None, "the file is not an object"),
        ('{"hooks": []}', None, "hooks is not an object"),
        ('{"hooks": null}', None, "hooks is not an object"),
        ('{"hooks": {"Stop": {}}}', None, "hooks.Stop is not a list"),
    ],
)
def test_what_is_no_such_file_is_refused(text: str, line: int | None, reason: str) -> None:
    for act in (put, taken) if "hooks" not in text else (put,):
        with pytest.raises(InstallRefused, match=reason) as refused:
            act(text)
        assert (refused.value.path, refused.value.line) == (PATH, line)


def test_of_two_members_of_a_name_the_last_counts_as_it_does_for_the_agent() -> None:
    text = '{"hooks": {}, "hooks": {"Stop": []}}'
    made = put(text)
    assert {*json.loads(made)["hooks"]} == {*EVENTS}
    assert taken(made) == text


@pytest.mark.parametrize("agent", LAYOUTS)
@given(text=settings_texts())
def test_every_agents_hooks_come_and_go(agent: HookAgent, text: str) -> None:
    made = put(text, agent)
    assert made != text and put(made, agent) == made
    assert taken(made, agent) == taken(text, agent) == text
    assert taken(put("", agent), agent) == ""


@pytest.mark.parametrize(
    "text",
    ['{"version": 1}', '{"version": 1}\n', '{\n  "version": 1\n}\n', '{"version":1,"hooks":{}}'],
)
def test_cursors_file_that_was_there_stays(text: str) -> None:
    made = put(text, "cursor")
    assert json.loads(made)["version"] == 1
    assert taken(made, "cursor") == text


def test_each_writes_hooks_in_its_own_way() -> None:
    gemini = json.loads(put("", "gemini"))["hooks"]["BeforeAgent"]
    command = (
        "command $(command -v timeout && echo 9) hippo hook BeforeAgent --agent gemini || exit 0"
    )
    own = {"type": "command", "name": "hippo", "command": command, "timeout": 10_000}
    assert gemini == [{"hooks": [own]}]
    cursor = json.loads(put("", "cursor"))
    assert cursor["version"] == 1
    assert cursor["hooks"]["sessionStart"] == [
        {
            "command": "command $(command -v timeout && echo 9) hippo hook SessionStart || exit 0",
            "timeout": 10,
        }
    ]
