from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.context.lifecycle.extract.choose import extract
from hippocampus_cli.context.lifecycle.extract.extract import Extract, fit
from hippocampus_cli.context.lifecycle.window import said
from hippocampus_cli.index.budget import tokens
from tests.context.lifecycle.extract.test_kinds import (
    ARIA,
    HTML,
    LOG,
    LS,
    PYTHON,
    TRACE,
    TREE,
    USERS,
)

PIECES = [ARIA, HTML, LOG, LS, PYTHON, TRACE, TREE, USERS, "a,b\n1,2\n", "| a | b |\n|---|---|\n"]
SIZE = 300_000
HOSTILE = {
    "one-line": "a" * SIZE,
    "less-than": "<" * SIZE,
    "open-tags": "<a " * (SIZE // 3),
    "comments": "<!--" * (SIZE // 4),
    "attributes": "<a " + "b=" * SIZE + "><b><c><d>",
    "bars": "|   " * (SIZE // 4),
    "rules": "-" * SIZE + "\n" + "|-" * SIZE,
    "brackets": "[" * SIZE,
    "braces": '{"a":' * (SIZE // 5),
    "newlines": "\n" * SIZE,
    "def": "def x(" + ")" * SIZE,
    "interface": "interface " + "a" * SIZE,
    "exports": "export " * (SIZE // 7),
    "frames": "    at " * (SIZE // 7),
    "files": ' File "' * (SIZE // 7),
    "slashes": "a/" * (SIZE // 2),
    "tree": "├── " * (SIZE // 4),
    "quotes": '"' * SIZE + ",\n" * 3,
    "failed": "FAILED " * (SIZE // 7),
    "errors": "Error" * (SIZE // 5),
    "nodes": "- a [ref=e1]\n" * (SIZE // 13),
}


@given(
    st.text(max_size=500) | st.lists(st.sampled_from(PIECES)).map("".join),
    st.sampled_from(["", "a.py", "a.csv", "a.log", "browser.snapshot", "error"]),
    st.integers(20, 300),
)
def test_any_text_gives_an_extract_within_the_budget(text: str, hint: str, budget: int) -> None:
    found = fit(extract(text, hint, ("never",)), budget)
    assert tokens(said(found.summary, found.key_data)) <= budget


@given(
    st.text(),
    st.dictionaries(st.text(max_size=9), st.text() | st.lists(st.text())),
    st.integers(30, 200),
)
def test_what_fits_is_left_alone(
    summary: str, data: dict[str, str | list[str]], budget: int
) -> None:
    given = Extract("text", summary, data)
    if tokens(said(summary, data)) <= budget:
        assert fit(given, budget) == given
    else:
        assert tokens(said(*fit(given, budget)[1:])) <= budget


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_no_time_to_speak_of(name: str) -> None:
    """Nothing is measured here: with a pattern that backtracks this would run for hours."""
    assert fit(extract(HOSTILE[name]), 200).kind


@given(st.text() | st.sampled_from([*PIECES, "see src/app.py or https://a.test/b c"]), st.data())
def test_no_control_character_comes_through(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    found = extract(text[:at] + "\x1b[31m\x07" + text[at:])
    whole = said(found.summary, found.key_data)
    assert "\x1b" not in whole and "\x07" not in whole
