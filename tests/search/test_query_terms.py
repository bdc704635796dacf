"""How common a word is, and what an unknown one was meant to be."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.search.query_terms import Frequency, corrected, frequencies, idf
from hippocampus_cli.search.store import TextCache
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.note import Note
from tests.support.text_cache import cache_of

CACHE = cache_of(
    {
        "a.md": "# A\nkubernetes kubernetes cluster\n# B\nkubernetes spoon rabbit\n",
        "b.md": "Müller pain configuration configure rotation v2.1 c++\n",
    }
)


def near(stem: str) -> list[str]:
    return CACHE.healing(lambda db: corrected(db, stem))


def test_frequencies_count_sections_and_times() -> None:
    found = CACHE.healing(lambda db: frequencies(db, ["kubernet", "c++", "2.1", "nowher"]))
    assert found == {
        "kubernet": Frequency(2, 3),
        "c++": Frequency(1, 1),
        "2.1": Frequency(1, 1),
        "nowher": Frequency(),
    }


@pytest.mark.parametrize(
    ("stem", "words"),
    [
        ("kuberntes", ["kubernet"]),
        ("ukbernet", ["kubernet"]),
        ("clustr", ["cluster"]),
        ("conf", ["configur"]),
        ("rabit", ["rabbit"]),
        ("mueller", ["muller"]),
        ("spono", ["spoon"]),
        ("pian", ["pain"]),
        ("pair", []),
        ("spain", []),  # the first letter is not what people get wrong
        ("spon", []),
        ("rabat", []),
        ("12345", []),
        ("東京東京", []),
        ("", []),
    ],
)
def test_an_unknown_word_is_taken_for_the_nearest(stem: str, words: list[str]) -> None:
    assert near(stem) == words


@given(st.text(max_size=30))
def test_anything_can_be_corrected(stem: str) -> None:
    assert len(near(stem)) <= 3


@given(st.integers(1, 1_000), st.lists(st.integers(0, 2_000), min_size=2))
def test_the_rarer_is_worth_more(units: int, times: list[int]) -> None:
    worths = [idf(units, one) for one in sorted(times)]
    assert all(first >= second >= 0.0 for first, second in pairwise(worths))


def test_frequencies_are_counted_anew_once_somebody_has_written(tmp_path: Path) -> None:
    path = tmp_path / "text.sqlite"
    caches = [TextCache(path), TextCache(path)]

    def counted(cache: TextCache, stem: str) -> Frequency:
        return cache.healing(lambda db: frequencies(db, [stem]))[stem]

    for times, writer in ((1, caches[0]), (2, caches[1]), (3, caches[0])):
        note = Note("a.md", "spoon " * times)
        writer.refresh([FileStat("a.md", len(note.text), times)], lambda _, note=note: note)
        assert [counted(cache, "spoon") for cache in caches] == [Frequency(1, times)] * 2
        assert [counted(cache, "spoon") for cache in caches] == [Frequency(1, times)] * 2


def test_a_correction_is_looked_for_anew_once_the_words_are_others() -> None:
    cache = TextCache(None)
    for at, (text, expected) in enumerate((("spoon", ["spoon"]), ("kettle", []))):
        note = Note("a.md", text)
        cache.refresh([FileStat("a.md", len(text), at)], lambda _, note=note: note)
        found = cache.healing(lambda db: corrected(db, "spooon"))
        assert found == expected
        found.append("not kept")
        assert cache.healing(lambda db: corrected(db, "spooon")) == expected
