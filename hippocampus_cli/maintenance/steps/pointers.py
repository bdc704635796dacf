"""Keeping pointers right: what moved is followed, what is gone is flagged, the entry stays (INDEX §8.2).

Nothing is done to an entry whose pointers all lead somewhere exactly, nor to pointers that are absolute,
lead outside or to a folder: ``hippo check`` tells of those.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from hippocampus_cli.entries.check import DEAD
from hippocampus_cli.entries.select import not_found
from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index import metadata
from hippocampus_cli.index.archive import Why, retired
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.pointers import Pointer, can_be_named, parse_pointers
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.relocate.moved_sections import Broken, look, path_of
from hippocampus_cli.maintenance.relocate.traces import Traces
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.workspace.note import fold

STALE = "stale"
"""The key that says since when what an entry points at is gone: no note says it any more, here or elsewhere."""


def verify_all(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Every pointer of every living entry."""
    return _verified(index, snapshot, index.entries)


def verify_changed(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Entries that point into a note that is new, changed or gone, and stale ones: it may be there again.

    What is proposed is said when the place appears, and not every day until somebody decides.
    """
    touched = _touched(snapshot)
    concerned = [
        one
        for one in index.entries
        if STALE in one.entry.values
        or any(path_of(pointer) in touched for pointer in one.entry.pointers)
    ]
    result, actions = _verified(index, snapshot, concerned)
    news = touched & snapshot.present.keys()
    return Planned(result, tuple(one for one in actions if _is_news(one, news)))


def without_dead(index: Hierarchy, snapshot: Snapshot, key: str) -> Planned:
    """An entry without the pointers that lead nowhere: what moved is followed, what is gone is taken out, and an
    entry of which nothing is left goes to the archive.

    Raises :class:`EntryNotFound`, :class:`IndexRefused` for a bullet.
    """
    located = index.by_key.get(key)
    if located is None:
        raise not_found(key, index.ids)
    followed = _verified(index, snapshot, [located])
    index, done = followed.result, [one for one in followed.actions if one.kind is Kind.REPOINT]
    entry = index.by_key[key].entry
    alive = tuple(one for one in entry.pointers if snapshot.follow(one).status not in DEAD)
    dead = " | ".join(str(one) for one in entry.pointers if one not in alive)
    if not dead:
        return Planned(index, tuple(done))
    if alive:
        index = index.change_all({key: lambda one: one.with_pointers(alive).with_value(STALE, "")})
        done.append(Action(Kind.REPOINT, key, "what is gone is taken out", dead))
    else:
        index = retired(index, {key: {}}, Why.GONE, snapshot.now.date()).counted()
        done.append(Action(Kind.ARCHIVE, key, f"nothing is left of what it points at: {dead}"))
    return Planned(index, tuple(done))


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What becomes of one entry: its pointers and its flag from now on, and the actions that say so."""

    located: Located
    pointers: tuple[Pointer, ...]
    flag: str | None
    actions: tuple[Action, ...]

    @property
    def changes(self) -> bool:
        entry = self.located.entry
        return self.pointers != entry.pointers or self.flag != entry.values.get(STALE)

    def carry_out(self, entry: Entry) -> Entry:
        """The entry as it is to be. Raises :class:`IndexRefused` where it cannot be written so."""
        if self.pointers != entry.pointers:
            entry = entry.with_pointers(self.pointers)
            if entry.pointers != self.pointers:
                raise IndexRefused(reason="the new pointer would not read back")
            if entry.hx_span:  # what it says of the memory is new (INDEX §5.2)
                entry = entry.with_value("ver", str(entry.ver + 1))
        if self.flag == entry.values.get(STALE):
            return entry
        return entry.with_value(STALE, self.flag or "")

    def refused(self) -> tuple[Action, ...]:
        """What is still to be said where the entry cannot be written so."""
        said = (one for one in self.actions if one.kind in (Kind.REPOINT, Kind.PROPOSE))
        return tuple(one._replace(kind=Kind.PROPOSE) for one in said)


def _touched(snapshot: Snapshot) -> frozenset[str]:
    known, present = snapshot.known, snapshot.present
    return frozenset(
        path
        for path in (*known, *present)
        if path not in known or path not in present or known[path].text != present[path].text
    )


def _is_news(action: Action, changed: Set[str]) -> bool:
    return action.kind is not Kind.PROPOSE or any(
        pointer.path in changed for pointer in parse_pointers(action.after)
    )


def _verified(index: Hierarchy, snapshot: Snapshot, entries: Iterable[Located]) -> Planned:
    traces = Traces(snapshot.known, snapshot.present, snapshot.note)
    verdicts = [
        verdict
        for located in entries
        if located.entry.closed and located.key == located.entry.id
        if (verdict := _verdict(located, snapshot, traces))
    ]
    return _carried_out(index, verdicts)


def _carried_out(index: Hierarchy, verdicts: Sequence[_Verdict]) -> Planned:
    """All at once; one by one where an entry among them cannot be written as it should be."""
    changing = {one.located.key: one.carry_out for one in verdicts if one.changes}
    try:
        changed = index.change_all(changing)
        return Planned(changed, tuple(action for one in verdicts for action in one.actions))
    except IndexRefused:
        if len(verdicts) == 1:
            return Planned(index, verdicts[0].refused())
    actions: list[Action] = []
    for one in verdicts:
        index, done = _carried_out(index, [one])
        actions += done
    return Planned(index, tuple(actions))


def _verdict(located: Located, snapshot: Snapshot, traces: Traces) -> _Verdict | None:
    """``None`` where all is as it should be. What a person undid is not done again, but proposed."""
    entry, flag = located.entry, located.entry.values.get(STALE)
    broken = [one for pointer in entry.pointers if (one := look(pointer, snapshot, traces))]
    if not broken and flag is None:
        return None
    undone = {kind for kind, key in snapshot.undone if key == entry.id}
    kept = {
        one.pointer
        for one in broken
        if one.gone and traces.is_kept(path_of(one.pointer) or "", one.pointer.section)
    }
    repairs = {} if Kind.REPOINT in undone else _repairs(broken, entry, kept)
    actions = [_told(located, one, repairs) for one in broken if one.goes]
    gone = [one for one in broken if one.gone and one.pointer not in kept | repairs.keys()]
    if gone and flag is None and Kind.FLAG not in undone:
        actions.append(_flagged(located, gone))
        flag = metadata.write_date(snapshot.now.date()) if entry.hx_span else None
    elif flag is not None and not gone and Kind.CLEAR not in undone:
        actions.append(Action(Kind.CLEAR, located.key, "what it points at is in the notes", flag))
        flag = None
    return _Verdict(located, _repointed(entry.pointers, repairs), flag, tuple(actions))


def _repairs(broken: Iterable[Broken], entry: Entry, kept: Set[Pointer]) -> dict[Pointer, Pointer]:
    """Where pointers surely lead now: of two copies that an entry points at, one is left when the other is gone."""
    there = set(map(_target, entry.pointers))
    return {
        one.pointer: one.goes.pointer
        for one in broken
        if one.goes and can_be_named(one.goes.pointer)
        if one.goes.certain or (one.pointer in kept and _target(one.goes.pointer) in there)
    }


def _repointed(
    pointers: Iterable[Pointer], repairs: Mapping[Pointer, Pointer]
) -> tuple[Pointer, ...]:
    """The pointers with the repairs in place; where one now leads to the same as another, it goes."""
    new = {_target(one) for one in repairs.values()}
    result: list[Pointer] = []
    for pointer in pointers:
        after = repairs.get(pointer, pointer)
        if _target(after) not in new or _target(after) not in map(_target, result):
            result.append(after)
    return tuple(result)


def _target(pointer: Pointer) -> tuple[str, str]:
    return path_of(pointer) or pointer.path, fold(pointer.section or "")


def _told(located: Located, broken: Broken, repairs: Mapping[Pointer, Pointer]) -> Action:
    assert broken.goes is not None
    there, reason, _ = broken.goes
    action = Action(Kind.REPOINT, located.key, reason, str(broken.pointer), str(there))
    if broken.pointer in repairs:
        return action
    if can_be_named(there):
        how = f"if it is the same, write it at {located.file}:{located.line}"
    else:
        how = "no pointer can be written to a name like that"
    return action._replace(kind=Kind.PROPOSE, reason=f"{reason}; {how}")


def _flagged(located: Located, gone: Sequence[Broken]) -> Action:
    """A bare bullet is its writer's own text: nothing is added to it, it is only said."""
    reason = "; ".join(one.gone for one in gone)
    pointers = " | ".join(str(one.pointer) for one in gone)
    if located.entry.hx_span:
        return Action(Kind.FLAG, located.key, reason, pointers)
    how = f"a bullet cannot say so: see {located.file}:{located.line}"
    return Action(Kind.PROPOSE, located.key, f"{reason}; {how}", pointers)
