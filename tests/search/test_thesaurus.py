"""Related words: the file that comes with the package, and looking into any file."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.search import thesaurus as module
from hippocampus_cli.search.thesaurus import FILE, related, thesaurus
from hippocampus_cli.text.terms import TERMS_VERSION, terms

HEAD = b"#\t%d" % TERMS_VERSION
LONGEST = 3  # words of a phrase


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


PAIRS = "undo=rollback;push to production=deploy;martial arts=karate;invoice=bill;physician=doctor;automobile=car"


@pytest.mark.parametrize("pair", PAIRS.split(";"))
def test_known_pairs(pair: str) -> None:
    word, other = pair.split("=")
    assert related(" ".join(terms(word)))[terms(other)[0]] >= 0.5


@given(st.sets(st.text("abc ", min_size=1, max_size=5), max_size=12), st.text("abc \t\n\udc80"))
def test_every_word_is_found_as_a_whole_and_no_other(keys: set[str], asked: str) -> None:
    source = sorted(f"{key}\tx=50".encode() for key in keys)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "thesaurus", lambda: source)
        assert all(related(key) == {"x": 0.5} for key in keys)
        assert bool(related(asked)) == (asked in keys)


@given(st.binary(max_size=200), st.text(max_size=8))
def test_damaged_data_gives_nothing_worse_than_too_little(data: bytes, keys: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "thesaurus", lambda: data.split(b"\n"))
        assert all(0.0 <= value < 1.0 for value in related(keys).values())


@pytest.mark.parametrize("data", [None, b"", HEAD + b"0\nundo\trollback=80\n"])
def test_a_file_that_is_not_there_or_of_other_terms_is_an_empty_thesaurus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes | None
) -> None:
    if data is not None:
        (tmp_path / "words.txt").write_bytes(data)
    monkeypatch.setattr(module, "FILE", tmp_path / "words.txt")
    thesaurus.cache_clear()
    try:
        assert not related("undo")
    finally:
        thesaurus.cache_clear()
