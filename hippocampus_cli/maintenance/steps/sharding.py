"""Keeping the master small: what is least used is in topic files (INDEX §9.2, decisions D12, D30)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from hippocampus_cli.entries.worth import worths
from hippocampus_cli.index.document import MASTER, Located
from hippocampus_cli.index.edit import SectionPath
from hippocampus_cli.index.hierarchy import Hierarchy, topic_file
from hippocampus_cli.index.metadata import RISING_PRIORITIES, Source
from hippocampus_cli.maintenance.actions import Action, Kind, Planned, carried_out
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.markdown.tokens import tokens

_SLACK = 60  # tokens that headings and the lists' figures may add
_FULL = 0.97
"""Of its budget, what the master may hold after a cycle: the questions of a day add to the entries that they use."""
_AHEAD = 2
"""How many hits more an entry of a topic file must have than one of the master to take its place; with fewer, Quick
Access is enough."""


def shard(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """The entries of least use and worth moved out if the master is full, until it holds what it may once there are
    topic files."""
    sizes, held = snapshot.config.index, tokens(index.master.text)
    budget = index.budget(sizes)
    if held <= _FULL * budget:
        return Planned(index)
    excess = held + _SLACK - _FULL * min(sizes.sharded_tokens, sizes.max_tokens)
    why = f"no room for it in {budget:,} tokens"
    moves: list[Action] = []
    for located in _movable(index, snapshot):
        if excess > 0:
            moves.append(_to_topic(located, why))
            excess -= _size(located)
    return _moved(index, moves)


def promote(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Entries of topic files that are used return, for room or for what is used clearly less (D30)."""
    clock = snapshot.clock(index)
    room = _FULL * index.budget(snapshot.config.index) - tokens(index.master.text) - _SLACK
    least = _movable(index, snapshot)
    used = [
        located
        for located in index.entries
        if located.file != MASTER
        and located.entry.hits >= _AHEAD
        and clock.strength(located.entry) >= snapshot.config.bands.weak
        and snapshot.may(Kind.PROMOTE, located)
    ]
    moves: list[Action] = []
    for located in sorted(used, key=lambda one: (-one.entry.hits, one.key)):
        less = [other for other in least if other.entry.hits + _AHEAD <= located.entry.hits]
        leaving: list[Located] = []
        while room + sum(map(_size, leaving)) < _size(located) and len(leaving) < len(less):
            leaving.append(less[len(leaving)])
        room += sum(map(_size, leaving)) - _size(located)
        if room < 0:
            break
        least = least[len(leaving) :]
        moves += (_to_topic(other, "made room for what is used more") for other in leaving)
        reason = f"used {located.entry.hits:,} times"
        moves.append(Action(Kind.PROMOTE, located.key, reason, located.file, MASTER))
    return _moved(index, moves)


def _to_topic(one: Located, why: str) -> Action:
    return Action(Kind.SHARD, one.key, why, MASTER, topic_file(one.section))


def _moved(index: Hierarchy, moves: Sequence[Action]) -> Planned:
    """Each entry in the file that its action names, in the same section there, in file order."""

    def apply(index: Hierarchy, moves: Sequence[Action]) -> Hierarchy:
        places: dict[tuple[str, SectionPath], list[str]] = defaultdict(list)
        for move in moves:
            places[move.after, index.by_key[move.key].section].append(move.key)
        return index.moved_to(places)

    ordered = sorted(moves, key=lambda one: (one.kind is Kind.PROMOTE, index.by_key[one.key].node))
    return carried_out(index, ordered, apply)


def _movable(index: Hierarchy, snapshot: Snapshot) -> list[Located]:
    """The master's entries that may move out, the least useful first: what is kept on purpose goes last, what is used
    stays, and sections go before notes (D30, D31)."""
    worth = worths(index, snapshot.today)
    found = [
        located
        for located in index.entries
        if located.file == MASTER and snapshot.may(Kind.SHARD, located)
    ]

    def usefulness(located: Located) -> tuple[object, ...]:
        entry = located.entry
        of_section = any(pointer.section for pointer in entry.pointers)
        return (
            RISING_PRIORITIES.index(entry.pri) // 2,
            entry.hits,
            not (entry.src is Source.AUTO and of_section),
            round(worth[located.key], 4),
            located.key,
        )

    return sorted(found, key=usefulness)


def _size(one: Located) -> int:
    return tokens(one.entry.raw)
