"""The scores of a section's units without their rows of features, of which most are 0. Pure.

A query scores hundreds of units and wants the features of the best twenty. The sums are made in the order of the
features, so that they are those of :func:`hippocampus_cli.search.scoring.score` to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import log

from hippocampus_cli.search.scoring import FITTING, Row, pairs_in
from hippocampus_cli.search.tallying import Tally, Wishes
from hippocampus_cli.search.traits import NAMED, QUESTION

_LENGTHS = tuple(log(1.0 + length) for length in range(256))


class Scorer:
    """Scores what a query wishes; ``names`` are the groups that it is nothing special to hold, a bit each."""

    def __init__(self, wishes: Wishes, names: int, weighing: Row) -> None:
        self._wishes = wishes
        self._total = wishes.total or 1.0
        self._telling = ~names
        self._each, self._of_section = weighing[:6], weighing[6:12]
        self._terms, self._days, self._label = weighing[12:15]
        self._question, self._length, self._named = weighing[15:18]
        self._fitting = [
            (trait, by)
            for (kind, trait), by in zip(FITTING, weighing[18:], strict=False)
            if kind in wishes.answers
        ]
        self._pairs, self._answer = weighing[18 + len(FITTING) :][:2]

    def scores(self, tally: Tally, days: Mapping[int, float]) -> list[float]:
        """The score of every unit; ``days`` says how well units fit the days asked for."""
        passage = tally.passage
        traits, lengths = passage.traits or (0,), passage.lengths or (0,)
        both = [
            (one + other) / self._total for one, other in zip(tally.own, tally.related, strict=True)
        ]
        around = (0.0, 0.0, *both, 0.0, 0.0)
        pairs = pairs_in(passage, self._wishes.pairs)
        scores = []
        asked = 0  # whether the unit before asks
        for at, score in enumerate(self._of_words(tally, around)):
            trait, length = traits[at], lengths[at]
            if at in days:
                score += self._days * days[at]
            if at in tally.labelled:
                score += self._label
            if trait & QUESTION:
                score += self._question
            score += self._length * (_LENGTHS[length] if length < 256 else log(1.0 + length))
            if trait & NAMED:
                score += self._named
            for flag, by in self._fitting:
                if trait & flag:
                    score += by
            if at in pairs:
                score += self._pairs * (pairs[at] / self._total)
            if asked:
                score += self._answer * around[at + 1]
            asked = trait & QUESTION
            scores.append(score)
        return scores

    def _of_words(self, tally: Tally, around: Sequence[float]) -> Iterator[float]:
        """What each unit scores for the words that it, the units around it, and its section have."""
        own_by, related_by, before_by, after_by, two_before_by, two_after_by = self._each
        section_by, above_by, covered_by, window_by, squared_by, by_section_by = self._of_section
        total, telling = self._total, self._telling
        section, above = section_by * (tally.section / total), above_by * (tally.above / total)
        by_section = by_section_by * (tally.covered_by_section / total)
        for at, own in enumerate(tally.own):
            window = tally.window[at] / total
            score = (
                own_by * (own / total)
                + related_by * (tally.related[at] / total)
                + before_by * around[at + 1]
                + after_by * around[at + 3]
                + two_before_by * around[at]
                + two_after_by * around[at + 4]
                + section
                + above
                + covered_by * (tally.covered[at] / total)
                + window_by * window
                + squared_by * (window * window)
                + by_section
            )
            if terms := tally.terms[at] & telling:
                score += self._terms * (terms.bit_count() * tally.telling[at])
            yield score
