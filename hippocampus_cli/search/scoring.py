"""How well one section, and each of its units, answers a query. Pure.

A unit is scored by BM25 together with the units next to it and its section as a whole, whose title
and place count too: a bullet seldom repeats what its heading or the line before has said.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from hippocampus_cli.search import weights


class Averages(NamedTuple):
    """Stems in the average unit and section; both above 0."""

    unit: float
    section: float


class Passage(NamedTuple):
    """A section's stems: its units begin at ``offsets`` in ``body`` and have ``lengths`` stems."""

    title: str
    place: str
    body: str
    offsets: Sequence[int]
    lengths: Sequence[int]


class Scores(NamedTuple):
    """``section`` alone, ``units`` with all that counts for them, and which stems were found."""

    section: float
    units: list[float]
    found: frozenset[str]


def score(passage: Passage, values: Mapping[str, float], averages: Averages) -> Scores:
    """Score ``passage`` for stems, each with what it is worth (its weight by its idf)."""
    own = [0.0] * len(passage.offsets)
    section = around = 0.0
    found: list[str] = []
    title, place = f" {passage.title} ", f" {passage.place} "
    length = sum(passage.lengths) / averages.section
    for stem, value in values.items():
        needle = f" {stem} "
        counts = occurrences(passage, needle)
        above = weights.TITLE * title.count(needle) + weights.PLACE * place.count(needle)
        total = above + sum(counts.values())
        if not total:
            continue
        found.append(stem)
        around += value * _saturated(above, 1.0, 0.0)
        section += value * _saturated(total, length, weights.B_SECTION)
        for at, count in counts.items():
            relative = passage.lengths[at] / averages.unit
            own[at] += value * _saturated(count, relative, weights.B_UNIT)
    return Scores(
        section,
        _together(own, weights.SECTION * section + weights.ABOVE * around),
        frozenset(found),
    )


def occurrences(passage: Passage, needle: str) -> dict[int, int]:
    """How often ``needle``, stems with a space on each side, stands in which units."""
    counts: dict[int, int] = {}
    body = passage.body
    at = body.find(needle)
    while at >= 0:
        unit = bisect_right(passage.offsets, at) - 1
        counts[unit] = counts.get(unit, 0) + 1
        at = body.find(needle, at + len(needle) - 1)  # the next word may share the space
    return counts


def units_with(passage: Passage, stem_runs: Iterable[str]) -> set[int]:
    """The units in which any of ``stem_runs`` stands."""
    return {unit for run in stem_runs for unit in occurrences(passage, f" {run} ")}


def _saturated(count: float, relative_length: float, b: float) -> float:
    k1 = weights.K1
    return count * (k1 + 1.0) / (count + k1 * (1.0 - b + b * relative_length))


def _together(own: Sequence[float], base: float) -> list[float]:
    around = [0.0, *own, 0.0]
    return [
        score + weights.NEIGHBOUR * (around[at] + around[at + 2]) + base
        for at, score in enumerate(own)
    ]
