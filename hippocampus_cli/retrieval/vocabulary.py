"""How common each word is in the workspace, and what a word that is not there was meant to be."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from math import log

_SHORTEST = 4  # characters of a word that can be misspelt and still be recognised
_CUT_OFF = 80.0  # rapidfuzz ratio: one swapped or wrong letter in five or six
_CLOSE = 5.0  # what may be worse than the best by this much is offered too
_MOST = 3


@dataclass(frozen=True, slots=True)
class Frequency:
    """In how many sections a stem stands, and how many times in all; both 0 if nowhere."""

    sections: int = 0
    times: int = 0


def frequencies(db: sqlite3.Connection, stems: Iterable[str]) -> dict[str, Frequency]:
    """How common each of ``stems`` is."""
    query = "SELECT doc, cnt FROM vocabulary WHERE term = ?"
    return {
        stem: Frequency(*row) if (row := db.execute(query, (stem,)).fetchone()) else Frequency()
        for stem in dict.fromkeys(stems)
    }


def idf(units: int, times: int) -> float:
    """How much a stem says that stands ``times`` in a workspace of ``units``: never negative."""
    return log(1.0 + max(units - times + 0.5, 0.0) / (times + 0.5))


def corrected(db: sqlite3.Connection, stem: str) -> list[str]:
    """The words of the workspace nearest to ``stem``, which is none of them; best first."""
    if len(stem) < _SHORTEST or not stem.isalpha() or not stem.isascii():
        return []
    longer = _begun_by(db, stem)
    return longer or _near(db, stem)


def _begun_by(db: sqlite3.Connection, stem: str) -> list[str]:
    query = "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?"
    rows = db.execute(query, (stem, stem + "\x7f")).fetchall()
    return [term for term, _ in sorted(rows, key=lambda row: (-row[1], row[0]))[:_MOST]]


def _near(db: sqlite3.Connection, stem: str) -> list[str]:
    from rapidfuzz import fuzz, process

    slack = max(1, len(stem) // 4)
    docs: dict[str, int] = {}
    for first in sorted({stem[0], stem[1]}):  # the first two letters are hardly ever both wrong
        query = "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?"
        for term, doc in db.execute(query, (first, chr(ord(first) + 1))):
            if abs(len(term) - len(stem)) <= slack and term.isalpha():
                docs[term] = doc
    found = process.extract(stem, list(docs), scorer=fuzz.ratio, score_cutoff=_CUT_OFF, limit=10)
    best = max((score for _, score, _ in found), default=0.0)
    close = [(-score, -docs[term], term) for term, score, _ in found if score >= best - _CLOSE]
    return [term for _, _, term in sorted(close)[:_MOST]]
