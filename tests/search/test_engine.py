"""Questions to a store: what is found, what is said of it, and that no question fails."""

from __future__ import annotations

import inspect

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippocampus_cli.search import features
from hippocampus_cli.search.confidence import word_for
from hippocampus_cli.search.engine import Pointed, SearchRequest, rank
from hippocampus_cli.search.features import FEATURES, RELATIVE
from hippocampus_cli.search.filters import Filter
from hippocampus_cli.search.ranker import NOTICE, Model, Trees
from hippocampus_cli.search.store import PassageStore
from tests.support.passage_store import ask, store_of
from tests.support.postgres import shared_store

NOTES = {
    "TOOLS.md": "# Tools\n\n## Deploy\n\nThe deploy command is make ship.\n\n## Backup\n\nrestic, nightly\n",
    "memory/2026-03-01.md": "# Day\n\n- deployed the shop, the gateway listens on port 8443\n",
    "memory/2026-03-02.md": "# Day\n\n- talked to Ann about the office\n",
    "copy/TOOLS.md": "## Deploy\n\nThe deploy command is make ship.\n",
}
BY_WORDS = Model(Trees([0], [1], [0.5], [-1], [-2], [0.0, 1.0]), *[Trees()] * 4, "")


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> PassageStore:
    return store_of(NOTES, None if request.param == "sqlite" else shared_store())


def test_the_passage_with_the_words_is_first(store: PassageStore) -> None:
    first = ask(store, "what is the nightly backup?").hits[0]
    assert (first.place.path, first.place.start, first.place.end) == ("TOOLS.md", 7, 9)


def test_the_same_text_elsewhere_is_a_copy(store: PassageStore) -> None:
    first, *others = ask(store, "deploy command make ship").hits
    both = {first.place.path, *(place.path for place in first.copies)}
    assert both == {"TOOLS.md", "copy/TOOLS.md"}
    assert all("make ship" not in hit.place.body for hit in others)


def test_another_wording_finds_what_the_question_does_not(store: PassageStore) -> None:
    assert not ask(store, "release instructions").hits
    assert ask(store, "release instructions", phrasings=["deploy"]).hits


def test_a_misspelt_word_is_taken_for_one_of_the_notes(store: PassageStore) -> None:
    answer = ask(store, "deplyo")
    assert answer.corrections == {"deplyo": "deploy"}
    assert answer.hits


def test_a_word_that_people_write_is_not_taken_for_another() -> None:
    store = store_of({"a.md": "# Desk\n\nNo cluttering. The organization is Acme.\n"})
    assert ask(store, "the cluster").corrections == {}
    assert ask(store, "clutterng").corrections == {"clutterng": "clutter"}
    assert ask(store, "which organisation").corrections == {"organisation": "organiz"}


@pytest.mark.parametrize("name", ["flux_capacitor", "8444", "Zaphod", "/etc/nowhere.conf"])
def test_a_name_that_no_note_has_is_missing(store: PassageStore, name: str) -> None:
    answer = ask(
        store, f"deploy command of {name} and port 8443 of 2026-05-01", spared={"2026-05-01"}
    )
    assert answer.missing == (name,)
    assert word_for(answer.confidence.any) != "sure"


def test_only_files_that_pass_are_searched(store: PassageStore) -> None:
    found = ask(store, "deploy", where=Filter(paths=("memory/*",))).hits
    assert {hit.place.path for hit in found} == {"memory/2026-03-01.md"}


def test_the_words_of_an_entry_count_as_words_of_what_it_points_at(store: PassageStore) -> None:
    pointed = {"memory/2026-03-02.md": [Pointed(1, 3, "rental contract")]}
    assert not ask(store, "the contract").hits
    first = ask(store, "the contract", pointed=pointed).hits[0]
    assert (first.place.path, first.coverage) == ("memory/2026-03-02.md", 0.0)
    asked = SearchRequest("the contract", pointed=pointed)
    [rows] = store.healing(lambda db: rank(db, asked, None, BY_WORDS)).rows
    assert rows[0][FEATURES.index("inside")] == 1.0


def test_without_a_model_words_rank_and_a_notice_says_so(
    store: PassageStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hippocampus_cli.search.engine.model", lambda features: None)
    answer = ask(store, "nightly backup")
    assert answer.notices == (NOTICE,)
    assert answer.hits[0].place.path == "TOOLS.md"


def test_a_row_has_a_number_for_each_feature(store: PassageStore) -> None:
    ranked = store.healing(lambda db: rank(db, SearchRequest("deploy port"), None, BY_WORDS))
    assert {len(row) for rows in ranked.rows for row in rows} == {len(FEATURES)}
    assert len(set(FEATURES)) == len(FEATURES)
    source = inspect.getsource(features)
    own = [name for name in FEATURES if not name.endswith("_of_best") or name in source]
    assert len(own) == len(FEATURES) - len(RELATIVE)
    assert all(f'    "{name}",  # ' in source for name in own)
    assert list(ranked.scores) == [2 * BY_WORDS.rank.value(row) for row in ranked.rows[0]]


@settings(max_examples=30, deadline=None)
@given(text=st.text(), other=st.text())
def test_any_question_has_an_answer(store: PassageStore, text: str, other: str) -> None:
    ask(store, text, phrasings=[other])


@pytest.mark.parametrize(
    "text",
    ["", " ", "the of", 'deploy" OR NEAR(*', "\x00", "\udcff", "deploy " * 20_000, "x" * 100_000],
)
def test_odd_questions_are_answered(store: PassageStore, text: str) -> None:
    ask(store, text)
