"""Places that say nearly the same as a better one: shown once, the others named. Pure.

Two texts are nearly the same if they share most runs of three words and have the same numbers: yesterday's report
is not today's, however alike the two are. Very short texts are never folded together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

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
        shape = _shape(texts[at]) if at < len(texts) else None
        better = next((other for other, its in known if shape and _alike(shape, its)), None)
        if better is not None:
            better.twins.append(one)
            continue
        kept.append(one)
        if shape:
            known.append((one, shape))
    return kept


_Shape = tuple[frozenset[tuple[str, ...]], frozenset[str]]


def _shape(text: str) -> _Shape | None:
    """The runs of words of a text and its numbers; ``None`` for one too short to compare."""
    words = _WORD.findall(text[:_LONGEST].lower())
    if len(words) < _SHORTEST:
        return None
    runs = frozenset(zip(*(words[at:] for at in range(_RUN)), strict=False))
    return runs, frozenset(word for word in words if word[0].isdigit())


def _alike(one: _Shape, other: _Shape) -> bool:
    if one[1] != other[1]:
        return False
    fewer, more = sorted((len(one[0]), len(other[0])))
    if fewer < ALIKE * more:
        return False
    shared = len(one[0] & other[0])
    return shared >= ALIKE * (fewer + more - shared)
