"""A query's terms as the stems to look up, each with what it is worth here."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hippocampus_cli.retrieval import weights
from hippocampus_cli.retrieval.parse import Query, Term
from hippocampus_cli.retrieval.thesaurus import LONGEST, thesaurus
from hippocampus_cli.retrieval.vocabulary import Frequency, corrected, frequencies, idf


@dataclass(frozen=True, slots=True)
class Wanted:
    """One term and its idf. It is found whole by any of ``stems``, in part by ``parts``."""

    term: Term
    worth: float
    stems: Mapping[str, float]
    parts: Mapping[str, float]
    related: Mapping[str, float]

    def share(self, found: frozenset[str]) -> float:
        """How much of the term is among ``found``, 0 to 1."""
        if not found.isdisjoint(self.stems):
            return 1.0
        parts = len(found.intersection(self.parts)) / len(self.parts) if self.parts else 0.0
        return max([parts, *(self.related[stem] for stem in found.intersection(self.related))])


@dataclass(frozen=True, slots=True)
class Lookup:
    """``values`` says what each stem to look for is worth; ``common`` ones choose no candidates."""

    wanted: tuple[Wanted, ...]
    values: Mapping[str, float]
    groups: tuple[Mapping[str, float], ...]
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
    near = related_words(query.words, terms) if weights.RELATED else {}
    known |= _found(db, {stem for stems in near.values() for stem in stems})
    worths = {stem: idf(units, frequency.times) for stem, frequency in known.items()}
    wanted = tuple(
        _wanted(term, corrections.get(term.stem, []), near.get(term.stem, {}), known, worths)
        for term in terms
    )
    values = _values(wanted, worths, known)
    many = max(sections // 2, weights.COMMON)
    common = frozenset(stem for stem in values if known[stem].sections > many)
    return Lookup(wanted, values, _groups(wanted, values, worths), common, corrections)


def related_words(words: Sequence[str], terms: Sequence[Term]) -> dict[str, dict[str, float]]:
    """By term, what may stand for it or for a phrase of ``words`` with it, and how similar."""
    source = thesaurus()
    found = {term.stem: dict(source.related(term.stem)) for term in terms}
    for length in range(2, LONGEST + 1):
        for at in range(len(words) - length + 1):
            phrase = words[at : at + length]
            for stem, similarity in source.related(" ".join(phrase)).items():
                for word in phrase:
                    if word in found:
                        found[word][stem] = max(found[word].get(stem, 0.0), similarity)
    return found


def _found(db: sqlite3.Connection, runs: Iterable[str]) -> dict[str, Frequency]:
    """How common words and phrases are; a phrase at the most as common as its rarest word."""
    runs = sorted(runs)
    single = frequencies(db, (stem for run in runs for stem in run.split()))
    return {
        run: min((single[stem] for stem in run.split()), key=lambda frequency: frequency.times)
        for run in runs
    }


def _groups(
    wanted: Iterable[Wanted], values: Mapping[str, float], worths: Mapping[str, float]
) -> tuple[Mapping[str, float], ...]:
    groups: list[Mapping[str, float]] = []
    grouped: set[str] = set()
    for one in wanted:
        group = {stem: values[stem] for stem in one.stems if stem in values and stem not in grouped}
        grouped.update(group)
        ceiling = worths[one.term.stem]
        for stem, weight in one.related.items():
            if stem not in values:
                group[stem] = weight * min(ceiling, worths[stem])
        groups.append(group)
    groups.extend({stem: value} for stem, value in values.items() if stem not in grouped)
    return tuple(group for group in groups if group)


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
    term: Term,
    near: Sequence[str],
    related: Mapping[str, float],
    known: Mapping[str, Frequency],
    worths: Mapping[str, float],
) -> Wanted:
    whole = known[term.stem].times > 0
    stems = {term.stem: 1.0} | dict.fromkeys(near, weights.CORRECTED)
    parts = dict.fromkeys(term.parts, weights.PART if whole else 1.0)
    if whole:
        worth = worths[term.stem]
    else:
        worth = max((worths[stem] for stem in near or term.parts), default=worths[term.stem])
    substitutes = {
        stem: weights.RELATED * similarity
        for stem, similarity in related.items()
        if known[stem].times
    }
    return Wanted(term, worth, stems, parts, substitutes)


def _values(
    wanted: Iterable[Wanted], worths: Mapping[str, float], known: Mapping[str, Frequency]
) -> dict[str, float]:
    values: dict[str, float] = {}
    for one in wanted:
        for stem, weight in (*one.parts.items(), *one.stems.items()):
            if known[stem].times:
                values[stem] = max(values.get(stem, 0.0), weight * worths[stem])
    return values
