"""What a passage has of a query's words: counted in the section, and in each of its units. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt

from hippocampus_cli.light import NamedTuple
from hippocampus_cli.search import weights
from hippocampus_cli.search.traits import LABEL_SHIFT


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


class Group(NamedTuple):
    """Stems that stand for each other, each with what it is worth: of a group the best counts, not the sum.

    ``worth`` is what the whole group is worth; ``related`` are words of much the same meaning.
    """

    worth: float
    stems: Mapping[str, float]
    related: Mapping[str, float]


class Wishes(NamedTuple):
    """What a query wants of units: words in ``groups``, worth ``total`` altogether, ``pairs`` of neighbouring
    stems with their worth, and which kinds of ``answers``, of :data:`hippocampus_cli.search.answers.KINDS`."""

    groups: tuple[Group, ...]
    total: float
    pairs: Mapping[str, float]
    answers: frozenset[str]


class Tally:
    """What was counted in a passage, of the section and of each unit; a section without units has one all the same.

    ``length`` is that of the section in stems, ``found`` are the stems that it has. ``terms`` has for each unit a
    bit a group, ``names`` a bit for each group that is a label again and again.
    """

    def __init__(self, passage: Passage) -> None:
        count = max(1, len(passage.offsets))
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
        if lengths and max(lengths) > weights.LONG:
            self.telling = [_telling(length, weights.LONG) for length in lengths]
        self.labelled: set[int] = set()
        self.names = 0


def tallied(passage: Passage, groups: Iterable[Group], averages: Averages) -> Tally:
    """What ``passage`` has of ``groups``."""
    tally = Tally(passage)
    title, place = f" {passage.title} ", f" {passage.place} "
    text = f"{title}\n{place}\n{passage.body}"
    for number, group in enumerate(groups):
        here = [stem for stem in (*group.stems, *group.related) if f" {stem} " in text]
        if here:
            tally.found.extend(here)
            _count(tally, 1 << number, group, here, averages, (title, place))
    return tally


class _Spots(NamedTuple):
    """How often a stem stands in which units, and in whose label."""

    counts: Mapping[int, int]
    labels: frozenset[int]


def _count(
    tally: Tally,
    bit: int,
    group: Group,
    here: Sequence[str],
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
    for stem in here:
        exact = stem in group.stems
        value = group.stems[stem] if exact else group.related[stem]
        needle = f" {stem} "
        spots = _spots(passage, needle)
        outside = weights.TITLE * title.count(needle) + weights.PLACE * place.count(needle)
        total = outside + sum(spots.counts.values())
        section = max(section, value * _saturated(total, length, weights.B_SECTION))
        above = max(above, value * _saturated(outside, 1.0, 0.0))
        share = max(share, value)
        into = own if exact else related
        for at, times in spots.counts.items():
            much = value * _saturated(times, passage.lengths[at] / averages.unit, weights.B_UNIT)
            into[at] = max(into.get(at, 0.0), much)
        labels |= spots.labels
    tally.section += section
    tally.above += above
    tally.covered_by_section += min(group.worth, share) * _telling(length, weights.LONG_SECTION)
    tally.labelled |= labels
    if len(labels) >= weights.NAMES:
        tally.names |= bit
    _count_units(tally, bit, group.worth, own, related)


def _count_units(
    tally: Tally, bit: int, worth: float, own: Mapping[int, float], related: Mapping[int, float]
) -> None:
    hits: dict[int, float] = {}
    for at in own.keys() | related.keys():
        exact, near = own.get(at, 0.0), related.get(at, 0.0)
        tally.own[at] += exact
        tally.related[at] += max(0.0, near - exact)
        hits[at] = tally.telling[at] * (worth if exact else weights.LIKE * min(worth, near))
        tally.covered[at] += hits[at]
        tally.terms[at] |= bit
    window: dict[int, float] = {}
    last = len(tally.own) - 1
    for at, hit in hits.items():
        window[at] = max(window.get(at, 0.0), hit)
        for beside in (at - 1, at + 1):
            if 0 <= beside <= last:
                window[beside] = max(window.get(beside, 0.0), weights.BESIDE * hit)
    for at, share in window.items():
        tally.window[at] += share


def _spots(passage: Passage, needle: str) -> _Spots:
    counts: dict[int, int] = {}
    labels: list[int] = []
    body, offsets, traits = passage.body, passage.offsets, passage.traits
    at = body.find(needle)
    while at >= 0:
        unit = bisect_right(offsets, at) - 1
        counts[unit] = counts.get(unit, 0) + 1
        if at - offsets[unit] < traits[unit] >> LABEL_SHIFT:
            labels.append(unit)
        at = body.find(needle, at + len(needle) - 1)  # the next word may share the space
    return _Spots(counts, frozenset(labels))


def occurrences(passage: Passage, needle: str) -> Mapping[int, int]:
    """How often ``needle``, stems with a space on each side, stands in which units."""
    return _spots(passage, needle).counts


def units_with(passage: Passage, stem_runs: Iterable[str]) -> set[int]:
    """The units in which any of ``stem_runs`` stands."""
    return {unit for run in stem_runs for unit in occurrences(passage, f" {run} ")}


def _telling(length: float, long: float) -> float:
    """How much it says that a text of this length has a word: endless ones have any."""
    return 1.0 if length <= long else sqrt(long / length)


def _saturated(count: float, relative_length: float, b: float) -> float:
    k1 = weights.K1
    return count * (k1 + 1.0) / (count + k1 * (1.0 - b + b * relative_length))
