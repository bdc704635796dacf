"""A query's terms as the stems to look up, each with what it is worth here."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hippocampus_cli.retrieval import weights
from hippocampus_cli.retrieval.parse import Query, Term
from hippocampus_cli.retrieval.vocabulary import corrected, frequencies, idf


@dataclass(frozen=True, slots=True)
class Wanted:
    """One term: ``worth`` is its idf. It is found whole by any of ``stems``, in part by ``parts``."""

    term: Term
    worth: float
    stems: Mapping[str, float]
    parts: Mapping[str, float]

    def share(self, found: frozenset[str]) -> float:
        """How much of the term is among ``found``, 0 to 1."""
        if not found.isdisjoint(self.stems):
            return 1.0
        return len(found.intersection(self.parts)) / len(self.parts) if self.parts else 0.0


@dataclass(frozen=True, slots=True)
class Lookup:
    """What to look for. ``values``: stems with what they are worth; ``common``: those in half the sections."""

    wanted: tuple[Wanted, ...]
    values: Mapping[str, float]
    common: frozenset[str]
    corrections: Mapping[str, list[str]]

    def coverage(self, found: frozenset[str]) -> float:
        """The share of the terms among ``found``, rare ones counting more; 0 to 1."""
        total = sum(one.worth for one in self.wanted)
        return sum(one.worth * one.share(found) for one in self.wanted) / total if total else 0.0

    def matched(self, found: frozenset[str]) -> frozenset[str]:
        """The stems of the terms that are among ``found`` as a whole or in all parts."""
        return frozenset(one.term.stem for one in self.wanted if one.share(found) >= 1.0)


def look_up(db: sqlite3.Connection, query: Query, sections: int) -> Lookup:
    """Weigh the terms of ``query`` in a workspace of that many sections."""
    terms = query.terms
    docs = frequencies(db, (stem for term in terms for stem in (term.stem, *term.parts)))
    terms = _most_informative(terms, docs)
    corrections: dict[str, list[str]] = {}
    wanted = []
    for term in terms:
        stems, parts = {term.stem: 1.0}, {}
        known = [stem for stem in term.parts if docs[stem]]
        if term.parts and (docs[term.stem] or known):
            parts = dict.fromkeys(term.parts, weights.PART if docs[term.stem] else 1.0)
        elif not docs[term.stem] and (near := corrected(db, term.stem)):
            corrections[term.stem] = near
            docs |= frequencies(db, near)
            stems |= dict.fromkeys(near, weights.CORRECTED)
        best = max(docs[stem] for stem in stems)
        worth = idf(sections, best or max((docs[stem] for stem in known), default=0))
        wanted.append(Wanted(term, worth, stems, parts))
    values = _values(wanted, docs, sections)
    common = frozenset(stem for stem in values if docs[stem] * 2 > sections)
    return Lookup(tuple(wanted), values, common, corrections)


def _most_informative(terms: Sequence[Term], docs: Mapping[str, int]) -> Sequence[Term]:
    """Of too many terms the rarest, in the query's order; those that are nowhere come last."""
    if len(terms) <= weights.MOST_TERMS:
        return terms
    ranked = sorted(terms, key=lambda term: (not docs[term.stem], docs[term.stem], term.stem))
    kept = frozenset(term.stem for term in ranked[: weights.MOST_TERMS])
    return [term for term in terms if term.stem in kept]


def _values(wanted: Iterable[Wanted], docs: Mapping[str, int], sections: int) -> dict[str, float]:
    values: dict[str, float] = {}
    for one in wanted:
        for stem, weight in (*one.parts.items(), *one.stems.items()):
            if docs[stem]:
                values[stem] = max(values.get(stem, 0.0), weight * idf(sections, docs[stem]))
    return values
