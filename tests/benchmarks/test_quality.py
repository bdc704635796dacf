"""Floors a little under what is reached on the fixture: quality only, never time."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hippocampus_cli import open_workspace
from hippocampus_cli.benchmarks.methods import full_scan, grep, hippo, notes_of
from hippocampus_cli.benchmarks.quality import Score, measure
from hippocampus_cli.benchmarks.questions import load_questions

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 8, 1, 9, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Score]]:
    copy = tmp_path_factory.mktemp("quality") / "workspace"
    shutil.copytree(ROOT / "fixtures/workspace", copy)
    with open_workspace(copy) as workspace:
        workspace.bootstrap(now=NOW)
        notes = notes_of(workspace)
        questions = load_questions(ROOT / "fixtures/queries.toml", workspace.library.note)
        yield {
            "full scan": measure(full_scan(notes), questions, everything=True),
            "grep": measure(grep(notes), questions),
            **{
                mode: measure(hippo(workspace, mode, NOW), questions)
                for mode in ("index", "search", "hybrid")
            },
        }


def test_hybrid_answers(scores: dict[str, Score]) -> None:
    hybrid = scores["hybrid"]
    assert hybrid.count >= 80
    assert hybrid.hit1 >= 0.67
    assert hybrid.hit5 >= 0.83
    for kind in ("exact", "misspelled", "person", "date"):
        assert hybrid.by_kind[kind][1] >= 0.9
    assert hybrid.by_kind["paraphrase"][1] >= 0.55


def test_hybrid_is_never_worse_than_search_alone(scores: dict[str, Score]) -> None:
    assert scores["hybrid"].hit1 >= scores["search"].hit1
    assert scores["hybrid"].hit5 >= scores["search"].hit5


def test_hybrid_beats_the_baseline_at_a_fraction_of_its_tokens(scores: dict[str, Score]) -> None:
    assert scores["hybrid"].hit5 >= scores["grep"].hit5 + 0.2
    assert scores["hybrid"].tokens <= scores["grep"].tokens / 10
    assert scores["hybrid"].tokens <= scores["full scan"].tokens / 50


def test_the_index_alone_is_cheap_and_answers_plain_questions(scores: dict[str, Score]) -> None:
    assert scores["index"].by_kind["misspelled"][1] >= 0.8
    assert scores["index"].tokens <= 150
