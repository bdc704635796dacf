"""A query's terms as the stems to look up, each with what it is worth here."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hippocampus_cli.light import NamedTuple
from hippocampus_cli.search import weights
from hippocampus_cli.search.answers import answers_of
from hippocampus_cli.search.parse import Query, Term
from hippocampus_cli.search.related import RelatedWords
from hippocampus_cli.search.tallying import Group, Wishes
from hippocampus_cli.search.thesaurus import related_words, thesaurus
from hippocampus_cli.search.tokens import is_stop
from hippocampus_cli.search.vocabulary import Frequency, corrected, frequencies, idf


class Wanted(NamedTuple):
    """One term and its idf.

    It is found whole by its own stem, nearly so by the others in ``stems``, in part by ``parts`` or by what is
    ``related`` to it.
    """

    term: Term
    worth: float
    stems: Mapping[str, float]
    parts: Mapping[str, float]
    related: Mapping[str, float]

    def share(self, found: frozenset[str]) -> float:
        """How much of the term is among ``found``, 0 to 1."""
        if (whole := self._as_word(found)) >= 1.0:
            return whole
        parts = len(found.intersection(self.parts)) / len(self.parts) if self.parts else 0.0
        near = (self.related[stem] for stem in found.intersection(self.related))
        return max([whole, parts, *near])

    def missing(self, known: frozenset[str]) -> float:
        """How much of it no stem in ``known`` makes up for, 0 to 1."""
        return 1.0 - self._as_word(known) if known.isdisjoint(self.parts) else 0.0

    def _as_word(self, found: frozenset[str]) -> float:
        """1 where the term itself is among ``found``, less where a correction of it is, 0 without one."""
        return max((self.stems[stem] for stem in found.intersection(self.stems)), default=0.0)


class Lookup(NamedTuple):
    """``values`` says what each stem of the query is worth; ``common`` ones choose no candidates.

    ``wishes`` holds them all, with what stands for them. ``related`` are those of the latter that are rare
    enough to choose candidates.
    """

    wanted: tuple[Wanted, ...]
    values: Mapping[str, float]
    wishes: Wishes
    common: frozenset[str]
    related: tuple[str, ...]
    corrections: Mapping[str, list[str]]

    def judged(self, found: frozenset[str]) -> tuple[frozenset[str], float]:
        """The stems of the terms that are among ``found`` as a whole, corrected or in all parts, and the share of the
        terms that are, rare ones counting more and corrected ones less; 0 to 1."""
        shares = [(one, one.share(found)) for one in self.wanted]
        matched = frozenset(
            one.term.stem
            for one, share in shares
            if share >= 1.0 or not found.isdisjoint(one.stems)
        )
        there = sum(one.worth * share for one, share in shares)
        return matched, there / self.wishes.total if self.wishes.total else 0.0

    @property
    def unknown(self) -> float:
        """The share of the terms that stand nowhere, rare ones counting more; 0 to 1. One that had to be corrected
        stands there in part only."""
        known = frozenset(self.values)
        missing = sum(one.worth * one.missing(known) for one in self.wanted)
        return missing / self.wishes.total if self.wishes.total else 0.0


def look_up(
    db: sqlite3.Connection, query: Query, sections: int, units: int, related: float
) -> Lookup:
    """Weigh the terms of ``query`` in a workspace of that many sections and units.

    ``related`` is the weight of a word that is wholly similar to one of the query, 0 for none.
    """
    terms: Sequence[Term] = query.terms
    known = frequencies(db, (stem for term in terms for stem in (term.stem, *term.parts)))
    terms = _most_informative(terms, known)
    corrections = _corrections(db, terms, known)
    known |= frequencies(db, (stem for near in corrections.values() for stem in near))
    near = {}
    if related > 0:
        source = RelatedWords(db, [term.stem for term in terms])
        near = _weighed(related_words(source, query.words, terms), related)
    known |= _run_frequencies(db, {run for runs in near.values() for run in runs} - known.keys())
    worths = {stem: idf(units, frequency.times) for stem, frequency in known.items()}
    wanted = tuple(
        _wanted(term, corrections.get(term.stem, []), near.get(term.stem, {}), known, worths)
        for term in terms
    )
    values = _values(wanted, worths, known)
    common = _common(values, known, sections)
    substitutes = _substitutes(wanted, values, worths)
    rare = dict.fromkeys(
        stem
        for group in substitutes
        for stem in group
        if known[stem].sections <= weights.RELATED_COMMON
    )
    groups = tuple(_groups(wanted, substitutes, known, worths))
    total = sum(one.worth for one in wanted)
    wishes = Wishes(groups, total, _pairs(query, worths), answers_of(query.text))
    return Lookup(wanted, values, wishes, common, tuple(rare), corrections)


def _common(values: Iterable[str], known: Mapping[str, Frequency], sections: int) -> frozenset[str]:
    """The stems that choose no candidates: those in half of all sections, and, once the rarer ones have given
    enough to choose from, all others. Going through every place of a common word is what takes long."""
    many = max(sections // 2, weights.COMMON)
    common, places = [], 0
    for number, stem in enumerate(sorted(values, key=lambda stem: known[stem].sections)):
        places += known[stem].sections
        if known[stem].sections > many or (number >= weights.CHOOSING and places > weights.PLACES):
            common.append(stem)
    return frozenset(common)


def _corrections(
    db: sqlite3.Connection, terms: Iterable[Term], known: Mapping[str, Frequency]
) -> dict[str, list[str]]:
    """What the first few terms that are nowhere in the workspace were meant to be. A word that the thesaurus knows
    is meant as it is: the notes do not have it."""
    corrections: dict[str, list[str]] = {}
    for term in terms:
        if len(corrections) == weights.MOST_CORRECTED:
            break
        unknown = not any(known[stem].times for stem in (term.stem, *term.parts))
        if unknown and not thesaurus().related(term.stem) and (near := corrected(db, term.stem)):
            corrections[term.stem] = near
    return corrections


def _weighed(near: Mapping[str, Mapping[str, float]], weight: float) -> dict[str, dict[str, float]]:
    return {
        term: {stem: weight * similarity for stem, similarity in others.items()}
        for term, others in near.items()
    }


def _run_frequencies(db: sqlite3.Connection, runs: Iterable[str]) -> dict[str, Frequency]:
    """How common words and phrases are; of a phrase that is what its rarest word is."""
    split = {run: run.split() for run in sorted(runs)}
    single = frequencies(db, (stem for stems in split.values() for stem in stems))
    return {
        run: min((single[stem] for stem in stems), key=lambda frequency: frequency.times)
        for run, stems in split.items()
    }


def _substitutes(
    wanted: Iterable[Wanted], values: Mapping[str, float], worths: Mapping[str, float]
) -> list[dict[str, float]]:
    """For each term what may stand for it, with its value: the most valuable ones of the query.

    What stands for a common word says no more than that word, however rare it is itself.
    """
    found = [
        {
            stem: weight * min(worths[one.term.stem], worths[stem])
            for stem, weight in one.related.items()
            if stem not in values
        }
        for one in wanted
    ]
    best = {stem: value for group in found for stem, value in sorted(group.items())}
    kept = set(sorted(best, key=lambda stem: (-best[stem], stem))[: weights.MOST_RELATED])
    return [{stem: value for stem, value in group.items() if stem in kept} for group in found]


def _groups(
    wanted: Iterable[Wanted],
    substitutes: Iterable[Mapping[str, float]],
    known: Mapping[str, Frequency],
    worths: Mapping[str, float],
) -> Iterator[Group]:
    """A group for each term with what may stand for it, and one for each part of a compound.

    Parts are worth something of their own only where the compound as a whole is nowhere.
    """
    for one, others in zip(wanted, substitutes, strict=True):
        there = {stem: weight for stem, weight in one.stems.items() if known[stem].times}
        parts = {stem: weight for stem, weight in one.parts.items() if known[stem].times}
        whole = bool(there) or not parts
        stems = {stem: weight * worths[stem] for stem, weight in there.items()}
        if stems or others:
            yield Group(one.worth if whole else 0.0, stems, others)
        for stem, weight in parts.items():
            yield Group(0.0 if whole else one.worth / len(parts), {stem: weight * worths[stem]}, {})


def _pairs(query: Query, worths: Mapping[str, float]) -> dict[str, float]:
    """The pairs of stems that stand next to each other in the query, each worth what its stems are on average."""
    found: dict[str, float] = {}
    for one, other in zip(query.words, query.words[1:], strict=False):
        if not (is_stop(one) and is_stop(other)) and len(found) < weights.MOST_PAIRS:
            worth = worths.get(one, 0.0) + worths.get(other, 0.0)
            found[f"{one} {other}"] = worth / 2
    return found


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
    there = {stem: weight for stem, weight in related.items() if known[stem].times}
    return Wanted(term, worth, stems, parts, there)


def _values(
    wanted: Iterable[Wanted], worths: Mapping[str, float], known: Mapping[str, Frequency]
) -> dict[str, float]:
    values: dict[str, float] = {}
    for one in wanted:
        for stem, weight in (*one.parts.items(), *one.stems.items()):
            if known[stem].times:
                values[stem] = max(values.get(stem, 0.0), weight * worths[stem])
    return values
