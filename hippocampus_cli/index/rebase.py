"""Carrying a change over to an index that has been edited since: entry by entry, field by field.

``before`` and ``after`` are the change, ``current`` is what it is applied to. Where ``current`` is still as
``before`` was, it becomes as ``after``; where somebody edited it later, the later edit stays. Hits add up,
lists (tags, relations, pointers) are merged item by item. Nothing is ever removed: :func:`vanished` says
which entries ``after`` no longer has, and the caller decides where they go.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from typing import TypeVar

from hippocampus_cli.index import edit, metadata
from hippocampus_cli.index.archive import MARKS
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.edit import SectionPath
from hippocampus_cli.index.entry import Entry, Form
from hippocampus_cli.index.hierarchy import Hierarchy

LISTS = frozenset(("tags", "rel", "aka"))
_Place = tuple[str, SectionPath]
_Item = TypeVar("_Item", bound=Hashable)


def rebased(before: Hierarchy, after: Hierarchy, current: Hierarchy) -> Hierarchy:
    """``current`` with the change from ``before`` to ``after`` applied as far as it still fits."""
    changes: dict[str, Callable[[Entry], Entry]] = {}
    moving: dict[_Place, list[str]] = defaultdict(list)
    adding: dict[_Place, list[str]] = defaultdict(list)
    for key, (old, new) in _changed(before, after):
        there = current.by_key.get(key)
        if old is None:
            if there is None:
                adding[_place(new)].append(edit.block_of(new.entry))
            continue
        if there is None:  # somebody removed it since
            continue
        elsewhere = _place(old) != _place(new) and _place(there) != _place(old)
        wanted = merged(old.entry, new.entry, there.entry, MARKS if elsewhere else ())
        if wanted != there.entry:
            changes[key] = _always(wanted)
        if _place(old) != _place(new) and not elsewhere:
            moving[_place(new)].append(key)
    current = current.change_all(changes)
    for (file, section), keys in moving.items():
        current = current.moved(keys, section, file)
    for (file, section), blocks in adding.items():
        current = current.add(section, blocks, file)
    return current


def vanished(before: Hierarchy, after: Hierarchy) -> tuple[str, ...]:
    """The keys of entries that ``before`` has and ``after`` has not."""
    return tuple(key for key in before.by_key if key not in after.by_key)


def merged(before: Entry, after: Entry, current: Entry, but: Container[str] = ()) -> Entry:
    """``current`` with what changed from ``before`` to ``after``, later edits kept, and the values ``but``.

    What says why an entry was put away belongs to its place, and stays where that does.
    """
    entry = current
    for key in dict.fromkeys((*before.values, *after.values)):
        if key in but:
            continue
        old, new, now = (one.values.get(key, "") for one in (before, after, current))
        if old != new and (wanted := _value(key, old, new, now)) != now:
            entry = entry.with_value(key, wanted)
    if after.topic != before.topic == current.topic:
        entry = entry.with_topic(after.topic)
    if after.summary and after.summary != before.summary == current.summary:
        entry = entry.with_summary(after.summary)
    pointers = tuple(list_with_change(before.pointers, after.pointers, current.pointers))
    if pointers and pointers != current.pointers:
        entry = entry.with_pointers(pointers)
    return entry


def _changed(
    before: Hierarchy, after: Hierarchy
) -> Iterator[tuple[str, tuple[Located | None, Located]]]:
    for key, new in after.by_key.items():
        old = before.by_key.get(key)
        if old is None:
            if new.entry.form is Form.HEADING:
                yield key, (None, new)
        elif old.entry.raw != new.entry.raw or _place(old) != _place(new):
            yield key, (old, new)


def _always(entry: Entry) -> Callable[[Entry], Entry]:
    return lambda _: entry


def _place(located: Located) -> _Place:
    return located.file, located.section


def _value(key: str, old: str, new: str, now: str) -> str:
    if key == "hits":
        count = [metadata.read_int(raw) or 0 for raw in (old, new, now)]
        return str(max(0, count[2] + count[1] - count[0]))
    if key in LISTS:
        return metadata.write_list(list_with_change(*map(metadata.read_list, (old, new, now))))
    return new if now == old else now


def list_with_change(
    old: Iterable[_Item], new: Iterable[_Item], now: Iterable[_Item]
) -> list[_Item]:
    """``now`` with what was added from ``old`` to ``new``, and without what was taken away."""
    was, becomes, here = list(old), list(new), list(now)
    if here == was:
        return becomes
    gone = [one for one in was if one not in becomes]
    kept = [one for one in here if one not in gone]
    return kept + [one for one in becomes if one not in was and one not in kept]
