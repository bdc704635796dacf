"""Which sections are worth a closer look: those with rare words of the query, of its days, or of its meaning."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING

from hippocampus_cli.search import ranking_weights
from hippocampus_cli.search.hits import Boosts, boosted_ids
from hippocampus_cli.search.query_parser import Query
from hippocampus_cli.search.query_terms import Lookup
from hippocampus_cli.text.dates import DayRange
from hippocampus_cli.text.tokenizer import day_stems

if TYPE_CHECKING:
    from hippocampus_cli.search.semantic import Asked

_FEW_FILES = 20
_SPELLED_OUT = 31  # days: a longer range is not looked for by the name of each of its days


def candidates(
    db: sqlite3.Connection,
    query: Query,
    lookup: Lookup,
    files: frozenset[int] | None,
    asked: Asked | None,
    boosts: Boosts | None = None,
) -> list[int]:
    """The ids of the sections worth ranking, of the files in ``files`` if that is given.

    With ``asked`` those are among them that mean what the question means, with ``boosts`` those that they lead to.
    """
    ids = _by_words(db, query, lookup, files)
    if asked is not None and not query.only_phrases:
        ids += _alike(db, asked, files)
    if boosts and not query.only_phrases:
        ids += boosted_ids(db, boosts, files)
    return list(dict.fromkeys(ids))


def _by_words(
    db: sqlite3.Connection, query: Query, lookup: Lookup, files: frozenset[int] | None
) -> list[int]:
    permitted, passages = "1", "passages"
    if files is not None:
        db.create_function("is_allowed", 1, files.__contains__)
        permitted = "is_allowed(s.file)"
        passages = "passages JOIN sections s ON s.id = passages.rowid"
    ids: list[int] = []
    if files is not None and len(files) <= _FEW_FILES:
        return _sections_in(db, files)
    for match, most in (
        (_match(query, lookup), ranking_weights.CANDIDATES),
        ("" if query.only_phrases else _either(lookup.related), ranking_weights.RELATED_CANDIDATES),
    ):
        if not match:
            continue
        # by the function and not by `rank`: that one is sorted whole before the limit is applied
        found = db.execute(
            f"SELECT passages.rowid FROM {passages} WHERE passages MATCH ? AND {permitted}"
            f" ORDER BY bm25(passages, {ranking_weights.TITLE}, {ranking_weights.PLACE}, 1.0) LIMIT ?",
            (match, most),
        )
        ids.extend(row[0] for row in found)
    if not query.only_phrases:
        for first, last in query.days:
            found = db.execute(
                "SELECT s.id FROM files JOIN sections s ON s.file = files.id"
                f" WHERE first_day <= ? AND last_day >= ? AND {permitted}"
                " ORDER BY first_day DESC, path, ordinal LIMIT ?",
                (
                    last.toordinal() + ranking_weights.NOTED_WITHIN,
                    first.toordinal(),
                    ranking_weights.DAY_CANDIDATES,
                ),
            )
            ids.extend(row[0] for row in found)
    return ids


def _alike(db: sqlite3.Connection, asked: Asked, files: frozenset[int] | None) -> list[int]:
    """The ids of sections that may hold no word of the question, and mean what it means."""
    near = asked.near(db, ranking_weights.ALIKE_CANDIDATES)
    if files is None or not near:
        return near
    rows = db.execute(f"SELECT id, file FROM sections WHERE id IN ({','.join(map(str, near))})")
    permitted = {key for key, file in rows if file in files}
    return [key for key in near if key in permitted]


def _sections_in(db: sqlite3.Connection, files: Iterable[int]) -> list[int]:
    """All sections of a few files: ranking them is cheaper than choosing among them."""
    rows = (db.execute("SELECT id FROM sections WHERE file = ?", (file,)) for file in sorted(files))
    return [row[0] for found in rows for row in found]


def _match(query: Query, lookup: Lookup) -> str:
    """The FTS5 expression, in which every stem is quoted; empty if there is nothing to look for."""
    rare = [stem for stem in lookup.values if stem not in lookup.common]
    terms = rare or list(lookup.values)
    terms += [stem for days in query.days for stem in mentions(days)]
    phrases = [_quoted(" ".join(phrase)) for phrase in query.phrases]
    either = " OR ".join([*phrases, *map(_quoted, dict.fromkeys(terms))])
    if query.only_phrases:
        return " AND ".join([*phrases, f"({either})"])
    return either


def _either(stems: Iterable[str]) -> str:
    return " OR ".join(map(_quoted, stems))


def _quoted(stems: str) -> str:
    return '"' + stems.replace('"', '""') + '"'


def mentions(days: DayRange) -> list[str]:
    """The stems by which a text names one of ``days``."""
    first, last = days
    if first == last:
        iso, _, any_year = day_stems(first)
        return [iso, any_year]
    length = (last - first).days + 1
    if first.day == 1 and (last + timedelta(1)).day == 1 and length <= _SPELLED_OUT:
        return [day_stems(first)[1]]
    if length > _SPELLED_OUT:
        return []
    return [day_stems(first + timedelta(at))[0] for at in range(length)]
