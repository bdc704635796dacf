"""Keeping the master small: the weakest entries are in topic files (INDEX §9.2, decision D12)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from hippocampus_cli.index.document import MASTER, Located
from hippocampus_cli.index.edit import SectionPath
from hippocampus_cli.index.hierarchy import Hierarchy, topic_file
from hippocampus_cli.index.metadata import RISING_PRIORITIES
from hippocampus_cli.maintenance.actions import Action, Kind, Planned, applied
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
    sizes = snapshot.config.index
    room = index.budget(sizes) - tokens(index.master.text) - _SLACK
    weakest = _movable(index, snapshot, strengths)
    coming: list[Located] = []
    going: list[Located] = []
    for one in sorted(index.entries, key=lambda one: (-strengths[one.key], one.key)):
        if one.file == MASTER or strengths[one.key] < snapshot.config.bands.moderate:
            continue
        if not one.entry.hits:  # it was not used: that it is new is no growth
            continue
        if not snapshot.may(Kind.PROMOTE, one):
            continue
        leaving: list[Located] = []
        while room + sum(map(_size, leaving)) < _size(one) and len(leaving) < len(weakest):
            other = weakest[len(leaving)]
            if strengths[other.key] > strengths[one.key] - _AHEAD:
                break
            leaving.append(other)
        if room + sum(map(_size, leaving)) < _size(one):
            break
        weakest = weakest[len(leaving) :]
        room += sum(map(_size, leaving)) - _size(one)
        coming.append(one)
        going += leaving
    planned = _to_topics(index, going, strengths, "made room for a stronger one")
    return _to_master(planned, coming, strengths)


def _within(index: Hierarchy, snapshot: Snapshot, limit: int) -> Planned:
    """The weakest entries moved out if the master holds more than ``limit`` tokens, until it holds what it may once
    there are topic files."""
    sizes = snapshot.config.index
    target = min(sizes.sharded_tokens, sizes.max_tokens)
    held = tokens(index.master.text)
    if held <= limit:
        return Planned(index)
    excess = held + _SLACK - target
    strengths = _strengths(index, snapshot)
    going: list[Located] = []
    for one in _movable(index, snapshot, strengths):
        if excess <= 0:
            break
        going.append(one)
        excess -= _size(one)
    return _to_topics(
        index, going, strengths, f"the index is over its {index.budget(sizes):,} tokens"
    )


def _to_topics(
    index: Hierarchy, going: list[Located], strengths: dict[str, float], why: str
) -> Planned:
    moves = [
        _Move(
            Action(
                Kind.SHARD,
                one.key,
                f"{why}; strength {strengths[one.key]:.2f}",
                MASTER,
                topic_file(one.section),
            ),
            one.section,
        )
        for one in sorted(going, key=lambda one: one.node)
    ]
    index, done = applied(index, moves, _moved)
    return Planned(index, tuple(one.action for one in done))


def _to_master(planned: Planned, coming: list[Located], strengths: dict[str, float]) -> Planned:
    moves = [
        _Move(
            Action(
                Kind.PROMOTE,
                one.key,
                f"grown to strength {strengths[one.key]:.2f}",
                one.file,
                MASTER,
            ),
            one.section,
        )
        for one in coming
    ]
    index, done = applied(planned.result, moves, _moved)
    return Planned(index, (*planned.actions, *(one.action for one in done)))


class _Move(NamedTuple):
    """An entry on its way to the file that the action names as ``after``, into a section of it."""

    action: Action
    section: SectionPath


def _moved(index: Hierarchy, moves: Sequence[_Move]) -> Hierarchy:
    places: dict[tuple[str, SectionPath], list[str]] = defaultdict(list)
    for action, section in moves:
        places[action.after, section].append(action.key)
    return index.moved_to(places)


def _strengths(index: Hierarchy, snapshot: Snapshot) -> dict[str, float]:
    clock = snapshot.clock(index)
    return {one.key: clock.strength(one.entry) for one in index.entries}


def _movable(index: Hierarchy, snapshot: Snapshot, strengths: dict[str, float]) -> list[Located]:
    """The master's entries that may move out, the weakest first; pinned ones last."""
    found = [one for one in index.entries if one.file == MASTER and snapshot.may(Kind.SHARD, one)]
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
