"""Related words: the file that comes with the package, and looking into any file."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.search import thesaurus as module
from hippocampus_cli.search.thesaurus import FILE, related, thesaurus
from hippocampus_cli.text.terms import TERMS_VERSION, terms

HEAD = b"#\t%d" % TERMS_VERSION
LONGEST = 3  # words of a phrase


def made(*lines: str) -> bytes:
    return b"\n".join([HEAD, *sorted(line.encode() for line in lines), b""])


def test_the_file_is_sorted_and_every_pair_makes_sense() -> None:
    head, *lines, end = FILE.read_bytes().split(b"\n")
    assert (head, end) == (HEAD, b"")
    assert len(lines) > 10_000
    assert all(one < other for one, other in pairwise([line.split(b"\t")[0] for line in lines]))
    for line in lines:
        key, *items = line.decode("ascii").split("\t")
        pairs = dict(item.split("=") for item in items)
        assert 0 < len(items) == len(pairs) <= 8
        assert key not in pairs
        assert len(key.split()) <= LONGEST
        assert all(0 < int(value) < 100 for value in pairs.values())


def test_the_file_stays_small_and_its_licence_is_beside_it() -> None:
    assert FILE.stat().st_size < 1_500_000
    notice = FILE.with_name("LICENSE-WORDNET").read_text(encoding="utf-8")
    assert "WordNet 3.0 Copyright 2006 by Princeton University" in notice


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("undo", "rollback"),
        ("push to production", "deploy"),
        ("martial arts", "karate"),
        ("invoice", "bill"),
        ("physician", "doctor"),
        ("automobile", "car"),
    ],
)
def test_known_pairs(word: str, other: str) -> None:
    assert related(" ".join(terms(word)))[terms(other)[0]] >= 0.5


def test_a_word_is_found_as_a_whole_and_others_are_unknown() -> None:
    source = made("car\tautomobil=80", "car park\tgarag=70", "cart\twagon=60")
    assert related("car", source) == {"automobil": 0.8}
    assert related("car park", source) == {"garag": 0.7}
    for keys in ("ca", "cars", "", "zebra", "\udc80", "a\tb", "#", "car\n"):
        assert related(keys, source) == {}


@given(st.sets(st.text("abc ", min_size=1, max_size=5), max_size=12), st.text("abc ", max_size=5))
def test_every_line_is_found_and_no_other(keys: set[str], asked: str) -> None:
    source = made(*(f"{key}\tx=50" for key in keys))
    assert all(related(key, source) == {"x": 0.5} for key in keys)
    assert bool(related(asked, source)) == (asked in keys)


@given(st.binary(max_size=200), st.text(max_size=8))
def test_damaged_data_gives_nothing_worse_than_too_little(data: bytes, keys: str) -> None:
    for source in (data, HEAD + b"\n" + data):
        assert all(0.0 <= value < 1.0 for value in related(keys, source).values())


def test_terms_of_another_version_are_not_trusted() -> None:
    assert related("a", b"#\t%d\na\tb=50\n" % (TERMS_VERSION + 1)) == {}


def test_a_missing_file_is_an_empty_thesaurus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FILE", FILE.with_name("nowhere.txt"))
    thesaurus.cache_clear()
    try:
        assert related("undo") == {}
    finally:
        thesaurus.cache_clear()
