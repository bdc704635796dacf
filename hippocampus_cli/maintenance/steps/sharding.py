"""Keeping the master small: the weakest entries are in topic files (INDEX §9.2, decision D12)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from hippocampus_cli.index.document import MASTER, Located
from hippocampus_cli.index.edit import SectionPath
from hippocampus_cli.index.hierarchy import Hierarchy, topic_file
from hippocampus_cli.index.metadata import RISING_PRIORITIES
from hippocampus_cli.maintenance.actions import Action, Kind, Planned, carried_out
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.markdown.tokens import tokens

_SLACK = 60  # tokens that headings and the lists' figures may add
_AHEAD = 0.2
"""By how much an entry of a topic file must be stronger than one of the master to take its place."""


def shard(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Weekly: what is above the budget."""
    return _within(index, snapshot, index.budget(snapshot.config.index))


def shard_overflow(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Daily: only what ``index.max_tokens`` does not hold."""
    return _within(index, snapshot, snapshot.config.index.max_tokens)


def promote(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Entries of topic files that grew strong return, for room or for clearly weaker ones."""
    if not index.sharded:
        return Planned(index)
    strengths = _strengths(index, snapshot)
    room = index.budget(snapshot.config.index) - tokens(index.master.text) - _SLACK
    weakest = _movable(index, snapshot, strengths)
    moves: list[Action] = []
    for located in sorted(index.entries, key=lambda one: (-strengths[one.key], one.key)):
        strength = strengths[located.key]
        # One that was not used is new: that is no growth.
        grown = strength >= snapshot.config.bands.moderate and located.entry.hits
        if located.file == MASTER or not grown or not snapshot.may(Kind.PROMOTE, located):
            continue
        weaker = [other for other in weakest if strengths[other.key] <= strength - _AHEAD]
        leaving: list[Located] = []
        while room + sum(map(_size, leaving)) < _size(located) and len(leaving) < len(weaker):
            leaving.append(weaker[len(leaving)])
        room += sum(map(_size, leaving)) - _size(located)
        if room < 0:
            break
        weakest = weakest[len(leaving) :]
        moves += (_to_topic(other, strengths, "made room for a stronger one") for other in leaving)
        reason = f"grown to strength {strength:.2f}"
        moves.append(Action(Kind.PROMOTE, located.key, reason, located.file, MASTER))
    return _moved(index, moves)


def _within(index: Hierarchy, snapshot: Snapshot, limit: int) -> Planned:
    """The weakest entries moved out if the master holds more than ``limit`` tokens, until it holds what it may once
    there are topic files."""
    sizes, held = snapshot.config.index, tokens(index.master.text)
    if held <= limit:
        return Planned(index)
    excess = held + _SLACK - min(sizes.sharded_tokens, sizes.max_tokens)
    strengths = _strengths(index, snapshot)
    why = f"the index is over its {index.budget(sizes):,} tokens"
    moves: list[Action] = []
    for located in _movable(index, snapshot, strengths):
        if excess > 0:
            moves.append(_to_topic(located, strengths, why))
            excess -= _size(located)
    return _moved(index, moves)


def _to_topic(one: Located, strengths: dict[str, float], why: str) -> Action:
    reason = f"{why}; strength {strengths[one.key]:.2f}"
    return Action(Kind.SHARD, one.key, reason, MASTER, topic_file(one.section))


def _moved(index: Hierarchy, moves: Sequence[Action]) -> Planned:
    """Each entry in the file that its action names, in the same section there, in file order."""

    def apply(index: Hierarchy, moves: Sequence[Action]) -> Hierarchy:
        places: dict[tuple[str, SectionPath], list[str]] = defaultdict(list)
        for move in moves:
            places[move.after, index.by_key[move.key].section].append(move.key)
        return index.moved_to(places)

    ordered = sorted(moves, key=lambda one: (one.kind is Kind.PROMOTE, index.by_key[one.key].node))
    return carried_out(index, ordered, apply)


def _strengths(index: Hierarchy, snapshot: Snapshot) -> dict[str, float]:
    clock = snapshot.clock(index)
    return {located.key: clock.strength(located.entry) for located in index.entries}


def _movable(index: Hierarchy, snapshot: Snapshot, strengths: dict[str, float]) -> list[Located]:
    """The master's entries that may move out, the weakest first; pinned ones last."""
    found = [
        located
        for located in index.entries
        if located.file == MASTER and snapshot.may(Kind.SHARD, located)
    ]
    return sorted(
        found,
        key=lambda one: (
            RISING_PRIORITIES.index(one.entry.pri) // 2,  # what is kept on purpose goes last
            round(strengths[one.key], 4),
            one.entry.hits,
            one.key,
        ),
    )


def _size(one: Located) -> int:
    return tokens(one.entry.raw)
