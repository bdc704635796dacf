"""Floors a little under what is reached on the fixture: quality only, never time."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest

from bench.places import Score, full_scan, grep, hippo, notes_of, score
from bench.questions import load_questions
from hippocampus_cli import open_workspace

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 8, 1, 9, 0, tzinfo=UTC)


Measured = Callable[[str, datetime], Score]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Measured]:
    copy = tmp_path_factory.mktemp("quality") / "workspace"
    shutil.copytree(ROOT / "fixtures/workspace", copy)
    with open_workspace(copy) as workspace:
        workspace.at(NOW).bootstrap()
        notes = notes_of(workspace)
        questions = load_questions(ROOT / "fixtures/queries.toml", workspace.library.note)
        methods = {"full scan": full_scan(notes), "grep": grep(notes)}

        @cache
        def measured(name: str, now: datetime) -> Score:
            method = methods.get(name) or hippo(workspace, name, now)
            return score(method, questions, everything=name == "full scan")

        yield measured


@pytest.fixture(scope="module")
def scores(measured: Measured) -> dict[str, Score]:
    return {name: measured(name, NOW) for name in ("full scan", "grep", "index", "hybrid")}


@pytest.mark.long
@pytest.mark.parametrize("later", [0, 112])
def test_hybrid_is_never_worse_than_search_alone(measured: Measured, later: int) -> None:
    """Whatever decay has made of the index since."""
    now = NOW + timedelta(days=later)
    hybrid, search = (measured(mode, now) for mode in ("hybrid", "search"))
    assert hybrid.hit1 >= search.hit1
    assert hybrid.hit5 >= search.hit5


def test_hybrid_beats_the_baseline_at_a_fraction_of_its_tokens(scores: dict[str, Score]) -> None:
    assert scores["hybrid"].hit5 >= scores["grep"].hit5 + 0.2
    assert scores["hybrid"].tokens <= scores["grep"].tokens / 10
    assert scores["hybrid"].tokens <= scores["full scan"].tokens / 50


def test_the_index_alone_is_cheap_and_answers_plain_questions(scores: dict[str, Score]) -> None:
    # a note has one entry, which names what it is about
    assert scores["index"].by_kind["misspelled"][1] >= 0.75
    assert scores["index"].hit5 >= 0.63
    assert scores["index"].tokens <= 160
