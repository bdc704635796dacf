"""How common each word is in the workspace, and what a word that is not there was meant to be."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from math import log

from hippocampus_cli.light import NamedTuple
from hippocampus_cli.search.tokens import is_stop

_SHORTEST = 4  # characters of a beginning that is completed; a misspelt word needs one more
_CUT_OFF = 80.0  # rapidfuzz ratio: one wrong letter, or two swapped, in six
_CUT_OFF_SHORT = 85.0  # in a word of five letters: one too many or too few
_CLOSE = 5.0  # what may be worse than the best by this much is offered too
_MOST = 3


class Frequency(NamedTuple):
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
    return _begun_by(db, stem) or (_near(db, stem) if len(stem) > _SHORTEST else [])


def _begun_by(db: sqlite3.Connection, stem: str) -> list[str]:
    query = "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?"
    rows = db.execute(query, (stem, stem + "\x7f")).fetchall()
    return [term for term, _ in sorted(rows, key=lambda row: (-row[1], row[0]))[:_MOST]]


def _near(db: sqlite3.Connection, stem: str) -> list[str]:
    from rapidfuzz import fuzz, process

    slack = max(1, len(stem) // 4)
    docs: dict[str, int] = {}
    query = "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?"
    # a person hardly ever gets the first letter wrong, but may swap it with the second
    for begin in (stem[0], stem[1] + stem[0]):
        for term, doc in db.execute(query, (begin, begin[:-1] + chr(ord(begin[-1]) + 1))):
            if abs(len(term) - len(stem)) <= slack and term.isalpha() and not is_stop(term):
                docs[term] = doc
    cut_off = _CUT_OFF if len(stem) > _SHORTEST + 1 else _CUT_OFF_SHORT
    found = process.extract(stem, list(docs), scorer=fuzz.ratio, score_cutoff=cut_off, limit=10)
    best = max((score for _, score, _ in found), default=0.0)
    close = [(-score, -docs[term], term) for term, score, _ in found if score >= best - _CLOSE]
    return [term for _, _, term in sorted(close)[:_MOST]]
