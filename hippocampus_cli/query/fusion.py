"""Putting the index's matches and the search of the text together (INDEX §6.1, strategy 3).

Search always speaks; the index adds to what search found and brings in what it did not. What an entry
adds is small where search is sure of itself, so hybrid does not rank below search alone. :class:`Places` follows
entries to the sections they point at, and finds the entries that point at a section.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import exp
from pathlib import Path

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.search.hits import SectionHit, UnitHit
from hippocampus_cli.search.library import Library
from hippocampus_cli.search.store import TextCache
from hippocampus_cli.workspace.kinds import NoteKind, kind_of
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.resolve import (
    Resolved,
    Status,
    names_section,
    resolve_file,
    resolve_section,
)
from hippocampus_cli.workspace.sections import How, find_section


class NoteReader:
    """Notes by their path, as they were when first asked for."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._read: dict[str, Note | None] = {}

    @property
    def refused(self) -> list[str]:
        """The paths of those that are gone or cannot be read any more."""
        return [path for path, note in self._read.items() if note is None]

    def get(self, path: str) -> Note | None:
        """The note; ``None`` for one that is gone or cannot be read any more."""
        if path not in self._read:
            try:
                self._read[path] = self._library.note(path)
            except (FileUnreadable, OutsideWorkspace):
                self._read[path] = None
        return self._read[path]


LEADS = frozenset({Status.OK, Status.ABSOLUTE})


class Covering(NamedTuple):
    """An entry that points at a section: ``exact`` by name, else through the whole file or a parent section.

    ``loose``: by a name that is only like the heading.
    """

    located: Located
    exact: bool
    loose: bool = False


class Places:
    """The pointers of one index in one workspace, as it is at one moment."""

    def __init__(self, index: Hierarchy, cache: TextCache, root: Path) -> None:
        self.index = index
        self.cache = cache
        self.root = root
        self._sections: dict[str, Sequence[Section] | None] = {}

    def sections_of(self, path: str) -> Sequence[Section] | None:
        """The sections of a note, ``None`` for what is none; read once."""
        if path not in self._sections:
            self._sections[path] = self.cache.sections_of(path)
        return self._sections[path]

    def follow(self, located: Located) -> Iterator[Resolved[Section]]:
        """What each pointer of an entry leads to."""
        for pointer in located.entry.pointers:
            file: Resolved[Section] = resolve_file(self.root, pointer)
            if names_section(pointer, file):
                file = resolve_section(pointer, file, self.sections_of(file.path))
            yield file

    def covering(self, path: str, section: Section) -> list[Covering]:
        """The entries that point at ``section`` of ``path``, the nearest first."""
        return nearest(self.index.pointers.get(path, ()), self.sections_of(path) or (), section)


def nearest(
    pointers: Iterable[tuple[Located, Pointer]], sections: Sequence[Section], section: Section
) -> list[Covering]:
    """Those of ``pointers``, all at one note with these ``sections``, that hold ``section``, the nearest first."""
    found: list[tuple[int, int, Covering]] = []
    for order, (located, pointer) in enumerate(pointers):
        if pointer.section is None:
            found.append((10, order, Covering(located, exact=False)))
        elif target := find_section(sections, pointer.section):
            start, end = target.section.start, target.section.tree_end
            loose = target.how is How.FUZZY
            if target.section.ordinal == section.ordinal:
                found.append((0, order, Covering(located, exact=True, loose=loose)))
            elif start <= section.start and section.end <= end:
                nearness = 7 - target.section.level
                found.append((nearness, order, Covering(located, exact=False, loose=loose)))
    return [covering for _, _, covering in sorted(found, key=lambda row: row[:2])]


MATCHED = 0.34  # share of the query that an entry must have for the index to speak
INDEX_ADDS = 0.5  # of the share of the query that an entry has and the text it points at has not
INDEX_TELLS = 0.01  # of its match: among equals the place that the index knows comes first
INDEX_ALONE = 0.75  # of a full match, for a section that search did not find
UNVERIFIED = 0.5  # of what a weak entry's word is worth where search finds nothing there
DECAYED = 0.3  # how much of an entry's word depends on its strength
# How much of a search score depends on the share of the query that the best hits cover.
COVERED = 0.5
TEMPER = 4.0  # what a search score has to fall by to be worth a third
NAMED = (
    0.1  # the least share that a section covers which names a day asked for: it is worth showing
)
# What a core file or project gains: on the fixture hit@1 .699 to .720; at .15 it costs.
CURRENT = 0.2
_LEADING = 3
_AFTER = 0.99
_JOINED = 2  # sections that go with another at most
_CLOSE = 0.5  # of its score, or it only happens to stand beside it


class Candidate:
    """A section on its way to becoming a result. ``match`` is the best matching entry's score, ``boost``
    how surely anchors lead there; each 0 to 1."""

    def __init__(
        self,
        path: str,
        section: Section,
        units: tuple[UnitHit, ...] = (),
        search: float = 0.0,
        coverage: float = 0.0,
        match: float = 0.0,
        entry: Located | None = None,
        strength: float = 0.0,
        weak: bool = False,
        loose: bool = False,
        boost: float = 0.0,
    ) -> None:
        self.path = path
        self.section = section
        self.units = units
        self.search = search
        self.coverage = coverage
        self.match = match
        self.entry = entry
        self.strength = strength
        self.score = 0.0
        self.also: list[Section] = []
        self.weak = weak
        self.loose = loose
        self.boost = boost
        self.twins: list[Candidate] = []

    @property
    def verified(self) -> bool:
        """Whether the entry is strong enough to be believed, or the text has words of the query."""
        return not self.weak or self.coverage > 0

    @property
    def confidence(self) -> float:
        """How sure it is that this place answers, 0 to 1: the share of the query that text or entry have."""
        return max(self.coverage, self.match * (1.0 if self.verified else UNVERIFIED))

    @property
    def worth(self) -> float:
        """What the entry's match counts, 0 to 1: a faded entry speaks more softly."""
        return worth(self.match, self.strength) * (1.0 if self.verified else UNVERIFIED)

    @property
    def adds(self) -> float:
        """What the index adds to search: what its entry knows of the query beyond the text (INDEX §6.1)."""
        beyond = worth(max(0.0, self.match - self.coverage), self.strength)
        return INDEX_ADDS * beyond + INDEX_TELLS * self.worth


class EntryTarget(NamedTuple):
    """Where a matching entry leads. ``whole``: to the file, not to one section of it; ``weak``: only
    to be trusted where search confirms it (INDEX §6.2); ``loose``: to
    the file whose section that the pointer names is gone."""

    entry: Located
    match: float
    strength: float
    path: str
    section: Section
    whole: bool
    weak: bool = False
    loose: bool = False

    @property
    def worth(self) -> float:
        """What the match counts, 0 to 1."""
        return worth(self.match, self.strength)


def worth(match: float, strength: float) -> float:
    """What an entry's match counts at its strength."""
    return match * (1 - DECAYED + DECAYED * strength)


def from_search(hits: Sequence[SectionHit]) -> list[Candidate]:
    """Search's hits, best first, with scores from 0 to 1: all of them lower where words are missing.

    Core files and projects hold what is true now, dailies what was true then; so, among near equals, the
    former come first.
    """
    if not hits:
        return []
    scores = [hit.score + _kept_current(hit.path) for hit in hits]
    top = max(scores)
    sure = 1 - COVERED + COVERED * max(covered(hit) for hit in hits[:_LEADING])
    found = [
        Candidate(
            hit.path,
            hit.section,
            hit.units,
            search=exp((score - top) / TEMPER) * sure,
            coverage=covered(hit),
            boost=hit.boost,
        )
        for hit, score in zip(hits, scores, strict=True)
    ]
    return sorted(found, key=lambda one: -one.search)


def _kept_current(path: str) -> float:
    return CURRENT if kind_of(path) in (NoteKind.CONFIG, NoteKind.PROJECT) else 0.0


def covered(hit: SectionHit) -> float:
    """The share of the query that a hit covers; to be of the days asked for is half of it, to name one a little."""
    if hit.fits:
        return 0.5 + 0.5 * hit.coverage
    return max(NAMED, hit.coverage) if hit.dated else hit.coverage


def fuse(hits: Sequence[SectionHit], targets: Iterable[EntryTarget]) -> list[Candidate]:
    """Every candidate, best first."""
    found = {(one.path, one.section.ordinal): one for one in from_search(hits)}
    for target in targets:
        candidate = _touched(found, target)
        if target.worth > candidate.worth:
            candidate.match, candidate.strength = target.match, target.strength
            candidate.entry, candidate.weak = target.entry, target.weak
            candidate.loose = target.loose
    covers = max((covered(hit) for hit in hits), default=0.0)
    last = min((one.search for one in found.values() if one.search), default=1.0)
    for candidate in found.values():
        score = candidate.search + candidate.adds
        if not candidate.search:
            score = max(score, INDEX_ALONE * candidate.worth)
            if (
                candidate.match <= covers
            ):  # search has as many of the words: it comes after those places
                score = min(score, _AFTER * last)
        candidate.score = score / (1 + INDEX_ADDS)
    return sorted(found.values(), key=lambda one: (-one.score, one.path, one.section.ordinal))


def by_index(
    targets: Iterable[EntryTarget], hits: Mapping[tuple[str, int], SectionHit]
) -> list[Candidate]:
    """The index's own order, for the strict path: by match, then strength. ``hits`` lend units and coverage."""
    found: dict[tuple[str, int], Candidate] = {}
    for target in targets:
        key = (target.path, target.section.ordinal)
        hit = hits.get(key)
        candidate = Candidate(
            target.path,
            target.section,
            hit.units if hit else (),
            coverage=covered(hit) if hit else 0.0,
            match=target.match,
            entry=target.entry,
            strength=target.strength,
            weak=target.weak,
            loose=target.loose,
        )
        candidate.score = candidate.worth
        if key not in found or found[key].score < candidate.score:
            found[key] = candidate
    return sorted(found.values(), key=lambda one: (-one.score, one.path, one.section.ordinal))


def joined(candidates: Iterable[Candidate], limit: int) -> list[Candidate]:
    """The first ``limit`` places: a section that touches a better one in the same note goes with it.

    So one long answer does not push others out, and what belongs together is read together.
    """
    kept: dict[tuple[str, int], Candidate] = {}
    places: list[Candidate] = []
    for one in candidates:
        at = one.section.ordinal
        near = kept.get((one.path, at - 1)) or kept.get((one.path, at + 1))
        if near is not None and len(near.also) < _JOINED and one.score >= _CLOSE * near.score:
            near.also.append(one.section)
            near.units = tuple(sorted((*near.units, *one.units), key=lambda unit: -unit.score))
            kept[one.path, at] = near
        elif len(places) < limit:
            places.append(one)
            kept[one.path, at] = one
    return places


def _touched(found: dict[tuple[str, int], Candidate], target: EntryTarget) -> Candidate:
    """The best candidate inside what ``target`` points at; a new one where search found none of it."""
    start, end = target.section.start, target.section.tree_end
    inside = [
        one
        for one in found.values()
        if one.path == target.path and (target.whole or start <= one.section.start <= end)
    ]
    if inside:
        return max(inside, key=lambda one: one.search)
    key = (target.path, target.section.ordinal)
    return found.setdefault(key, Candidate(target.path, target.section))
