"""How common each word is in the workspace, and what a word that is not there was meant to be."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from math import log

from hippocampus_cli.light import NamedTuple
from hippocampus_cli.search.schema import Connection
from hippocampus_cli.search.tokens import is_stop

_SHORTEST = 4  # characters of a beginning that is completed; a misspelt word needs one more
_CUT_OFF = 80.0  # rapidfuzz ratio: one wrong letter, or two swapped, in six
_CUT_OFF_SHORT = 85.0  # in a word of five letters: one too many or too few
_CLOSE = 5.0  # what may be worse than the best by this much is offered too
_MOST = 3
_AT_ONCE = 500  # words in one statement; older SQLite takes no more than 999


class Frequency(NamedTuple):
    """In how many sections a stem stands, and how many times in all; both 0 if nowhere."""

    sections: int = 0
    times: int = 0


def frequencies(db: sqlite3.Connection, stems: Iterable[str]) -> dict[str, Frequency]:
    """How common each of ``stems`` is."""
    wanted = list(dict.fromkeys(stems))
    known = db.kept() if isinstance(db, Connection) else {}
    missing = [stem for stem in wanted if stem not in known]
    for at in range(0, len(missing), _AT_ONCE):  # counting a common word takes a millisecond
        known.update(_counted(db, missing[at : at + _AT_ONCE]))
    return {stem: known[stem] for stem in wanted}


def _counted(db: sqlite3.Connection, stems: Sequence[str]) -> dict[str, Frequency]:
    """How common these are, asked at once: opening the vocabulary takes longer than to find a word in it."""
    query = "SELECT term, doc, cnt FROM vocabulary WHERE term IN"
    rows = db.execute(f"{query} ({','.join('?' * len(stems))})", tuple(stems))
    return dict.fromkeys(stems, Frequency()) | {term: Frequency(*row) for term, *row in rows}


def idf(units: int, times: int) -> float:
    """How much a stem says that stands ``times`` in a workspace of ``units``, and never nothing."""
    return log(1.0 + (max(units - times, 0) + 0.5) / (times + 0.5))


def corrected(db: sqlite3.Connection, stem: str) -> list[str]:
    """The words of the workspace nearest to ``stem``, which is none of them; best first."""
    if len(stem) < _SHORTEST or not stem.isalpha() or not stem.isascii():
        return []
    known = db.kept() if isinstance(db, Connection) else {}
    key = ("corrected", stem)
    if key not in known:
        known[key] = _without_umlauts(db, stem) or _begun_by(db, stem) or _near(db, stem)
    return list(known[key])


def _without_umlauts(db: sqlite3.Connection, stem: str) -> list[str]:
    """``muller`` for ``mueller``: stems have lost their dots, and who types has no ``ü``."""
    plain = re.sub("(?<=[aou])e", "", stem)
    known = plain != stem and frequencies(db, [plain])[plain].times
    return [plain] if known else []


def _begun_by(db: sqlite3.Connection, stem: str) -> list[str]:
    query = "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?"
    rows = db.execute(query, (stem, stem + "\x7f")).fetchall()
    return [term for term, _ in sorted(rows, key=lambda row: (-row[1], row[0]))[:_MOST]]


def _near(db: sqlite3.Connection, stem: str) -> list[str]:
    slack = max(1, len(stem) // 4)
    docs: dict[str, int] = {}
    # a person hardly ever gets the first letter wrong, but may swap it with the second
    for begin in (stem[0], stem[1] + stem[0]):
        for term, doc in _beginning(db, begin):
            if abs(len(term) - len(stem)) <= slack and term.isalpha() and not is_stop(term):
                docs[term] = doc
    short = len(stem) <= _SHORTEST + 1
    if short and (swapped := [term for term in docs if _is_swapped(term, stem)]):
        return sorted(swapped, key=lambda term: (-docs[term], term))[:_MOST]
    if len(stem) <= _SHORTEST:
        return []
    from rapidfuzz import fuzz, process

    cut_off = _CUT_OFF_SHORT if short else _CUT_OFF
    found = process.extract(stem, list(docs), scorer=fuzz.ratio, score_cutoff=cut_off, limit=10)
    best = max((score for _, score, _ in found), default=0.0)
    close = [(-score, -docs[term], term) for term, score, _ in found if score >= best - _CLOSE]
    return [term for _, _, term in sorted(close)[:_MOST]]


def _beginning(db: sqlite3.Connection, begin: str) -> list[tuple[str, int]]:
    """The words that begin so, each with the number of its sections: a tenth of a vocabulary takes long to count."""
    known = db.kept() if isinstance(db, Connection) else {}
    key = ("beginning", begin)
    if key not in known:
        query = "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?"
        last = begin[:-1] + chr(ord(begin[-1]) + 1)
        known[key] = db.execute(query, (begin, last)).fetchall()
    found: list[tuple[str, int]] = known[key]
    return found


def _is_swapped(one: str, other: str) -> bool:
    """Whether two words are the same but for two letters next to each other in the other order."""
    differ = [at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b]
    if len(one) != len(other) or len(differ) != 2 or differ[1] != differ[0] + 1:
        return False
    first = differ[0]
    return one[first] == other[first + 1] and one[first + 1] == other[first]
