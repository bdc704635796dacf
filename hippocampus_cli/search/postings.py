"""Which passages hold a term: read from packed rows, ready to be counted by passage, section and file.

The ids of passages are given in the order of their lines, file by file, so the passages of a file, and those of a
section, are a range of ids. A row of the table has the passages of one term in one block of :data:`BLOCK` ids, four
bytes for each: its place in the block, ascending, and a *weight*, which packs how often the term stands there, in
which fields, and how long the passage is.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.workspace.file_table import restored

if TYPE_CHECKING:
    from hippocampus_cli.search.tables import Tables

    Packed = tuple[array[int], array[int]]
    """Places in a block, ascending, and the weight of each."""

BLOCK = 1 << 13  # so that an update writes little
_PLACE, _WEIGHT = 16, (1 << 16) - 1  # bits before a place, and what of them is a weight
_LOW, _HIGH = (0, 1) if sys.byteorder == "little" else (1, 0)  # halves of a number: weight, place
_MOST = 15  # times that are counted in one passage
HEAD, LABEL = 16, 32
"""Flags of a weight: the term stands in a heading or the path, in a label."""
_LENGTH = 8  # bits before the length
_STEP, _LONGEST = 2, 255  # the length counts in twos


class Totals(NamedTuple):
    """How much the whole store has; the averages that BM25 compares a text with."""

    files: int = 0
    passages: int = 0
    terms: int = 0

    def of_each(self, count: int) -> float:
        """Terms of one of so many on average, 1 at least."""
        return max(1.0, self.terms / max(1, count))


class Postings:
    """The passages of one term with their weights, block by block as they are stored: of a common word, which may
    stand in every passage, a question looks at few."""

    def __init__(self, blocks: Mapping[int, Packed]) -> None:
        self._blocks = blocks

    def __len__(self) -> int:
        return sum(len(places) for places, _ in self._blocks.values())

    def items(self) -> Iterator[tuple[int, int]]:
        """Each passage and its weight."""
        for block, (places, weights) in self._blocks.items():
            yield from zip(map((block * BLOCK).__add__, places), weights, strict=True)

    def get(self, passage: int) -> int:
        """The weight of a passage; 0 where it has not the term."""
        return self.among(range(passage, passage + 1)).get(passage, 0)

    def among(self, ids: range) -> Mapping[int, int]:
        """Those of these passages that hold the term, with their weights."""
        held: dict[int, int] = {}
        first, stop = ids.start, ids.stop
        for block in range(first // BLOCK, stop // BLOCK + 1):
            if block in self._blocks:
                start, (places, weights) = block * BLOCK, self._blocks[block]
                for number in range(bisect_left(places, first - start), len(places)):
                    if (passage := start + places[number]) >= stop:
                        break
                    held[passage] = weights[number]
        return held


def count_of(each: int) -> int:
    """How often the term of a weight stands in the passage's text."""
    return each & _MOST


class Saturation(dict[int, float]):
    """BM25's saturated count by weight, each worked out once: 0 to 2.2, and a part of that for a heading."""

    def __init__(self, totals: Totals, heading: float) -> None:
        self._average = totals.of_each(totals.passages)
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


def read_postings(db: Tables, keys: Sequence[Iterable[str]]) -> list[Postings]:
    """For each of ``keys``, which are forms of a term, the passages that hold any of these; all in one trip."""
    rows: defaultdict[str, list[tuple[int, bytes]]] = defaultdict(list)
    for term, block, data in db.postings(sorted({*chain.from_iterable(keys)})):
        rows[restored(term)].append((block, data))
    return [_merged(chain.from_iterable(rows[form] for form in key)) for key in keys]


def _merged(rows: Iterable[tuple[int, bytes]]) -> Postings:
    """The passages of some forms, each with its greatest weight."""
    blocks: dict[int, bytes] = {}
    for block, data in rows:
        if block in blocks:
            numbers = sorted(array("I", blocks[block] + data))
            data = array("I", {each >> _PLACE: each for each in numbers}.values()).tobytes()
        blocks[block] = data
    return Postings({block: _unpack(blocks[block]) for block in sorted(blocks)})


def _unpack(data: bytes) -> Packed:
    halves = array("H", data)
    return halves[_HIGH::2], halves[_LOW::2]


class Changes:
    """What a batch of files changes in the postings, gathered by block and term, and written at once."""

    def __init__(self) -> None:
        self._blocks: defaultdict[int, defaultdict[str, list[int]]] = defaultdict(
            lambda: defaultdict(list)
        )

    def add(self, passage: int, weights: Mapping[str, int]) -> None:
        """Take the terms of a new passage; ids ascend."""
        block, place = divmod(passage, BLOCK)
        terms = self._blocks[block]
        place <<= _PLACE
        for term, each in weights.items():
            terms[term].append(place | each)

    def remove(self, passage: int, words: Iterable[str]) -> None:
        """Take away a passage with these terms."""
        self.add(passage, dict.fromkeys(words, 0))

    def write(self, db: Tables) -> None:
        """Bring the table up to date."""
        for block, terms in sorted(self._blocks.items()):
            stored = db.block(block, sorted(terms))
            data = {term: _data(stored.get(term, b""), terms[term]) for term in terms}
            db.replace_block(block, stored, data)


def _data(stored: bytes, changes: Iterable[int]) -> bytes:
    """A row with these ``changes``: places that are new, after all others, and those without a weight, which are no
    longer there."""
    numbers = array("I", stored)
    for each in changes:
        if each & _WEIGHT:
            numbers.append(each)
        else:
            number = bisect_left(numbers, each)
            if number < len(numbers) and numbers[number] >> _PLACE == each >> _PLACE:
                del numbers[number]
    return numbers.tobytes()


def weights_of(body: Sequence[str], fields: Iterable[tuple[int, Iterable[str]]]) -> dict[str, int]:
    """The weight of each term of a passage: those of its ``body``, and those of each field by its flag."""
    length = min(len(body) // _STEP, _LONGEST) << _LENGTH
    found = {term: min(count, _MOST) | length for term, count in Counter(body).items()}
    for flag, names in fields:
        for term in names:
            found[term] = found.get(term, length) | flag
    return found
