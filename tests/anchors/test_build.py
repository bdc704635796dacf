from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.anchors.build import calibrated, quantile
from hippocampus_cli.anchors.chunks import Corpus, TokenizedChunk
from hippocampus_cli.anchors.extract import WORD, Term, weighed
from hippocampus_cli.anchors.similarity import ByWords


def test_without_notes_there_is_a_floor() -> None:
    empty = ByWords(Corpus([], 1.0))
    assert calibrated(empty, [], []).theta > 0


def test_chunks_that_share_nothing_leave_the_floor_and_their_own_anchors_above_it() -> None:
    words = [TokenizedChunk(f"w{n} v{n}", "") for n in range(50)]
    corpus = Corpus(words, 2.0)
    anchors = weighed([Term(f"w{n}", WORD) for n in range(50)], corpus)
    likeness = ByWords(corpus)
    found = calibrated(likeness, anchors, words)
    assert found.mean == 0.0
    assert [[one.chunk for one in best] for best in likeness.best(anchors, 5, found.theta)] == [
        [n] for n in range(50)
    ]


def test_it_is_the_same_every_time() -> None:
    words = [TokenizedChunk(f"a{n % 3} b{n % 5} c{n % 7}", "") for n in range(60)]
    corpus = Corpus(words, 3.0)
    anchors = weighed([Term(f"a{n}", WORD) for n in range(3)], corpus)
    assert calibrated(ByWords(corpus), anchors, words) == calibrated(
        ByWords(corpus), anchors, words
    )


@given(st.lists(st.floats(0, 1), min_size=1), st.floats(0, 1))
def test_a_quantile_is_one_of_the_values_and_as_many_lie_below(
    values: list[float], share: float
) -> None:
    found = quantile(values, share)
    assert found in values
    assert sum(one <= found for one in values) >= share * (len(values) - 1)
