"""What a person typed, as what search looks for."""

from __future__ import annotations

import re
from datetime import date

from hippocampus_cli.light import NamedTuple, pattern
from hippocampus_cli.search.days import Reading, days_in
from hippocampus_cli.search.spans import Days
from hippocampus_cli.search.tokens import forms, is_stop, stems, words_of

_QUOTED = pattern(r'"([^"]*)"|“([^”]*)”')
_MOST_TERMS = 256  # of which the most informative are looked up; see weights.MOST_TERMS
_MOST_PHRASES = 16
MOST_TYPED = 2_000
"""Characters of a query in which its words are looked for as they were typed."""


class Term(NamedTuple):
    """A word of the query: its stem, and the stems of its parts if it is a compound."""

    stem: str
    parts: tuple[str, ...] = ()


class Query(NamedTuple):
    """A parsed query. Every field may be empty: any text at all is a query.

    ``phrases`` are stems that must stand in this order, each next to the other. ``days`` are ranges
    of days, both ends inclusive, that make a note fit better; their words are no terms, and
    ``readings`` says which words those are. ``no_days`` are words that are written as a day and are none.
    """

    text: str
    terms: tuple[Term, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    days: tuple[Days, ...] = ()
    words: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()
    no_days: tuple[str, ...] = ()

    @property
    def stems(self) -> frozenset[str]:
        """The stem of every term."""
        return frozenset(term.stem for term in self.terms)

    @property
    def only_phrases(self) -> bool:
        """Whether every word stands in quotation marks: then nothing without them is meant."""
        quoted = {stem for phrase in self.phrases for stem in phrase}
        return (
            bool(quoted)
            and not self.days
            and all(not quoted.isdisjoint((term.stem, *term.parts)) for term in self.terms)
        )


def parse(text: str, today: date, known: tuple[Reading, ...] = ()) -> Query:
    """Read ``text``. Nothing in it is an operator but quotation marks around a phrase.

    ``known`` are days that the query speaks of beside those that ``text`` names.
    """
    phrases = tuple(dict.fromkeys(filter(None, map(_phrase, _QUOTED.finditer(text)))))[
        :_MOST_PHRASES
    ]
    readings, rest = days_in(text, today)
    readings = (*known, *readings)
    days = tuple(dict.fromkeys(one.days for one in readings))
    terms = _terms(rest)
    words = tuple(found[0] for word in words_of(rest)[:_MOST_TERMS] if (found := forms(word)))
    if all(is_stop(term.stem) for term in terms):
        # words such as "the who" are all there is to go by, unless a date is
        return Query(text, () if days else terms, phrases, days, words, readings)
    kept = tuple(term for term in terms if not is_stop(term.stem))
    return Query(text, kept, phrases, days, words, readings)


def says_nothing(query: Query) -> bool:
    """Whether words such as "the" are all there is."""
    return not (query.phrases or query.days) and all(is_stop(term.stem) for term in query.terms)


def _phrase(match: re.Match[str]) -> tuple[str, ...]:
    return tuple(stems(match[1] or match[2] or ""))


def _terms(text: str) -> tuple[Term, ...]:
    terms: dict[str, Term] = {}
    for word in words_of(text):
        found = forms(word)
        if found and found[0] not in terms:
            for term in _terms_of(found):
                terms.setdefault(term.stem, term)
        if len(terms) >= _MOST_TERMS:
            break
    return tuple(terms.values())


def _terms_of(found: list[str]) -> list[Term]:
    whole, *parts = found
    if all(char >= "\u2e80" for char in whole) or not parts:  # pairs of characters have no whole
        return [Term(stem) for stem in found]
    return [Term(whole, tuple(parts))]
