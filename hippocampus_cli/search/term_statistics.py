"""What a passage has of a query's words: counted in the section, and in each of its units. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import sqrt

from hippocampus_cli.fast_types import Frozen, NamedTuple
from hippocampus_cli.search import ranking_weights
from hippocampus_cli.search.unit_features import LABEL_SHIFT


class Averages(NamedTuple):
    """Stems in the average unit and section; both above 0."""

    unit: float
    section: float


class Passage(NamedTuple):
    """A section's stems: its units begin at ``offsets`` in ``body``, have ``lengths`` stems and ``traits``."""

    title: str
    place: str
    body: str
    offsets: Sequence[int]
    lengths: Sequence[int]
    traits: Sequence[int]


class TermMatch(NamedTuple):
    """A stem as it is looked for, with a space on each side; ``exact`` unless it is only related."""

    stem: str
    text: str
    value: float
    exact: bool


class Group(Frozen):
    """Stems that stand for each other, each with what it is worth: of a group the best counts, not the sum.

    ``worth`` is what the whole group is worth; ``related`` are words of much the same meaning.
    """

    worth: float
    stems: Mapping[str, float]
    related: Mapping[str, float]

    @cached_property
    def needles(self) -> tuple[TermMatch, ...]:
        """What stands for the group; worked out once, and looked for in every section."""
        exact = [TermMatch(stem, f" {stem} ", value, True) for stem, value in self.stems.items()]
        near = [TermMatch(stem, f" {stem} ", value, False) for stem, value in self.related.items()]
        return (*exact, *(one for one in near if one.stem not in self.stems))


class QueryTerms(NamedTuple):
    """What a query wants of units: words in ``groups``, worth ``total`` altogether, and ``pairs`` of neighbouring
    stems with their worth."""

    groups: tuple[Group, ...]
    total: float
    pairs: Mapping[str, float]


class Tally:
    """What was counted in a passage, of the section and of each unit; a section without units has one all the same.

    ``length`` is that of the section in stems, ``found`` are the stems that it has. ``terms`` has for each unit a
    bit a group, ``names`` a bit for each group that is a label again and again.
    """

    __slots__ = (
        *("passage", "length", "found", "section", "above", "covered_by_section", "own", "related"),
        *("covered", "window", "terms", "telling", "labelled", "names"),
    )

    def __init__(self, passage: Passage) -> None:
        count = len(passage.offsets) or 1
        lengths = passage.lengths
        self.passage = passage
        self.length = sum(lengths)
        self.found: list[str] = []
        self.section = self.above = self.covered_by_section = 0.0
        self.own = [0.0] * count
        self.related = [0.0] * count
        self.covered = [0.0] * count
        self.window = [0.0] * count
        self.terms = [0] * count
        self.telling = [1.0] * count
        if self.length > ranking_weights.LONG:  # else no unit can be so long
            self.telling = [_telling(length, ranking_weights.LONG) for length in lengths]
        self.labelled: set[int] = set()
        self.names = 0


def tallied(passage: Passage, groups: Iterable[Group], averages: Averages) -> Tally:
    """What ``passage`` has of ``groups``."""
    tally = Tally(passage)
    title, place = f" {passage.title} ", f" {passage.place} "
    text = f"{title}\n{place}\n{passage.body}"
    bit = 1
    for group in groups:
        here = [needle for needle in group.needles if needle.text in text]
        if here:
            tally.found += [needle.stem for needle in here]
            _count(tally, bit, group.worth, here, averages, (title, place))
        bit <<= 1
    return tally


def _count(
    tally: Tally,
    bit: int,
    worth: float,
    here: Sequence[TermMatch],
    averages: Averages,
    heads: tuple[str, str],
) -> None:
    """Add what the stems ``here`` of one group say; ``heads`` are title and place with a space on each side."""
    passage, (title, place) = tally.passage, heads
    own: dict[int, float] = {}
    related: dict[int, float] = {}
    labels: set[int] = set()
    section = above = share = 0.0
    length = tally.length / averages.section
    for needle in here:
        value = needle.value
        counts = _spots(passage, needle.text, labels)
        outside = ranking_weights.TITLE * title.count(
            needle.text
        ) + ranking_weights.PLACE * place.count(needle.text)
        total = outside + sum(counts.values())
        section = max(section, value * _saturated(total, length, ranking_weights.B_SECTION))
        if outside:
            above = max(above, value * _saturated(outside, 1.0, 0.0))
        share = max(share, value)
        into = own if needle.exact else related
        for at, times in counts.items():
            much = value * _saturated(
                times, passage.lengths[at] / averages.unit, ranking_weights.B_UNIT
            )
            if at not in into or much > into[at]:
                into[at] = much
    tally.section += section
    tally.above += above
    tally.covered_by_section += min(worth, share) * _telling(length, ranking_weights.LONG_SECTION)
    if labels:
        tally.labelled |= labels
        if len(labels) >= ranking_weights.NAMES:
            tally.names |= bit
    _count_units(tally, bit, worth, own, related)


def _count_units(
    tally: Tally, bit: int, worth: float, own: Mapping[int, float], related: Mapping[int, float]
) -> None:
    window: dict[int, float] = {}
    last = len(tally.own) - 1
    for at in own.keys() | related.keys() if related else own:
        exact, near = own.get(at, 0.0), related.get(at, 0.0)
        tally.own[at] += exact
        if near > exact:
            tally.related[at] += near - exact
        hit = tally.telling[at] * (worth if exact else ranking_weights.LIKE * min(worth, near))
        tally.covered[at] += hit
        tally.terms[at] |= bit
        if hit > window.get(at, 0.0):
            window[at] = hit
        beside = ranking_weights.BESIDE * hit
        if at and beside > window.get(at - 1, 0.0):
            window[at - 1] = beside
        if at < last and beside > window.get(at + 1, 0.0):
            window[at + 1] = beside
    for at, share in window.items():
        tally.window[at] += share


def _spots(passage: Passage, needle: str, labels: set[int] | None = None) -> dict[int, int]:
    """How often ``needle`` stands in which units; those in whose label it does are added to ``labels``."""
    counts: dict[int, int] = {}
    body, offsets = passage.body, passage.offsets
    at = body.find(needle)
    while at >= 0:
        unit = bisect_right(offsets, at) - 1
        counts[unit] = counts.get(unit, 0) + 1
        if labels is not None and at - offsets[unit] < passage.traits[unit] >> LABEL_SHIFT:
            labels.add(unit)
        at = body.find(needle, at + len(needle) - 1)  # the next word may share the space
    return counts


def occurrences(passage: Passage, needle: str) -> Mapping[int, int]:
    """How often ``needle``, stems with a space on each side, stands in which units."""
    return _spots(passage, needle)


def units_with(passage: Passage, stem_runs: Iterable[str]) -> set[int]:
    """The units in which any of ``stem_runs`` stands."""
    return {unit for run in stem_runs for unit in occurrences(passage, f" {run} ")}


def _telling(length: float, long: float) -> float:
    """How much it says that a text of this length has a word: endless ones have any."""
    return 1.0 if length <= long else sqrt(long / length)


def _saturated(count: float, relative_length: float, b: float) -> float:
    k1 = ranking_weights.K1
    return count * (k1 + 1.0) / (count + k1 * (1.0 - b + b * relative_length))
