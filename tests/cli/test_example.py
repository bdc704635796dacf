"""A question that bootstrap proposes."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.cli.commands.bootstrap import example


@pytest.mark.parametrize(
    ("topics", "words"),
    [
        ([], ""),
        (["", " "], ""),
        (["--json"], ""),
        (["MEMORY.md", "Ines", "Office VPN", "Money"], '"Office VPN"'),
        (["MEMORY.md: what I keep", "Ines"], '"Ines"'),
        (["Sigrid's boat (2026-03-12)"], '"Sigrid\'s boat (2026-03-12)"'),
        (["`make` $HOME"], "'`make` $HOME'"),
        (['Tobi said "no"!'], "'Tobi said \"no\"!'"),
        (["x" * 50, "tag:ship"], "tag:ship"),
        (["a\x1b[31m"], "'a␛[31m'"),
    ],
)
def test_it_is_a_topic_that_a_person_would_type(topics: list[str], words: str) -> None:
    assert example(topics) == words


@given(st.lists(st.text(min_size=1), min_size=1))
def test_a_shell_takes_it_for_one_word(topics: list[str]) -> None:
    words = example(topics)
    assert len(shlex.split(words)) == (1 if words else 0)
    if words.startswith('"'):
        assert not set(words[1:-1]) & set('$`"\\\\!')
