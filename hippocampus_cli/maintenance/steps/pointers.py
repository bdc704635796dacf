"""Keeping pointers right: what moved is followed, what is gone is flagged, the entry stays (INDEX §8.2).

Nothing is done to an entry whose pointers all lead somewhere exactly, nor to pointers that are absolute,
lead outside or to a folder: ``hippo check`` tells of those.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from hippocampus_cli.entries.check import DEAD
from hippocampus_cli.entries.select import not_found
from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index import metadata
from hippocampus_cli.index.archive import Why, retired
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.pointers import Pointer, can_be_named
from hippocampus_cli.maintenance.actions import Action, Edit, Kind, Planned, edited
from hippocampus_cli.maintenance.relocate import Destination, path_of, relocated, target
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.workspace.resolve import Status

STALE = "stale"
"""The key that says since when a pointer of the entry leads nowhere."""


def verify(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Every pointer of every living entry."""
    edits = [_verdict(located, snapshot) for located in index.entries]
    return edited(index, [edit for edit in edits if edit])


def without_dead(index: Hierarchy, snapshot: Snapshot, key: str) -> Planned:
    """An entry without the pointers that lead nowhere: what moved is followed, what is gone is taken out, and an
    entry of which nothing is left goes to the archive.

    Raises :class:`EntryNotFound`, :class:`IndexRefused` for a bullet.
    """
    located = index.by_key.get(key)
    if located is None:
        raise not_found(key, index.ids)
    verdict = _verdict(located, snapshot)
    followed = edited(index, [verdict] if verdict else [])
    done = [action for action in followed.actions if action.kind is Kind.REPOINT]
    index, entry = followed.result, followed.result.by_key[key].entry
    alive, dead = parted(entry, snapshot)
    if not dead:
        return Planned(index, tuple(done))
    if alive:
        action = Action(Kind.CLEAR, key, "what is gone is taken out", dead)
        index = edited(index, [_cleared(action, alive)]).result
        done.append(action)
    else:
        index = retired(index, {key: {}}, Why.GONE, snapshot.today).counted()
        done.append(Action(Kind.ARCHIVE, key, f"nothing is left of what it points at: {dead}"))
    return Planned(index, tuple(done))


def drop_lost(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """What an entry has pointed at in vain for ``bands.archive_after_days`` is taken out of it; one of which nothing
    would be left is for the archive."""
    edits = []
    for located in index.entries:
        days = stale_days(located, snapshot)
        may = days and snapshot.may(Kind.CLEAR, located)
        alive, dead = parted(located.entry, snapshot) if may else ((), "")
        if alive and dead:
            action = Action(Kind.CLEAR, located.key, f"gone for {days:,} days", dead)
            edits.append(_cleared(action, alive))
    return edited(index, edits)


def stale_days(located: Located, snapshot: Snapshot) -> int:
    """For how many days a pointer has led nowhere; 0 where they are fewer than ``bands.archive_after_days``."""
    since = metadata.day_of(located.entry.stale)
    days = (snapshot.today - since).days if since else 0
    return days if days >= snapshot.config.bands.archive_after_days else 0


def parted(entry: Entry, snapshot: Snapshot) -> tuple[tuple[Pointer, ...], str]:
    """The pointers that lead somewhere, and the others as text."""
    alive = tuple(one for one in entry.pointers if snapshot.follow(one).status not in DEAD)
    return alive, " | ".join(str(one) for one in entry.pointers if one not in alive)


def _cleared(action: Action, alive: tuple[Pointer, ...]) -> Edit:
    """The entry with the pointers that are left."""
    return Edit(
        action.key, lambda entry: entry.with_pointers(alive).with_value(STALE, ""), (action,)
    )


class _Broken(NamedTuple):
    """A pointer that does not lead where it says: what is ``gone`` (empty where a section with a name like it is
    there), and where it leads now."""

    pointer: Pointer
    gone: str
    goes: Destination | None


def _broken(entry: Entry, snapshot: Snapshot) -> list[_Broken]:
    """What is wrong with an entry's pointers. Where one of them leads now may be what makes another certain, so they
    are looked at until no more is found."""
    leads = snapshot.traces.leads
    lost = [one for one in entry.pointers if not leads(path_of(one) or "", one.section)]
    if not lost:
        return []
    living = {target(one) for one in entry.pointers if one not in lost}
    broken: dict[Pointer, _Broken] = {}
    while True:
        looks = [
            _look(pointer, snapshot, living)
            for pointer in lost
            if pointer not in broken or not broken[pointer].goes
        ]
        broken |= {each.pointer: each for each in looks if each}
        found = {target(each.goes.pointer) for each in looks if each and each.goes}
        if not found:
            return [broken[pointer] for pointer in entry.pointers if pointer in broken]
        living |= found


def _look(pointer: Pointer, snapshot: Snapshot, others: Collection[Pointer]) -> _Broken | None:
    """What is wrong with a pointer that leads nowhere exactly; ``None`` where it is not to be touched."""
    path = path_of(pointer)
    if path is None:
        return None
    there = snapshot.follow(pointer)
    if there.status is Status.MISSING_FILE:
        gone = f"{pointer.path} is gone"
    elif there.status is Status.MISSING_SECTION:
        path, gone = there.path, f"{pointer.path} has no section {pointer.section!r}"
    elif there.fuzzy:
        path, gone = there.path, ""
    else:
        return None
    goes = relocated(pointer, path, snapshot.traces, others)
    return _Broken(pointer, gone, goes if goes and can_be_named(goes.pointer) else None)


def _verdict(located: Located, snapshot: Snapshot) -> Edit | None:
    """``None`` where all is as it should be, or cannot be told. What a person undid is not done again."""
    entry, flag = located.entry, located.entry.values.get(STALE)
    if not entry.closed or located.key != entry.id:
        return None
    undone = {kind for kind, key in snapshot.undone if key == entry.id}
    broken = _broken(entry, snapshot)
    if not broken and flag is None:
        return None
    repairs = {
        lost.pointer: lost.goes for lost in broken if lost.goes and Kind.REPOINT not in undone
    }
    actions = [
        Action(Kind.REPOINT, located.key, goes.reason, str(pointer), str(goes.pointer))
        for pointer, goes in repairs.items()
    ]
    gone = [lost for lost in broken if lost.gone and lost.pointer not in repairs]
    if gone and flag is None and Kind.FLAG not in undone and entry.hx_span:
        places = " | ".join(str(lost.pointer) for lost in gone)
        reason = "; ".join(lost.gone for lost in gone)
        actions.append(Action(Kind.FLAG, located.key, reason, places))
        flag = metadata.write_date(snapshot.today)
    elif flag is not None and not gone and Kind.CLEAR not in undone:
        actions.append(Action(Kind.CLEAR, located.key, "what it points at is in the notes", flag))
        flag = None
    if not actions:
        return None
    pointers, flag = _repointed(entry.pointers, repairs), flag or ""

    def carry_out(entry: Entry) -> Entry:
        if pointers != entry.pointers:
            entry = entry.with_pointers(pointers)
            if entry.pointers != pointers:
                raise IndexRefused(reason="the new pointer would not read back")
            if entry.hx_span:  # what it says of the memory is new (INDEX §5.2)
                entry = entry.with_value("ver", str(entry.ver + 1))
        return entry if flag == entry.values.get(STALE, "") else entry.with_value(STALE, flag)

    return Edit(located.key, carry_out, tuple(actions))


def _repointed(
    pointers: Iterable[Pointer], repairs: Mapping[Pointer, Destination]
) -> tuple[Pointer, ...]:
    """The pointers with the repairs in place; where one now leads to the same as another, it goes."""
    new = {target(goes.pointer) for goes in repairs.values()}
    result: list[Pointer] = []
    for pointer in pointers:
        after = repairs[pointer].pointer if pointer in repairs else pointer
        if target(after) not in new or target(after) not in map(target, result):
            result.append(after)
    return tuple(result)
