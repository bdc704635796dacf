"""The knowledge graph of an index: entries, and typed edges between them, asked by a recursive query (INDEX §9.3).

It is made from the index, the notes and the journal when somebody asks, in memory: no file of it can be out of date.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from hippocampus_cli.entries.passages import Passage, section_passage, whole
from hippocampus_cli.entries.relations import linked
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.text.words import bare, words
from hippocampus_cli.workspace.database import connect
from hippocampus_cli.workspace.kinds import kind_of
from hippocampus_cli.workspace.resolve import Notes, Status

if TYPE_CHECKING:
    pass

DEEPEST = 3
_RELATION, _LINK = 0.9, 0.8
_SHARED_BY = 8  # entries: a tag on more of them ties none together
_TAGS_AT_MOST = 0.8  # however many are shared
_NAMED_BY = 40  # entries: who is named in more of them leads everywhere
_FAINT = 0.05  # a way weaker than this ends

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Edge:
    """A tie between two entries, 0 to 1 strong; ``why`` is the tags, the name, in how many sittings.

    ``kind`` is ``relation`` (``rel`` of the source), ``link`` (in their notes), ``answered`` (used in one sitting),
    ``person`` (the source is about somebody whom the target names) or ``tag``.
    """

    source: str
    target: str
    kind: str
    strength: float
    why: str = ""


@dataclass(frozen=True, slots=True)
class RelatedEntry:
    """An entry that a way leads to: by an edge of ``kind`` from ``via``; ``strength`` is that of the whole way.

    ``depth`` is its number of edges. Public: the field names are the keys of ``--json``.
    """

    entry: str
    topic: str
    pointer: str | None
    kind: str
    strength: float
    why: str
    depth: int
    via: str


_TABLES = """
CREATE TABLE entries(id TEXT PRIMARY KEY, topic TEXT NOT NULL, pointer TEXT) WITHOUT ROWID;
CREATE TABLE edges(source TEXT NOT NULL, target TEXT NOT NULL, kind TEXT NOT NULL, strength REAL NOT NULL, why TEXT);
CREATE INDEX edges_by_source ON edges(source);
"""
_WALK = """
WITH RECURSIVE walk(entry, depth, strength, kind, why, via) AS (
    SELECT value, 0, 1.0, '', '', '' FROM json_each(:starts)
    UNION
    SELECT edges.target, walk.depth + 1, walk.strength * edges.strength, edges.kind, edges.why, walk.entry
    FROM walk JOIN edges ON edges.source = walk.entry
    WHERE walk.depth < :depth AND walk.strength * edges.strength >= :faint)
SELECT entry, topic, pointer, kind, max(strength), why, depth, via FROM walk JOIN entries ON id = entry
WHERE entry NOT IN (SELECT value FROM json_each(:starts))
GROUP BY entry ORDER BY max(strength) DESC, depth, entry
"""


class Graph:
    """Entries and what ties them."""

    def __init__(self, entries: Sequence[Located], edges: Iterable[Edge]) -> None:
        self.entries = entries
        self.edges = sorted(edges, key=lambda one: (one.source, one.target, one.kind))

    def related(self, starts: Sequence[str], depth: int = 2) -> list[RelatedEntry]:
        """What ways of at most ``depth`` edges lead to from any of ``starts``, the strongest first."""
        with closing(connect(":memory:")) as db:
            db.executescript(_TABLES)
            db.executemany("INSERT INTO entries VALUES(?, ?, ?)", map(_node, self.entries))
            both = (ends for edge in self.edges for ends in _both_ways(edge))
            db.executemany("INSERT INTO edges VALUES(?, ?, ?, ?, ?)", both)
            begun = json.dumps(list(map(_plain, starts)))
            asked = {"starts": begun, "depth": depth, "faint": _FAINT}
            rows = db.execute(_WALK, asked).fetchall()
        return [
            RelatedEntry(entry, topic, pointer, kind, round(strength, 4), why, edges, via)
            for entry, topic, pointer, kind, strength, why, edges, via in rows
        ]


def _plain(text: str) -> str:
    """What a database can hold: no bytes that are no text; two different texts stay different."""
    return safe_line(text.encode("utf-8", "backslashreplace").decode())


def _node(located: Located) -> tuple[str, str, str | None]:
    pointers = located.entry.pointers
    return (
        _plain(located.key),
        _plain(located.entry.topic),
        _plain(str(pointers[0])) if pointers else None,
    )


def _both_ways(edge: Edge) -> Iterator[tuple[str, str, str, float, str]]:
    for ends in ((edge.source, edge.target), (edge.target, edge.source)):
        yield _plain(ends[0]), _plain(ends[1]), edge.kind, edge.strength, edge.why


def graph_of(index: Hierarchy, notes: Notes, together: Mapping[Pair, int]) -> Graph:
    """The graph of an index; ``together`` says in how many sittings two entries were used."""
    return Graph(index.entries, _Ties(index, notes, together).all())


class _Ties:
    def __init__(self, index: Hierarchy, notes: Notes, together: Mapping[Pair, int]) -> None:
        self.index, self.notes, self.together = index, notes, together

    def all(self) -> Iterator[Edge]:
        yield from self._relations()
        yield from self._tags()
        yield from self._links()
        yield from self._people()
        for (one, other), count in self.together.items():
            yield Edge(one, other, "answered", round(count / (count + 2), 4), f"{count}×")

    def _relations(self) -> Iterator[Edge]:
        for one in self.index.entries:
            for other in one.entry.rel:
                found = self.index.find(other)
                if found is not None and found.key != one.key and found.key in self.index.by_key:
                    yield Edge(one.key, found.key, "relation", _RELATION)

    def _tags(self) -> Iterator[Edge]:
        holders: dict[str, list[str]] = defaultdict(list)
        for one in self.index.entries:
            for tag in sorted({tag.casefold() for tag in one.entry.tags}):
                holders[tag].append(one.key)
        shared: dict[Pair, list[str]] = defaultdict(list)
        for tag, keys in sorted(holders.items()):
            if 1 < len(keys) <= _SHARED_BY:
                for pair in combinations(sorted(keys), 2):
                    shared[pair].append(tag)
        for pair, tags in shared.items():
            strength = min(_TAGS_AT_MOST, sum(1 / len(holders[tag]) for tag in tags))
            yield Edge(*pair, "tag", round(strength, 4), safe_line(", ".join(tags)))

    @cached_property
    def _passages(self) -> list[tuple[str, Passage]]:
        """What each entry points at, as far as it can be read."""
        found = []
        for one in self.index.entries:
            for pointer in one.entry.pointers:
                place = self.notes.follow(pointer)
                note = self.notes.note(place.path) if place.status is Status.OK else None
                if note is not None:
                    about = note, kind_of(place.path), date.min
                    section = place.section
                    passage = section_passage(*about, section) if section else whole(*about)
                    found.append((one.key, passage))
        return found

    def _links(self) -> Iterator[Edge]:
        keys = [key for key, _ in self._passages]
        pairs = {
            (keys[one], keys[other])
            for one, other in linked([passage for _, passage in self._passages])
        }
        yield from (Edge(*pair, "link", _LINK) for pair in sorted(pairs) if pair[0] != pair[1])

    def _people(self) -> Iterator[Edge]:
        """From an entry about people to those that name them. A name is never written without a capital."""
        heads: dict[str, set[str]] = {}
        written: dict[str, set[str]] = defaultdict(set)
        people = {one.key for one in self.index.entries if "People" in one.section}
        for key, passage in self._passages if people else ():
            titles = words("\n".join((passage.title, *passage.subtitles)))
            if key in people:
                tags = self.index.by_key[key].entry.tags
                heads[key] = {*map(bare, (*titles, *tags)), *heads.get(key, ())}
            for word in {*words(passage.body), *titles}:
                written[word].add(key)
        named: dict[str, set[str]] = defaultdict(set)
        common: set[str] = set()
        for word, keys in written.items():
            if word[:1].isupper():
                named[bare(word)] |= keys
            else:
                common.add(bare(word))
        for key, names in sorted(heads.items()):
            for name in sorted(names - common):
                others = named.get(name, set()) - {key}
                if len(name) > 2 and 0 < len(others) <= _NAMED_BY:
                    strength = round(0.7 / len(others) ** 0.25, 4)
                    for other in sorted(others):
                        yield Edge(key, other, "person", strength, safe_line(name))
