"""Putting the index's knowledge and the search of the text together (INDEX §6.1, strategy 3).

Search always speaks; the index adds to what search found and brings in what it did not. What an entry
adds is small where search is sure of itself, so hybrid does not rank below search alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hippocampus_cli.index.document import Located
from hippocampus_cli.search.lexical import SectionHit, UnitHit
from hippocampus_cli.workspace.note import Section

# Measured on the fixture and on long chat logs: see the README, "How retrieval was tuned".
INDEX_ADDS = 0.25  # of a full match, to a section that search found too
INDEX_ALONE = 0.75  # of a full match, for a section that search did not find
COVERED = 0.5  # how much of a search score depends on the share of the query it covers


@dataclass(slots=True)
class Candidate:
    """A section on its way to becoming a result. ``match`` is the best matching entry's score, 0 to 1."""

    path: str
    section: Section
    units: tuple[UnitHit, ...] = ()
    search: float = 0.0
    coverage: float = 0.0
    match: float = 0.0
    entry: Located | None = None
    strength: float = 0.0
    score: float = 0.0
    reasons: list[str] = field(default_factory=list)


class Led(NamedTuple):
    """Where a matching entry leads. ``whole``: to the file, not to one section of it."""

    entry: Located
    match: float
    strength: float
    path: str
    section: Section
    whole: bool


def from_search(hits: Sequence[SectionHit]) -> list[Candidate]:
    """Search's hits with scores from 0 to 1: relative to the best one, less where words are missing."""
    top = max((hit.score for hit in hits), default=0.0) or 1.0
    return [
        Candidate(
            hit.path,
            hit.section,
            hit.units,
            search=hit.score / top * (1 - COVERED + COVERED * hit.coverage),
            coverage=hit.coverage,
        )
        for hit in hits
    ]


def fuse(hits: Sequence[SectionHit], led: Iterable[Led]) -> list[Candidate]:
    """Every candidate, best first."""
    found = {(one.path, one.section.ordinal): one for one in from_search(hits)}
    for lead in led:
        for candidate in _touched(found, lead):
            worth = lead.match * (0.5 + 0.5 * lead.strength)
            if worth > candidate.match * (0.5 + 0.5 * candidate.strength):
                candidate.match, candidate.strength = lead.match, lead.strength
                candidate.entry = lead.entry
    for candidate in found.values():
        worth = candidate.match * (0.5 + 0.5 * candidate.strength)
        candidate.score = max(candidate.search + INDEX_ADDS * worth, INDEX_ALONE * worth) / (
            1 + INDEX_ADDS
        )
    return sorted(found.values(), key=lambda one: (-one.score, one.path, one.section.ordinal))


def by_index(led: Iterable[Led], hits: Mapping[tuple[str, int], SectionHit]) -> list[Candidate]:
    """The index's own order, for the strict path: by match, then strength. ``hits`` lend units and coverage."""
    found: dict[tuple[str, int], Candidate] = {}
    for lead in led:
        key = (lead.path, lead.section.ordinal)
        score = lead.match * (0.7 + 0.3 * lead.strength)
        hit = hits.get(key)
        candidate = Candidate(
            lead.path,
            lead.section,
            hit.units if hit else (),
            coverage=hit.coverage if hit else 0.0,
            match=lead.match,
            entry=lead.entry,
            strength=lead.strength,
            score=score,
        )
        if key not in found or found[key].score < score:
            found[key] = candidate
    return sorted(found.values(), key=lambda one: (-one.score, one.path, one.section.ordinal))


def _touched(found: dict[tuple[str, int], Candidate], lead: Led) -> list[Candidate]:
    """The candidates inside what ``lead`` points at; a new one where search found none of it."""
    start, end = lead.section.start, lead.section.tree_end
    inside = [
        one
        for one in found.values()
        if one.path == lead.path and (lead.whole or start <= one.section.start <= end)
    ]
    if inside:
        return [max(inside, key=lambda one: one.search)]
    key = (lead.path, lead.section.ordinal)
    return [found.setdefault(key, Candidate(lead.path, lead.section))]
