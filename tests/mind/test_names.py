"""Whether a question names a thing."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.api import open_workspace
from hippocampus_cli.mind.names import is_named, is_slip

NOW = datetime(2026, 7, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "question", "expected"),
    [
        ("k8s", "what is our K8s story?", True),
        ("k8s", "k9s pods", False),
        ("staging database", "where do staging databases run", True),
        ("staging database", "the database of staging", False),
        ("Postgres", "posgres tuning", True),
        ("Postgres", "postgers tuning", True),
        ("mango", "mongo pooling", False),
        ("pipe", "our pipeline", False),
        ("GHA", "gha, please", True),
        ("数据库", "数据库", True),
        ("", "anything", False),
    ],
)
def test_names(name: str, question: str, expected: bool) -> None:
    assert is_named([name], question) is expected


@given(st.text("abcde", min_size=6, max_size=9), st.integers(0, 5))
def test_a_letter_left_out_or_two_swapped_is_a_slip(word: str, at: int) -> None:
    fewer = word[:at] + word[at + 1 :]
    swapped = word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :]
    assert is_slip(fewer, word)
    assert is_slip(word, fewer)
    assert swapped == word or is_slip(swapped, word)
    assert not is_slip(word, word)


def test_what_has_names_answers_only_where_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    mind = open_workspace(tmp_path).mind
    told = "Redis is our cache. Single node, not clustered."
    done = mind.believe(told, tags=["Redis", "cache"], now=NOW)
    assert [one.belief.statement for one in mind.beliefs("reedis eviction", now=NOW)] == [
        "Redis is our cache.",
        "Single node, not clustered.",
    ]
    assert len(done.added) == 2
    assert not mind.beliefs("is a single node clustered?", now=NOW)
    mind.believe("Our cache is now Valkey.", now=NOW)
    assert [one.belief.statement for one in mind.beliefs("redis", now=NOW)]
