"""Relations from use: what is retrieved together belongs together (*co-access patterns*, INDEX §8.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import combinations

from hippocampus_cli.entries.relations import MOST
from hippocampus_cli.index import metadata
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Action, Kind, Planned, edited, with_values
from hippocampus_cli.maintenance.snapshot import Snapshot

TOGETHER = timedelta(minutes=30)
"""A sitting lasts so long from its first retrieval on."""
SITTINGS = 2
"""Chance brings two entries together once."""
ROOM = 3
"""So many relations from use there may be beyond those that drafting gives."""

SITTING = 40
"""Entries of one sitting at most, those used last: what is used beside a hundred others belongs to none of them."""

_Pair = tuple[str, str]


def relate(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Mutual relations between entries that were used together, those of most sittings first.

    Relations to entries that are merged lead to what they are part of, those to archived ones go; all others
    stay, also to an entry that is yet to be written. An entry gets none beyond ``MOST`` + ``ROOM``.
    """
    free = {located.key for located in index.entries if snapshot.may(Kind.RELATE, located)}
    gone = index.taken - index.ids
    related = {
        located.key: _living(located.entry, index, gone)
        for located in index.entries
        if located.key in free
    }
    most = MOST + ROOM
    for one, other in _by_sittings(index, snapshot):
        if one in free and other in free and _wanting(one, other, related, most):
            related[one] = tuple(dict.fromkeys((*related[one], other)))
            related[other] = tuple(dict.fromkeys((*related[other], one)))
    edits = []
    for key, after in related.items():
        before = index.by_key[key].entry.rel
        if after != before:
            values = {"rel": metadata.write_list(after)}
            edits.append(with_values(values, _action(key, before, after)))
    return edited(index, edits)


def _by_sittings(index: Hierarchy, snapshot: Snapshot) -> list[_Pair]:
    """The pairs of living entries that were used in ``SITTINGS`` sittings or more, those of most first."""
    sittings: dict[datetime, dict[str, None]] = {}
    first: datetime | None = None
    for event in sorted(snapshot.events, key=lambda event: event.at):
        if first is None or event.at - first > TOGETHER:
            first = event.at
        if event.at <= snapshot.now:
            keys = (_key(id, index) for id in event.used)
            sittings.setdefault(first, {}).update(dict.fromkeys(filter(None, keys)))
    used = (sorted([*keys][-SITTING:]) for keys in sittings.values())
    counts = Counter(pair for keys in used for pair in combinations(keys, 2))
    often = [pair for pair, count in counts.items() if count >= SITTINGS]
    return sorted(often, key=lambda pair: (-counts[pair], pair))


def _key(id: str, index: Hierarchy) -> str | None:
    """The id of the living entry that ``id`` stands for."""
    return id if id in index.ids else index.aliases.get(id)


def _living(entry: Entry, index: Hierarchy, gone: frozenset[str]) -> tuple[str, ...]:
    found = (_key(other, index) or (other if other not in gone else "") for other in entry.rel)
    return tuple(other for other in dict.fromkeys(found) if other and other != entry.id)


def _wanting(one: str, other: str, related: dict[str, tuple[str, ...]], most: int) -> bool:
    """Whether the relation is missing on a side, and there is room for it."""
    missing = [side for side, far in ((one, other), (other, one)) if far not in related[side]]
    return bool(missing) and all(len(related[side]) < most for side in missing)


def _action(key: str, before: Sequence[str], after: Sequence[str]) -> Action:
    new = [other for other in after if other not in before]
    gone = [other for other in before if other not in after]
    parts = [f"used together with {', '.join(new)}"] if new else []
    parts += [f"no such entry any more: {', '.join(gone)}"] if gone else []
    reason = "; ".join(parts) or "a duplicate relation"
    return Action(Kind.RELATE, key, reason, ", ".join(before), ", ".join(after))
