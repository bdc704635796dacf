"""Whether a question names a thing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.api.workspace import open_workspace
from hippocampus_cli.cli.main import main
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


@pytest.mark.parametrize("later", [timedelta(0), timedelta(days=1)])
def test_a_belief_that_is_told_again_is_confirmed_and_keeps_its_new_names(
    tmp_path: Path, later: timedelta
) -> None:
    (tmp_path / "memory").mkdir()
    mind = open_workspace(tmp_path).mind
    assert mind.believe("Our cache is Redis.", tags=["cache"], now=NOW).confirmed == ()
    done = mind.believe("Our cache is Redis.", tags=["valkey"], now=NOW + later)
    assert (done.added, done.confirmed) == ((), ("our-cache-is-redis",))
    [held] = mind.beliefs("valkey eviction", now=NOW)
    assert held.belief.tags == ("cache", "valkey")


def test_what_is_told_again_is_said_to_be_confirmed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "memory").mkdir()
    told = ["--workspace", str(tmp_path), "remember", "--believe", "Our cache is Redis."]
    assert main(told) == main(told) == 0
    assert capsys.readouterr().out.endswith("  confirmed our-cache-is-redis\n")


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
