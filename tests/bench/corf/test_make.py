"""Questions drawn up from notes and from the journal: real places, the same ones each time."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bench.corf.dataset import Dataset, check_gold, read_dataset, write_new
from bench.corf.make import Plan, counts, failed, make
from bench.questions import Place
from hippocampus_cli.config import load
from hippocampus_cli.text.tokenizer import stems
from hippocampus_cli.workspace.journal import Answered, Event

NOW = datetime(2026, 8, 1, 9, tzinfo=UTC)
WORKSPACE = Path(__file__).parents[3] / "fixtures/workspace"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("corf")
    shutil.copytree(
        WORKSPACE, folder / "ws", ignore=shutil.ignore_patterns(".hippocampus", "HIPPOCAMPUS.md")
    )
    return make(folder / "ws", load(None, {}), folder / "q.json", Plan(8, 1), NOW)


def test_there_are_some_of_each_kind_that_a_program_can_make(made: Dataset) -> None:
    kinds = ("pronoun", "associative", "source", "silent", "paraphrase")
    assert counts(made) == dict.fromkeys(kinds, 8)


def test_they_can_be_read_back_and_their_places_exist(made: Dataset) -> None:
    write_new(made.file, made)
    assert read_dataset(made.file) == made
    check_gold(made, made.root)
    assert not (made.root / ".hippocampus").exists()


def test_a_silent_question_has_no_word_of_its_line(made: Dataset) -> None:
    for query in made.queries:
        if query.kind == "silent":
            (gold,) = query.gold
            line = (made.root / gold.path).read_bytes().decode("utf-8", "replace").split("\n")
            assert set(stems(query.text)).isdisjoint(stems(line[gold.start - 1])), query.id


def test_the_same_seed_draws_the_same_and_another_draws_others(made: Dataset) -> None:
    again, other = (
        make(made.root, load(None, {}), made.file, Plan(8, seed), NOW).queries for seed in (1, 2)
    )
    assert again == made.queries
    assert other != made.queries


def test_a_failed_query_takes_its_answer_from_a_later_one_alike() -> None:
    def event(hour: int, text: str, *results: Answered, used: tuple[str, ...] = ()) -> Event:
        at = datetime(2026, 7, 1, hour, tzinfo=UTC)
        return Event(at, text, "both" if results else "none", results, used)

    unused, used = Answered("a.md", None, "a"), Answered("b.md", "Deploy", "b")
    events = [
        event(9, "how do we deploy", unused, used, used=("b",)),
        event(8, "deploy the thing", unused),
        event(7, "how deploy"),
        event(6, "birthday cake"),
        event(10, "how deploy it"),
    ]
    found = list(failed(events, lambda path, section: Place(path, 1, 2) if section else None))
    assert [(one.text, one.gold) for one in found] == [
        ("how deploy", (Place("b.md", 1, 2),)),
        ("deploy the thing", (Place("b.md", 1, 2),)),
    ]
    assert {one.kind for one in found} == {"failed"}
