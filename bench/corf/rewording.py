"""Lines of the notes said in other words: those that the thesaurus has for theirs. Pure, but for its file."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from bench.corf.dataset import PARAPHRASE, SILENT, Gold, Query
from hippocampus_cli.anchors.index import AnchorIndexed
from hippocampus_cli.anchors.keys import keys_in, keys_of
from hippocampus_cli.anchors.relating import related_to
from hippocampus_cli.benchmark.deriving import Fact
from hippocampus_cli.search.tokens import forms

_WORDS = 5  # of a line, in its order
_LEAST = 2  # of them that have another word


def paraphrases(facts: Sequence[Fact]) -> Iterator[Query]:
    """The first words of a line, at least half of them replaced by the nearest that are not in it."""
    for fact in facts:
        words = fact.words[:_WORDS]
        others = [_other(word, fact.stems) for word in words]
        if 2 * sum(map(bool, others)) >= len(words):
            text = " ".join(other or word for word, other in zip(words, others, strict=True))
            yield Query("", text, PARAPHRASE, None, (Gold(fact.path, fact.line, fact.line),))


def silent(facts: Sequence[Fact], index: AnchorIndexed) -> Iterator[Query]:
    """The same of other words alone, and only those that are no anchor."""
    anchors = {key for one in index.anchors for key in keys_of(one)}
    for fact in facts:
        others = [_other(word, fact.stems, anchors) for word in fact.words]
        words = list(dict.fromkeys(filter(None, others)))[:_WORDS]
        text = " ".join(words)
        if len(words) >= _LEAST and anchors.isdisjoint(keys_in(text)):
            yield Query("", text, SILENT, None, (Gold(fact.path, fact.line, fact.line),))


def _other(word: str, *but: Container[str]) -> str:
    """The single word nearest to ``word``, as its stem; empty where all are in ``but``."""
    related = related_to(word).get(forms(word)[0], {})
    ranked = sorted(related, key=lambda stem: (-related[stem], stem))
    free = (stem for stem in ranked if stem.isalpha() and not any(stem in one for one in but))
    return next(free, "")
