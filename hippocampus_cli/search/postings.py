"""Which passages hold a term: read from packed rows, ready to be counted by passage, section and file.

The ids of passages are given in the order of their lines, file by file, so the passages of a file, and those of a
section, are a range of ids. A row of the table has the passages of one term in one block of :data:`BLOCK` ids: their
places in the block, ascending, then for each of them a *weight*, which packs how often the term stands there, in
which fields, and how long the passage is.
"""

from __future__ import annotations

import sqlite3
import zlib
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

BLOCK = 1 << 16
_CHECK = 4  # bytes of a row's checksum
_MOST = 15  # times that are counted in one passage
HEAD, LABEL = 16, 32
"""Flags of a weight: the term stands in a heading or the path, in a label."""
_LENGTH = 8  # bits before the length
_STEP, _LONGEST = 2, 255  # the length counts in twos


def weight(count: int, flags: int, length: int) -> int:
    """A passage's weight for a term."""
    return min(count, _MOST) | flags | min(length // _STEP, _LONGEST) << _LENGTH


class Postings:
    """The passages of one term: ascending ``ids`` and their ``weights``; ``held`` has the weights by id."""

    def __init__(self, ids: Sequence[int], weights: Sequence[int]) -> None:
        self.ids = ids
        self.weights = weights
        self.held = dict(zip(ids, weights, strict=True))

    def count(self, first: int, last: int) -> int:
        """How often the term stands in the passages ``first`` to ``last``; -1 for in their headings only."""
        begin = bisect_left(self.ids, first)
        if begin == len(self.ids) or self.ids[begin] > last:
            return 0
        end = bisect_left(self.ids, last + 1, begin)
        return sum([each & _MOST for each in self.weights[begin:end]]) or -1


def count_of(each: int) -> int:
    """How often the term of a weight stands in the passage's text."""
    return each & _MOST


class Saturation(dict[int, float]):
    """BM25's saturated count by weight, each worked out once: 0 to 2.2, and a part of that for a heading."""

    def __init__(self, average: float, heading: float) -> None:
        self._average = max(1.0, average)
        self._heading = heading

    def __missing__(self, each: int) -> float:
        length = (each >> _LENGTH) * _STEP
        count = each & _MOST
        value = saturated(count, length / self._average)
        value += self._heading * bool(each & HEAD)
        self[each] = value
        return value


def saturated(count: float, length: float) -> float:
    """BM25's count of a term in a text of this ``length`` in averages."""
    return count * 2.2 / (count + 1.2 * (0.4 + 0.6 * length)) if count else 0.0


def read_postings(db: sqlite3.Connection, forms: Iterable[str]) -> Postings:
    """The passages that hold any of ``forms``."""
    rows = [_read(db, form) for form in forms]
    found = [row for row in rows if row[0]]
    if len(found) == 1:
        return Postings(found[0][0].tolist(), found[0][1].tolist())
    merged: dict[int, int] = {}
    for ids, weights in found:
        for passage, each in zip(ids, weights, strict=True):
            merged[passage] = max(each, merged.get(passage, 0))
    keys = sorted(merged)
    return Postings(keys, [merged[key] for key in keys])


def _read(db: sqlite3.Connection, term: str) -> tuple[array[int], array[int]]:
    query = "SELECT block, data FROM postings WHERE term = ? ORDER BY block"
    ids, weights = array("I"), array("H")
    for block, data in db.execute(query, (term,)):
        places, values = _unpack(data)
        base = block * BLOCK
        ids.extend(array("I", [base + place for place in places] if base else places))
        weights.extend(values)
    return ids, weights


def _unpack(data: bytes) -> tuple[array[int], array[int]]:
    places, values = array("H"), array("H")
    middle = (len(data) - _CHECK) // 2
    places.frombytes(data[:middle])
    values.frombytes(data[middle : 2 * middle])
    return places, values


def checked_length(row: tuple[str, int, bytes]) -> int:
    """How many passages a row has. Raises :class:`sqlite3.DatabaseError` where it is not as it was written."""
    term, block, data = row
    if data != _packed(term, block, data[:-_CHECK]):
        raise sqlite3.DatabaseError("its postings are not what was written")
    return (len(data) - _CHECK) // 4


def _packed(term: str, block: int, data: bytes) -> bytes:
    """``data`` with a checksum."""
    return data + zlib.crc32(f"{term} {block}".encode(), zlib.crc32(data)).to_bytes(_CHECK, "big")


class Changes:
    """What a batch of files changes in the postings, gathered by term and block, and written at once."""

    def __init__(self) -> None:
        self._added: dict[tuple[str, int], list[tuple[int, int]]] = {}
        self._removed: dict[tuple[str, int], set[int]] = {}

    def add(self, passage: int, weights: Mapping[str, int]) -> None:
        """Take the terms of a new passage; ids ascend."""
        block, place = divmod(passage, BLOCK)
        added = self._added
        for term, each in weights.items():
            added.setdefault((term, block), []).append((place, each))

    def remove(self, passage: int, terms: Iterable[str]) -> None:
        """Take away a passage."""
        block, place = divmod(passage, BLOCK)
        for term in terms:
            self._removed.setdefault((term, block), set()).add(place)

    def write(self, db: sqlite3.Connection) -> None:
        """Bring the table up to date."""
        keys = sorted(self._added.keys() | self._removed.keys())
        rows = [(*key, self._data(db, key)) for key in keys]
        gone = [row[:2] for row in rows if not row[2]]
        db.executemany("DELETE FROM postings WHERE term = ? AND block = ?", gone)
        kept = (row for row in rows if row[2])
        db.executemany("INSERT OR REPLACE INTO postings VALUES(?, ?, ?)", kept)

    def _data(self, db: sqlite3.Connection, key: tuple[str, int]) -> bytes:
        query = "SELECT data FROM postings WHERE term = ? AND block = ?"
        row = db.execute(query, key).fetchone()
        found: Iterable[tuple[int, int]] = ()
        if row is not None:
            removed = self._removed.get(key, set())
            found = (pair for pair in zip(*_unpack(row[0]), strict=True) if pair[0] not in removed)
        pairs = [*found, *self._added.get(key, ())]
        if not pairs:
            return b""
        places, values = zip(*pairs, strict=True)
        return _packed(*key, array("H", places).tobytes() + array("H", values).tobytes())


def weights_of(body: Sequence[str], fields: Iterable[tuple[int, Iterable[str]]]) -> dict[str, int]:
    """The weight of each term of a passage: those of its ``body``, and those of each field by its flag."""
    counts = Counter(body)
    flags: dict[str, int] = {}
    for flag, names in fields:
        for term in names:
            flags[term] = flags.get(term, 0) | flag
    length = len(body)
    found = {term: weight(count, flags.pop(term, 0), length) for term, count in counts.items()}
    return found | {term: weight(0, flag, length) for term, flag in flags.items()}


def known_like(db: sqlite3.Connection, first: str) -> Iterator[str]:
    """The terms of the notes that begin with ``first``."""
    query = "SELECT DISTINCT term FROM postings WHERE term >= ? AND term < ?"
    for (term,) in db.execute(query, (first, first + "\U0010ffff")):
        yield term
