"""How well one section, and each of its units, answers a query. Pure.

A unit is scored by BM25 together with the units next to it and its section as a whole, whose title
and place count too: a bullet seldom repeats what its heading or the line before has said.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from hippocampus_cli.light import NamedTuple
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


def score(passage: Passage, groups: Iterable[Mapping[str, float]], averages: Averages) -> Scores:
    """Score ``passage`` for stems, each with what it is worth (its weight by its idf).

    Stems of one group stand for each other: the best of them counts, wherever it counts.
    """
    own = [0.0] * len(passage.offsets)
    section = around = 0.0
    found: list[str] = []
    text = f" {passage.title} \n {passage.place} \n{passage.body}"
    for group in groups:
        here = [(stem, value) for stem, value in group.items() if f" {stem} " in text]
        if not here:
            continue
        parts = [_part(passage, stem, value, averages) for stem, value in here]
        found.extend(stem for stem, _ in here)
        section += max(part.section for part in parts)
        around += max(part.around for part in parts)
        for at, value in _best_of(parts).items():
            own[at] += value
    return Scores(
        section,
        _together(own, weights.SECTION * section + weights.ABOVE * around),
        frozenset(found),
    )


class _Part(NamedTuple):
    """What a stem adds to the score of the section, to what stands above it and to its units."""

    section: float
    around: float
    own: Mapping[int, float]


def _part(passage: Passage, stem: str, value: float, averages: Averages) -> _Part:
    needle = f" {stem} "
    counts = occurrences(passage, needle)
    above = weights.TITLE * f" {passage.title} ".count(needle)
    above += weights.PLACE * f" {passage.place} ".count(needle)
    total = above + sum(counts.values())
    length = sum(passage.lengths) / averages.section
    own = {
        at: value * _saturated(count, passage.lengths[at] / averages.unit, weights.B_UNIT)
        for at, count in counts.items()
    }
    section = value * _saturated(total, length, weights.B_SECTION)
    return _Part(section, value * _saturated(above, 1.0, 0.0), own)


def _best_of(parts: Sequence[_Part]) -> Mapping[int, float]:
    if len(parts) == 1:
        return parts[0].own
    best: dict[int, float] = {}
    for part in parts:
        for at, value in part.own.items():
            best[at] = max(best.get(at, 0.0), value)
    return best


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
