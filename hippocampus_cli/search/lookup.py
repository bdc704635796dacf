"""A query's terms as the stems to look up, each with what it is worth here."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from hippocampus_cli.search import weights
from hippocampus_cli.search.parse import Query, Term
from hippocampus_cli.search.vocabulary import Frequency, corrected, frequencies, idf


class Wanted(NamedTuple):
    """One term and its idf. It is found whole by any of ``stems``, in part by ``parts``."""

    term: Term
    worth: float
    stems: Mapping[str, float]
    parts: Mapping[str, float]

    def share(self, found: frozenset[str]) -> float:
        """How much of the term is among ``found``, 0 to 1."""
        if not found.isdisjoint(self.stems):
            return 1.0
        return len(found.intersection(self.parts)) / len(self.parts) if self.parts else 0.0


class Lookup(NamedTuple):
    """``values`` says what each stem to look for is worth; ``common`` ones choose no candidates."""

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


def look_up(db: sqlite3.Connection, query: Query, sections: int, units: int) -> Lookup:
    """Weigh the terms of ``query`` in a workspace of that many sections and units."""
    terms: Sequence[Term] = query.terms
    known = frequencies(db, (stem for term in terms for stem in (term.stem, *term.parts)))
    terms = _most_informative(terms, known)
    corrections: dict[str, list[str]] = {}
    for term in terms:
        unknown = not any(known[stem].times for stem in (term.stem, *term.parts))
        if (
            unknown
            and len(corrections) < weights.MOST_CORRECTED
            and (near := corrected(db, term.stem))
        ):
            corrections[term.stem] = near
    known |= frequencies(db, (stem for near in corrections.values() for stem in near))
    worths = {stem: idf(units, frequency.times) for stem, frequency in known.items()}
    wanted = tuple(_wanted(term, corrections.get(term.stem, []), known, worths) for term in terms)
    values = _values(wanted, worths, known)
    many = max(sections // 2, weights.COMMON)
    common = frozenset(stem for stem in values if known[stem].sections > many)
    return Lookup(wanted, values, common, corrections)


def _most_informative(terms: Sequence[Term], known: Mapping[str, Frequency]) -> Sequence[Term]:
    """Of too many terms the rarest, in the query's order; those that are nowhere come last."""
    if len(terms) <= weights.MOST_TERMS:
        return terms
    ranked = sorted(
        terms, key=lambda term: (not known[term.stem].times, known[term.stem].times, term.stem)
    )
    kept = frozenset(term.stem for term in ranked[: weights.MOST_TERMS])
    return [term for term in terms if term.stem in kept]


def _wanted(
    term: Term, near: Sequence[str], known: Mapping[str, Frequency], worths: Mapping[str, float]
) -> Wanted:
    whole = known[term.stem].times > 0
    stems = {term.stem: 1.0} | dict.fromkeys(near, weights.CORRECTED)
    parts = dict.fromkeys(term.parts, weights.PART if whole else 1.0)
    if whole:
        worth = worths[term.stem]
    else:
        worth = max((worths[stem] for stem in near or term.parts), default=worths[term.stem])
    return Wanted(term, worth, stems, parts)


def _values(
    wanted: Iterable[Wanted], worths: Mapping[str, float], known: Mapping[str, Frequency]
) -> dict[str, float]:
    values: dict[str, float] = {}
    for one in wanted:
        for stem, weight in (*one.parts.items(), *one.stems.items()):
            if known[stem].times:
                values[stem] = max(values.get(stem, 0.0), weight * worths[stem])
    return values
