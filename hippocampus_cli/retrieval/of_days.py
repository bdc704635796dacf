"""Entries of the days that a query asks for: their notes are of them, or their topics name them.

Only the strict path needs this: where the text is searched too, search knows the days of notes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.retrieval.matching import EntryMatch
from hippocampus_cli.search import weights
from hippocampus_cli.search.candidates import mentions
from hippocampus_cli.search.fitting import bonus
from hippocampus_cli.search.library import Library
from hippocampus_cli.search.parse import Query
from hippocampus_cli.search.rows import restored
from hippocampus_cli.search.spans import Days
from hippocampus_cli.search.tokens import stems

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
        return weights.DAYS
    return max((files.get(pointer.path, 0.0) for pointer in one.entry.pointers), default=0.0)


def _named(day: str, there: frozenset[str]) -> bool:
    """Whether a topic of these stems names ``day``: ``03-12`` is that of any year, unless it says of which."""
    if day not in there:
        return False
    return len(day) != len("03-12") or not any(
        len(stem) == _ISO and stem.endswith(day) for stem in there
    )
