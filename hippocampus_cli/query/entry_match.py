"""Matching a query with the entries of the index: topic, tags, id, pointer names, summary, days (INDEX §4.3).

An entry's score is the share of the query's words that it has, rare words counting more and each word as much as the
best place it stands in. Words that no entry has are looked up by likeness once. Where only the index is asked,
entries of the days that a query asks for match too: their notes are of them, or their topics name them. Some match
and do not answer: those that are silent, and those of which nothing is left.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache

from hippocampus_cli.config.settings import Bands
from hippocampus_cli.dates.calendar import Days
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.decay import Band, band
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.query.results import Suppressed
from hippocampus_cli.search import ranking_weights
from hippocampus_cli.search.candidates import mentions
from hippocampus_cli.search.date_match import bonus
from hippocampus_cli.search.library import Library
from hippocampus_cli.search.query_parser import MOST_TYPED, Query
from hippocampus_cli.search.schema import restored
from hippocampus_cli.text.tokenizer import (
    folded,
    forms,
    is_another_word,
    is_stop,
    spellings,
    stems,
    words_of,
)
from hippocampus_cli.workspace.note import Section
from hippocampus_cli.workspace.resolve import Resolved, Status

# How much a word counts by where it stands: what a person chose first, what was derived from the text last.
TOPIC, POINTER, SUMMARY = 1.0, 0.8, 0.6
MISSPELT = 0.8
_SHORTEST_MISSPELT = 4
_LONGEST_MISSPELT = 40
_SLACK = 2  # letters that a typo may be longer or shorter than the word
_START = 3  # letters of a stem that its words share


class EntryMatch(NamedTuple):
    """An entry that has words of the query: ``score`` is 0 to 1, ``matched`` the query's stems it has."""

    located: Located
    score: float
    matched: frozenset[str]


class IndexWords:
    """The entries of an index by their words. Build it once for an index.

    Stemming every word of an index would take longer than all else in a query, so an entry's words are
    stemmed only where its text holds the beginning of a stem that is asked for.
    """

    def __init__(self, index: Hierarchy) -> None:
        self.index = index

    @cached_property
    def _folded(self) -> tuple[tuple[Located, str], ...]:
        return tuple((one, _fold(one.entry.raw)) for one in self.index.entries)

    @cached_property
    def _stems(self) -> dict[str, dict[str, float]]:
        return {}

    @cached_property
    def _begun(self) -> dict[str, tuple[Located, ...]]:
        return {}  # no larger than the index: a beginning that stands nowhere has no entries

    @cached_property
    def _of_length(self) -> dict[int, list[str]]:
        return {}

    def match(self, query: Query, cutoff: float) -> tuple[EntryMatch, ...]:
        """The entries that have words of ``query``, best first; ``cutoff``: likeness of a misspelling in percent."""
        wanted = self._wanted(query, cutoff)
        total = sum(worth for _, worth, _ in wanted)
        if not total:
            return ()
        matches = []
        sought = frozenset(form for _, _, spelled in wanted for form in spelled)
        for located in self._with_any(sought):
            found = self._stems_of(located)
            if sought.isdisjoint(found):
                continue  # most only begin like a word that is asked for
            score, matched = 0.0, []
            for stem, worth, spelled in wanted:
                held = (weight * found.get(form, 0.0) for form, weight in spelled.items())
                if best := max(held, default=0.0):
                    score += worth * best
                    matched.append(stem)
            if matched:
                matches.append(EntryMatch(located, score / total, frozenset(matched)))
        return tuple(sorted(matches, key=lambda one: (-one.score, one.located.key)))

    def _wanted(self, query: Query, cutoff: float) -> list[tuple[str, float, dict[str, float]]]:
        """For each word of the query: its stem, what it is worth, and the forms it may be met in."""
        rows = []
        for term in query.terms:
            spelled = {term.stem: 1.0}
            if not self._count(term.stem):
                share = 1.0 / max(1, len(term.parts))
                spelled |= {part: share for part in term.parts if self._count(part)}
                if len(spelled) == 1:
                    typed = spellings(_fold(query.text[:MOST_TYPED])).get(term.stem, term.stem)
                    spelled |= dict.fromkeys(self._alike(typed, cutoff), MISSPELT)
            count = sum(map(self._count, spelled))
            worth = math.log(1 + len(self.index.entries) / (count + 0.5))
            rows.append((term.stem, worth, spelled))
        return rows

    def _count(self, stem: str) -> int:
        """In how many entries a stem stands."""
        return sum(stem in self._stems_of(located) for located in self._holding(_start(stem)))

    def _with_any(self, stems: Iterable[str]) -> Iterable[Located]:
        """The entries whose text may hold one of the stems."""
        starts = {start for stem in stems if (start := _start(stem))}
        return {one.key: one for start in starts for one in self._holding(start)}.values()

    def _holding(self, start: str) -> tuple[Located, ...]:
        """The entries whose text has a word of this beginning, or looks so."""
        if start not in self._begun:
            self._begun[start] = tuple(one for one, text in self._folded if start in text)
        return self._begun[start]

    def _stems_of(self, located: Located) -> dict[str, float]:
        if located.key not in self._stems:
            self._stems[located.key] = entry_stems(located.entry)
        return self._stems[located.key]

    @cached_property
    def _spellings(self) -> list[str]:
        """The words of the index as they are spelled, sorted: a typo is nearer to those than to stems."""
        texts = (_fold(_text_of(one.entry)) for one in self.index.entries)
        words = {word for text in texts for word in words_of(text)}
        return sorted(word for word in words if word.isalpha() and len(word) >= _SHORTEST_MISSPELT)

    def _spelled_in(self, letters: int) -> list[str]:
        """The words that a word of so many letters may be meant for, sorted."""
        if letters not in self._of_length:
            self._of_length[letters] = [
                one for one in self._spellings if abs(len(one) - letters) <= _SLACK
            ]
        return self._of_length[letters]

    def _alike(self, word: str, cutoff: float) -> Iterable[str]:
        if not word.isalpha() or not _SHORTEST_MISSPELT <= len(word) <= _LONGEST_MISSPELT:
            return ()
        from rapidfuzz import fuzz, process

        near = self._spelled_in(len(word))
        found = process.extract(word, near, scorer=fuzz.ratio, score_cutoff=cutoff, limit=3)
        meant = (one for one, _, _ in found if not is_another_word(word, one))
        return dict.fromkeys(form for one in meant for form in forms(one)[:1])


def _start(stem: str) -> str:
    """What every word of this stem begins with: the end of a word may change in its stem (happy, happi)."""
    return stem[: _START if len(stem) > _START else 1]


def _fold(text: str) -> str:
    """``text`` without case and accents, as stems are."""
    # These two are in every entry, and all that many entries have beyond ASCII.
    text = text.replace("→", " ").replace("§", " ")
    return folded(text)


def _pointer_names(entry: Entry) -> str:
    return " ".join(f"{pointer.path} {pointer.section or ''}" for pointer in entry.pointers)


def _text_of(entry: Entry) -> str:
    return (
        f"{entry.topic} {' '.join(entry.tags)} {entry.id} {_pointer_names(entry)} {entry.summary}"
    )


@lru_cache(maxsize=8192)  # most entries are the same when an index was changed
def entry_stems(entry: Entry) -> dict[str, float]:
    """The stems of an entry, each with the weight of the best place it stands in."""
    weights: dict[str, float] = {}
    names = f"{entry.topic} {' '.join(entry.tags)} {entry.id.replace('-', ' ')}"
    for text, weight in (
        (names, TOPIC),
        (_pointer_names(entry), POINTER),
        (entry.summary, SUMMARY),
    ):
        for stem in stems(text):
            if not is_stop(stem) and weights.get(stem, 0.0) < weight:
                weights[stem] = weight
    return weights


_NOWHERE = frozenset((Status.MISSING_FILE, Status.OUTSIDE))


def silent(located: Located, strength: float, bands: Bands) -> Suppressed | None:
    """An entry that has faded too far to be heard (INDEX §6.2, decision D11)."""
    if band(strength, bands) is not Band.SILENT:
        return None
    reason = f"silent: strength {strength:.2f} is below {bands.silent:g}"
    return Suppressed(located.key, round(strength, 4), reason)


def gone(
    located: Located, strength: float, targets: Sequence[Resolved[Section]]
) -> Suppressed | None:
    """An entry of which nothing is left: ``targets`` are what its pointers lead to."""
    if any(one.status not in _NOWHERE for one in targets):
        return None
    pairs = zip(located.entry.pointers, targets, strict=True)
    missing = [str(pointer) for pointer, one in pairs if one.status is Status.MISSING_FILE]
    if not missing:
        return None
    others = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    reason = f"points at {missing[0]}{others}, which {'are' if others else 'is'} gone"
    return Suppressed(located.key, round(strength, 4), reason, "gone")


_ISO = len("2026-03-12")


def with_days(
    matches: Iterable[EntryMatch], index: Hierarchy, query: Query, library: Library
) -> tuple[EntryMatch, ...]:
    """``matches`` and the entries of the days asked for, best first: to be of them is half of what is asked for,
    and all of it where nothing else is."""
    found = {one.located.key: one for one in matches}
    if query.days:
        part = 0.5 if query.terms else 1.0
        files = library.cache.healing(lambda db: dict(_files(db, query.days)))
        for one in index.entries:
            if fits := _fits(one, files, query.days):
                words = found.get(one.key, EntryMatch(one, 0.0, frozenset()))
                score = part * fits + (1.0 - part) * words.score
                found[one.key] = words._replace(score=max(words.score, score))
    return tuple(sorted(found.values(), key=lambda one: (-one.score, one.located.key)))


def _files(db: sqlite3.Connection, days: Sequence[Days]) -> Iterator[tuple[str, float]]:
    """The files of one of ``days``, each with how well it fits; one noted a few days later is of none."""
    query = "SELECT path, first_day, last_day FROM files WHERE first_day <= ? AND last_day >= ?"
    for since, until in days:
        for path, first, last in db.execute(query, (until.toordinal(), since.toordinal())):
            yield restored(path), bonus(first, last, days)


def _fits(one: Located, files: dict[str, float], days: Sequence[Days]) -> float:
    """How well an entry fits, 0 to 1."""
    there = frozenset(stems(one.entry.topic))
    if any(_named(day, there) for each in days for day in mentions(each)):
        return ranking_weights.DAYS
    return max((files.get(pointer.path, 0.0) for pointer in one.entry.pointers), default=0.0)


def _named(day: str, there: frozenset[str]) -> bool:
    """Whether a topic of these stems names ``day``: ``03-12`` is that of any year, unless it says of which."""
    if day not in there:
        return False
    return len(day) != len("03-12") or not any(
        len(stem) == _ISO and stem.endswith(day) for stem in there
    )
