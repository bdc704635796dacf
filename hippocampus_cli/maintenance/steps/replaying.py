"""The boost of a defrag cycle for what it reviewed (INDEX §7.2 and §8.3, decision D10).

Neither specification names the boost's size: a replay does what one retrieval does, once a cycle, without
counting as a hit. *Reviewed* is every entry whose target was changed since the cycle before.
"""

from __future__ import annotations

from datetime import UTC, datetime

from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.snapshot import Snapshot


def replay(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Boost what the latest defrag cycle reviewed, unless it was boosted for that cycle already."""
    cycles = [at for at in snapshot.defrags if at <= snapshot.now]
    if not cycles or (snapshot.replayed and cycles[-1] <= snapshot.replayed):
        return Planned(index)
    last = cycles[-1]
    since = cycles[-2] if len(cycles) > 1 else last.replace(hour=0, minute=0, second=0)
    clock = snapshot.clock(index)
    values = {}
    actions = []
    for one in index.entries:
        if one.entry.hx_span is None or not one.entry.closed or not _changed(one, snapshot, since):
            continue
        values[one.key] = clock.replayed(one.entry)
        before, after = f"{clock.strength(one.entry):.2f}", values[one.key]["str"]
        reason = f"reviewed by the defrag cycle of {last:%Y-%m-%d %H:%M}"
        actions.append(Action(Kind.REPLAY, one.key, reason, before, after))
    return Planned(index.set_values(values), tuple(actions))


def _changed(located: Located, snapshot: Snapshot, since: datetime) -> bool:
    """Whether something that an entry points at was changed since then."""
    for pointer in located.entry.pointers:
        found = snapshot.present.get(pointer.path)
        if found is None or datetime.fromtimestamp(found.mtime_ns / 1e9, UTC) <= since:
            continue
        known = snapshot.known.get(pointer.path)
        if pointer.section is None or known is None:
            return True
        before = {one.name.casefold(): one.text for one in known.sections}
        now = {one.name.casefold(): one.text for one in found.sections}
        name = pointer.section.casefold()
        if name not in now or before.get(name) != now[name]:
            return True
    return False
