"""One entry as two branches left it (decisions D8, D10): nothing that either did to it is lost.

Git merges file by file. Where one branch used an entry and the other moved it to another file, it is in both
files after the merge. The used one says by :data:`merge_entry.SPLIT` how many hits both had in common, so that no
hit is lost or counted twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index import edit, metadata
from hippocampus_cli.index.archive import MARKS
from hippocampus_cli.index.decay import DecayClock, written
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.rebase import LISTS, list_with_change
from hippocampus_cli.markdown.diff3 import Labels, Region, marked, merge_lines
from hippocampus_cli.markdown.lines import split_lines

SPLIT = "split"
"""The key of an entry that one branch used and the other put elsewhere: its hits when they parted."""
_OF_TIME = frozenset(("str", "base", "stale", "consolidated", *MARKS))
_PRIORITIES = tuple(one.value for one in metadata.RISING_PRIORITIES)


class Clocks(NamedTuple):
    """The decay clocks of the three indexes, with the ids of both branches."""

    base: DecayClock
    ours: DecayClock
    theirs: DecayClock


class Sides(NamedTuple):
    """An entry in the base, if it was there, and on both branches; ``moved``: it was in another file then."""

    base: Entry | None
    ours: Entry
    theirs: Entry
    moved: bool = False


def merged(sides: Sides, clocks: Clocks, labels: Labels) -> tuple[str, int]:
    """The entry's text and the number of conflicts in it.

    Hits add up, the later access counts, no retrieval is lost, lists are united less what one side took away; of
    text that both changed, each version stands between conflict marks.
    """
    base, ours, theirs, _ = sides
    if theirs.raw == (base or ours).raw:
        return ours.raw, 0
    if base and ours.raw == base.raw:
        return theirs.raw, 0
    if not (ours.hx_span and theirs.hx_span and ours.closed and theirs.closed):
        return _as_lines(sides, labels)
    values, clashing = _values(sides, clocks)
    if clashing:
        return _as_lines(sides, labels)
    return _text(sides, values, labels)


def used(base: Entry, now: Entry) -> bool:
    """Whether somebody used or edited an entry since, more than time and upkeep do to it."""
    kept = (
        {key: raw for key, raw in one.values.items() if key not in _OF_TIME} for one in (base, now)
    )
    return _body(base) != _body(now) or next(kept) != next(kept)


def same_thing(ours: Entry, theirs: Entry) -> bool:
    """Whether two entries of one id, which both branches made, are of one thing."""
    return ours.topic == theirs.topic or bool(ours.pointers and ours.pointers == theirs.pointers)


def _values(sides: Sides, clocks: Clocks) -> tuple[dict[str, str], bool]:
    """The raw values of the merged entry, and whether both changed one in ways that cannot both hold."""
    values: dict[str, str] = {}
    clashing = False
    keys = dict.fromkeys(key for one in sides[:3] if one for key in one.values)
    for key in keys:
        old = sides.base.values.get(key, "") if sides.base else ""
        mine, other = sides.ours.values.get(key, ""), sides.theirs.values.get(key, "")
        if key == "hits" and sides.base:  # two equal counts are two uses, one on each branch
            values[key] = _sum(old, mine, other) if mine != old or other != old else old
        elif (
            key == "hits" and sides.moved
        ):  # what both had in common is not known: none is counted twice
            values[key] = max((mine, other), key=lambda raw: metadata.read_int(raw) or 0)
        elif mine == other or (sides.base and other == old):
            values[key] = mine
        elif sides.base and mine == old:
            values[key] = other
        elif key in LISTS:
            values[key] = metadata.write_list(
                list_with_change(*map(metadata.read_list, (old, other, mine)))
            )
        elif key in _RULES:
            values[key] = _RULES[key](old, mine, other)
        elif key not in _OF_TIME:
            clashing = True
    return {**values, **_strength(sides, clocks, values)}, clashing


def _strength(sides: Sides, clocks: Clocks, values: Mapping[str, str]) -> dict[str, str]:
    """``str`` and ``base`` such that every retrieval of both branches counts (D10)."""
    states = [
        (one.values.get("accessed"), one.values.get("base"), one.values.get("str")) if one else None
        for one in sides[:3]
    ]
    if states[1] == states[2] and (sides.base is None or states[0] == states[1]):
        return {}
    for side, rest in ((1, 2), (2, 1)):
        if sides.base and states[rest] == states[0]:
            held = (sides.ours, sides.theirs)[side - 1].values
            return {key: held.get(key, "") for key in ("str", "base")}
    base, ours, theirs, _ = sides
    mine, other = clocks.ours.base(ours), clocks.theirs.base(theirs)
    more: float = max(mine, other)
    if base is not None:
        gained = min(mine, other) - clocks.base.base(base)
        rates = clocks.ours.rates
        if _day(ours.accessed) == _day(theirs.accessed) and gained >= rates.retrieval_boost - 1e-6:
            gained += rates.same_day_boost - rates.retrieval_boost  # massed, not spaced
        more = min(1.0, more + max(0.0, gained))
    whole = ours.with_values({**values, "base": f"{more:.4f}"})  # relations and priority count, too
    return written(clocks.ours.strength(whole), more, ours if ours.base == 1.0 else theirs)


def _text(sides: Sides, values: Mapping[str, str], labels: Labels) -> tuple[str, int]:
    """The parts outside the comment merged by line; the comment in the form that ours has."""
    bodies = [_body(one) if one else ("", "") for one in sides[:3]]
    comment = sides.ours.with_values(values).comment
    parts = []
    count = 0
    for base, ours, theirs in zip(*bodies, strict=True):
        if sides.base is None:
            base = ours if ours == theirs else ""
        if ours == theirs or theirs == base:
            parts.append(ours)
            continue
        lines, conflicts = merge_lines(
            split_lines(base), split_lines(ours), split_lines(theirs), labels
        )
        parts.append("".join(lines))
        count += conflicts
    return comment.join(parts), count


def _body(entry: Entry) -> tuple[str, str]:
    """What stands before and after the metadata comment."""
    start, end = entry.hx_span or (len(entry.raw), len(entry.raw))
    return entry.raw[:start], entry.raw[end:]


def _as_lines(sides: Sides, labels: Labels) -> tuple[str, int]:
    base, ours, theirs = (split_lines(one.raw) if one else [] for one in sides[:3])
    if sides.base is None:
        return "".join(marked(Region([], ours, theirs), labels)), 1
    lines, count = merge_lines(base, ours, theirs, labels)
    return "".join(lines), count


def _sum(old: str, ours: str, theirs: str) -> str:
    was, mine, other = (metadata.read_int(raw) or 0 for raw in (old, ours, theirs))
    return str(max(mine, other, mine + other - was))


def later(old: str, ours: str, theirs: str) -> str:
    """The later of two raw dates."""
    return max((ours, theirs), key=lambda raw: (_day(metadata.read_date(raw)) or date.min, raw))


def _earlier(old: str, ours: str, theirs: str) -> str:
    there = [raw for raw in (ours, theirs) if raw]
    return min(there, key=lambda raw: (_day(metadata.read_date(raw)) or date.max, raw))


def _stronger(old: str, ours: str, theirs: str) -> str:
    def rank(raw: str) -> int:
        known = raw or metadata.Priority.NORMAL.value
        return _PRIORITIES.index(known) if known in _PRIORITIES else -1

    return max((ours, theirs), key=lambda raw: (rank(raw), raw))


def _day(moment: date | datetime | None) -> date | None:
    return moment.date() if isinstance(moment, datetime) else moment


_RULES: dict[str, Callable[[str, str, str], str]] = {
    "hits": _sum,
    "ver": _sum,
    "accessed": later,
    "created": _earlier,
    "queued": later,
    "archived": later,
    "stale": later,
    "consolidated": later,
    "why": lambda old, ours, theirs: max(ours, theirs),
    "into": lambda old, ours, theirs: max(ours, theirs),
    "home": lambda old, ours, theirs: max(ours, theirs),
    "pri": _stronger,
    SPLIT: later,
}


def rejoined(index: Hierarchy, *, archive: bool) -> Hierarchy:
    """The index with every such entry where it was used. ``archive``: whether the index was read with its archive;
    an entry that stands nowhere else then was removed by hand, and stays for having been used."""
    for key in [one.key for one in index.entries if SPLIT in one.entry.values]:
        marked = index.by_key[key]
        if not marked.entry.closed:
            continue
        twin = next(
            (
                one
                for one in index.by_key.values()
                if one.entry.id == marked.entry.id and one.key != key
            ),
            None,
        )
        if twin is None:
            index = index.change(key, _unmarked) if archive else index
        elif twin.entry.closed and twin.entry.hx_span:
            whole = _united(marked.entry, twin.entry)
            index = index.change(key, lambda _, whole=whole: whole)  # type: ignore[misc]
            index = _without(index, twin)
    return index


def _united(used: Entry, other: Entry) -> Entry:
    common = metadata.read_int(used.values[SPLIT]) or 0
    tags = dict.fromkeys((*used.tags, *other.tags))
    values = {
        "hits": str(max(used.hits, other.hits, used.hits + other.hits - common)),
        "accessed": later("", used.values.get("accessed", ""), other.values.get("accessed", "")),
        "tags": metadata.write_list(tags),
        "rel": metadata.write_list(dict.fromkeys((*used.rel, *other.rel))),
        SPLIT: "",
    }
    if other.base is not None and used.base is not None and other.base > used.base:
        values["base"] = other.values["base"]
    if _PRIORITIES.index(other.pri.value) > max(1, _PRIORITIES.index(used.pri.value)):
        values["pri"] = other.pri.value
    for name, raw in other.values.items():
        if name not in used.values and name not in (*MARKS, "base"):
            values.setdefault(name, raw)
    return used.with_values(values)


def _unmarked(entry: Entry) -> Entry:
    return entry.with_value(SPLIT, "")


def _without(index: Hierarchy, located: Located) -> Hierarchy:
    document = index.files[located.file]
    there = next(
        one
        for one in document.entries
        if one.entry.id == located.entry.id
        and one.entry == located.entry
        and SPLIT not in one.entry.values
    )
    return index.with_file(located.file, edit.remove_entry(document, there.key))
