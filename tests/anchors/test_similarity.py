from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.anchors.chunks import Corpus, TokenizedChunk, average_length
from hippocampus_cli.anchors.extract import HEADING, Anchor, Term, weighed
from hippocampus_cli.anchors.similarity import ByWords, Message


def corpus_of(*bodies: str) -> Corpus:
    words = [TokenizedChunk(body, "") for body in bodies]
    return Corpus(words, average_length(words))


def best(corpus: Corpus, anchor: Anchor) -> list[int]:
    (scored,) = ByWords(corpus).best([anchor], 10, 0.0001)
    return [one.chunk for one in scored]


def test_words_together_beat_words_apart_and_these_beat_one_of_them() -> None:
    corpus = corpus_of("label x y printer", "q label printer z", "label q w e", "a b c d")
    (anchor,) = weighed([Term("label printer", HEADING)], corpus)
    assert best(corpus, anchor) == [1, 0, 2]


def test_company_leads_to_chunks_that_do_not_name_the_anchor() -> None:
    corpus = corpus_of("probe drift", "membrane barnacle", "ledger")
    anchor = Anchor("probe", HEADING, {"probe": 1.0}, {"membrane": 0.8, "barnacle": 0.6})
    assert best(corpus, anchor) == [0, 1]


def test_the_place_of_a_chunk_counts_for_less_than_its_text() -> None:
    words = [TokenizedChunk("x y z", "probe"), TokenizedChunk("x y probe", "z")]
    corpus = Corpus(words, 3.0)
    assert best(corpus, Anchor("probe", HEADING, {"probe": 1.0}, {})) == [1, 0]


def test_a_message_is_like_what_takes_up_its_rare_words() -> None:
    corpus = corpus_of("probe common", "ledger common", *["common"] * 9)
    message = Message(["probe", "common", "unknown"], corpus, 1.2, {})
    likeness = [message.likeness(words) for words in corpus.words]
    assert likeness[0] > likeness[1] > 0
    assert Message(["unknown"], corpus, 1.2, {}).likeness(corpus.words[0]) == 0.0


def test_what_may_stand_for_a_word_counts_as_much_as_it_is_similar_and_never_more() -> None:
    corpus = corpus_of("probe x", "sensor x", *["x"] * 9)
    related = {"probe": {"sensor": 0.8, "gauge": 0.9}}
    likeness = [Message(["probe"], corpus, 1.2, related).likeness(one) for one in corpus.words]
    assert likeness[1] == pytest.approx(0.4 * likeness[0])
    assert likeness[2] == 0.0


STEMS = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=12).map(" ".join)


@given(st.lists(STEMS, min_size=1, max_size=8), st.sampled_from("abcdefgh"), st.integers(1, 5))
def test_scores_lie_between_0_and_1_and_come_best_first(
    bodies: list[str], stem: str, most: int
) -> None:
    corpus = corpus_of(*bodies)
    anchor = Anchor(stem, HEADING, {stem: 1.0}, {"a": 0.5, "h": 0.25})
    (scored,) = ByWords(corpus).best([anchor], most, 0.05)
    assert len(scored) <= most
    assert all(0.05 <= one.score <= 1 for one in scored)
    assert list(scored) == sorted(scored, key=lambda one: (-one.score, one.chunk))
    pairs = [(0, one.chunk) for one in scored]
    assert list(ByWords(corpus).sample([anchor], pairs)) == [one.score for one in scored]


@given(st.lists(STEMS, min_size=1, max_size=8))
def test_an_update_scores_a_chunk_as_a_build_does(bodies: list[str]) -> None:
    corpus = corpus_of(*bodies)
    average = average_length(corpus.words)
    anchor = Anchor("a", HEADING, {"a": 1.0}, {"b": 0.5})
    (whole,) = ByWords(corpus).best([anchor], 99, 0.01)
    alone = [ByWords(Corpus([one], average)) for one in corpus.words]
    single = {
        n: one.score for n, by in enumerate(alone) for one in next(iter(by.best([anchor], 1, 0.01)))
    }
    assert {one.chunk: one.score for one in whole} == single
