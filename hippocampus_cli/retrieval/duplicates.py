"""Places that say nearly the same as a better one: shown once, the others named. Pure.

Two texts are nearly the same if they share most runs of three words and have the same numbers: yesterday's report
is not today's, however alike the two are. Very short texts are never folded together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from hippocampus_cli.retrieval.fusing import Candidate

ALIKE = 0.8  # share of the runs of words of both texts together
_SHORTEST = 8  # words
_RUN = 3
_LONGEST = 1_500  # characters: of a longer text the beginning is compared
_WORD = re.compile(r"\w+")


def told_once(candidates: Sequence[Candidate], texts: Sequence[str]) -> list[Candidate]:
    """``candidates``, best first, without those whose text a better one has; they become its ``twins``.

    ``texts`` are the first candidates' own, without headings; what has none is kept.
    """
    kept: list[Candidate] = []
    known: list[tuple[Candidate, _Shape]] = []
    for at, one in enumerate(candidates):
        words = _WORD.findall(texts[at][:_LONGEST].lower()) if at < len(texts) else []
        shape = _Shape(words) if len(words) >= _SHORTEST else None
        better = next((other for other, its in known if shape and _alike(shape, its)), None)
        if better is not None:
            better.twins.append(one)
            continue
        kept.append(one)
        if shape:
            known.append((one, shape))
    return kept


class _Shape:
    """What a text of these words is compared by; its runs of words are made when they are first needed."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.known = frozenset(words)
        self.numbers = frozenset(word for word in self.known if word[0].isdigit())

    @cached_property
    def runs(self) -> frozenset[tuple[str, ...]]:
        return frozenset(zip(*(self.words[at:] for at in range(_RUN)), strict=False))


def _alike(one: _Shape, other: _Shape) -> bool:
    if one.numbers != other.numbers or _of_other_words(one, other):
        return False
    fewer, more = sorted((len(one.runs), len(other.runs)))
    if fewer < ALIKE * more:
        return False
    shared = len(one.runs & other.runs)
    return shared >= ALIKE * (fewer + more - shared)


def _of_other_words(one: _Shape, other: _Shape) -> bool:
    """Whether so many words stand in one of the texts only that too few runs can be shared, whatever their order.

    A run holds at most as many of those words as it is long, and is itself in one text only.
    """
    alone = len(one.known) + len(other.known) - 2 * len(one.known & other.known)
    most_runs = min(len(one.words), len(other.words)) - _RUN + 1
    return alone > _RUN * (1 / ALIKE - 1) * most_runs + 1
