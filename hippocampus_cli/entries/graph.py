"""What ties entries to each other: relations, links between their notes, use in one sitting (INDEX §9.3).

It is made from the index, the notes and the journal when somebody asks: nothing of it can be out of date.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from hippocampus_cli.entries.passages import Passage, section_passage, whole
from hippocampus_cli.entries.relations import linked
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.workspace.kinds import kind_of
from hippocampus_cli.workspace.resolve import Notes, Status

DEEPEST = 3
_RELATION, _LINK = 0.9, 0.8

Pair = tuple[str, str]


class Edge(NamedTuple):
    """A tie between two entries, 0 to 1 strong.

    ``kind`` is ``relation`` (``rel`` of one of them), ``link`` (in their notes) or ``answered`` (used in one sitting;
    ``why`` says in how many).
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


def related(
    index: Hierarchy, edges: Iterable[Edge], starts: Sequence[str], depth: int = 2
) -> list[RelatedEntry]:
    """What ways of at most ``depth`` edges lead to from any of ``starts``, the strongest first."""
    ties: dict[str, list[tuple[str, Edge]]] = defaultdict(list)
    for edge in edges:
        ties[edge.source].append((edge.target, edge))
        ties[edge.target].append((edge.source, edge))
    best: dict[str, RelatedEntry] = {}
    reached = dict.fromkeys(starts, 1.0)
    for step in range(1, depth + 1):
        further: dict[str, float] = {}
        for via, before in sorted(reached.items()):
            for key, edge in ties[via]:
                strength = before * edge.strength
                known = best.get(key)
                if key in starts or (known and known.strength >= strength):
                    continue
                best[key] = _found(index.by_key[key], edge, strength, step, via)
                further[key] = strength
        reached = further
    return sorted(best.values(), key=lambda entry: (-entry.strength, entry.depth, entry.entry))


def _found(located: Located, edge: Edge, strength: float, depth: int, via: str) -> RelatedEntry:
    entry = located.entry
    pointer = str(entry.pointers[0]) if entry.pointers else None
    kind, why = edge.kind, edge.why
    return RelatedEntry(
        located.key, entry.topic, pointer, kind, round(strength, 4), why, depth, via
    )


def edges_of(index: Hierarchy, notes: Notes, together: Mapping[Pair, int]) -> Iterator[Edge]:
    """The ties of an index; ``together`` says in how many sittings two entries were used."""
    for located in index.entries:
        for other in located.entry.rel:
            found = index.find(other)
            if found is not None and found.key != located.key and found.key in index.by_key:
                yield Edge(located.key, found.key, "relation", _RELATION)
    passages = _passages(index, notes)
    keys = [key for key, _ in passages]
    for pair in linked([passage for _, passage in passages]):
        source, target = (keys[number] for number in pair)
        if source != target:
            yield Edge(source, target, "link", _LINK)
    for (first, second), count in together.items():
        yield Edge(first, second, "answered", round(count / (count + 2), 4), f"{count}×")


def _passages(index: Hierarchy, notes: Notes) -> list[tuple[str, Passage]]:
    """What each entry points at, as far as it can be read."""
    found = []
    for located in index.entries:
        for pointer in located.entry.pointers:
            place = notes.follow(pointer)
            note = notes.note(place.path) if place.status is Status.OK else None
            if note is None:
                continue
            about = note, kind_of(place.path), date.min
            section = place.section
            passage = section_passage(*about, section) if section else whole(*about)
            found.append((located.key, passage))
    return found
