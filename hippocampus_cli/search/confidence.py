"""How likely an answer is to be one, learned on questions that the notes answer and on questions that none of them
does.

The trees are those of the model (:mod:`ranker`); what they are told is :func:`signs_of`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import TYPE_CHECKING

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search.features import FEATURES
from hippocampus_cli.search.ranker import Model, probability

if TYPE_CHECKING:
    from hippocampus_cli.search.engine import Ranked

SURE_FROM, NONE_TO = 0.51, 0.025
SURE, UNSURE, NONE = "sure", "unsure", "none"
PROMPT_FROM = 0.36
"""The least probability from which something is brought unasked, at a prompt."""
UNSURE_TO = 0.5
"""The most that an answer has whose question names something that no note has."""
_SEVERAL = 0.45  # of the log of the odds: in several wordings more of what is not there sounds like what is
_PLACES = (1, 2, 4, 9)  # whose scores are compared with the first's
_OWN = (
    "inside",
    "inside_head",
    "inside_file",
    "worth",
    "window",
    "next_to",
    "label",
    "head",
    "title",
    "words",
    "beside",
    "asked",
    "asked_known",
    "asked_sentence",
    "notes",
    "length",
)
_COLUMNS = tuple(map(FEATURES.index, _OWN))
_BEST = FEATURES.index("inside_head"), FEATURES.index("worth")  # of the five that are shown


class Confidence(NamedTuple):
    """Probabilities that one of the places shown answers, and that the first does, where every second question is
    of something that no note has; and that they answer what is asked at a ``prompt``, where most ask nothing."""

    any: float = 0.0
    first: float = 0.0
    prompt: float = 0.0


def at_prompt(likely: float, odds: float) -> float:
    """The probability that places answer at a prompt, by that of search and by the log of the odds that it asks."""
    asks = likely * exp(odds)
    return asks / (asks + 1.0 - likely)


def word_for(likely: float) -> str:
    """``sure``, ``unsure`` or ``none``."""
    if likely <= NONE_TO:
        return NONE
    return SURE if likely >= SURE_FROM else UNSURE


def confidence_of(ranked: Ranked, order: Sequence[int], learned: Model | None) -> Confidence:
    """The confidence of the candidates in this ``order``."""
    if not order:
        return Confidence()
    if learned is None:
        return Confidence(0.5, 0.5)
    row, less = signs_of(ranked, order), _SEVERAL if len(ranked.rows) > 1 else 0.0
    judges = learned.any, learned.first, learned.prompt
    likely = Confidence(*(probability(trees, row, less) for trees in judges))
    if ranked.missing:
        likely = likely._replace(any=min(likely.any, UNSURE_TO), first=min(likely.first, UNSURE_TO))
    return likely


def signs_of(ranked: Ranked, order: Sequence[int]) -> list[float]:
    """What the trees are told of an answer: the features ``_OWN`` of its first place, the mean of all wordings (the
    highest would make every further wording look like evidence); its score and the mean score; how far the next
    ``_PLACES`` are behind; the best share and worth of five."""
    first = order[0]
    scores = [ranked.scores[number] for number in order]
    wordings = len(ranked.rows)
    own = [sum(rows[first][column] for rows in ranked.rows) / wordings for column in _COLUMNS]
    mean = sum(scores[:20]) / min(20, len(scores))
    best = (max(rows[n][column] for rows in ranked.rows for n in order[:5]) for column in _BEST)
    return [
        *own,
        *(scores[0], mean),
        *(scores[0] - scores[min(place, len(scores) - 1)] for place in _PLACES),
        *best,
    ]
