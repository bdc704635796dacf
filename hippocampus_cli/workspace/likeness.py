"""The heading that a misremembered name most likely means, if only one can be meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from hippocampus_cli.workspace.sections import SectionLike

S = TypeVar("S", bound="SectionLike")

CUT_OFF = 80.0  # rapidfuzz similarity, 0 to 100, below which two names are not the same
LEAD = 5.0  # by how much the winner must beat the next
_CONTAINED = 90.0  # every word of the name stands in the heading: "Vercel" for "Vercel setup"
_MAX_LENGTH = 300
_WORD = re.compile(r"[^\W_]+")


def most_alike(wanted: str, choices: Sequence[tuple[str, S]]) -> S | None:
    """The one section whose (folded) name is like ``wanted`` by ``CUT_OFF``, ``LEAD`` ahead of all others."""
    ranked = alike(wanted, choices)
    if not ranked or (len(ranked) > 1 and ranked[0][1] - ranked[1][1] < LEAD):
        return None
    return ranked[0][0]


def alike(wanted: str, choices: Sequence[tuple[str, S]]) -> list[tuple[S, float]]:
    """Every section whose name is like ``wanted`` by ``CUT_OFF``, with its likeness, the likest first."""
    if len(wanted) > _MAX_LENGTH:
        return []
    scores: dict[int, tuple[S, float]] = {}
    for section, score in _scored(_WORD.findall(wanted), choices):
        best = scores.get(section.ordinal)
        if best is None or score > best[1]:
            scores[section.ordinal] = section, score
    return sorted(scores.values(), key=lambda item: item[1], reverse=True)


def _scored(wanted: list[str], choices: Sequence[tuple[str, S]]) -> list[tuple[S, float]]:
    from rapidfuzz import fuzz

    needed = set(wanted)
    numbers = _numbers(wanted)
    phrase, ordered = " ".join(wanted), " ".join(sorted(wanted))
    found = []
    for text, section in choices:
        words = _WORD.findall(text[:_MAX_LENGTH])
        if needed and needed <= set(words):
            floor = _CONTAINED
        elif numbers == _numbers(words):  # "Sprint 12" is never "Sprint 13"
            floor = 0.0
        else:
            continue
        score = max(
            floor,
            fuzz.ratio(phrase, " ".join(words), score_cutoff=CUT_OFF),
            fuzz.ratio(ordered, " ".join(sorted(words)), score_cutoff=CUT_OFF),
        )
        if score >= CUT_OFF:
            found.append((section, score))
    return found


def _numbers(words: list[str]) -> list[str]:
    return sorted(re.findall(r"\d+", " ".join(words)))
