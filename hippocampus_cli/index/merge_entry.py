"""Two versions of an entry made from a third become one (decisions D8, D10): nothing that either did to it is lost.

A merge of git, a change that meets an edited index, and an entry that is in two files all come down to this.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import date
from typing import TypeVar

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index import metadata
from hippocampus_cli.index.archive import MARKS
from hippocampus_cli.index.decay import DecayClock, written
from hippocampus_cli.index.entry import Entry, parse_entry
from hippocampus_cli.markdown.diff3 import Labels, merge_lines
from hippocampus_cli.markdown.lines import split_lines

SPLIT = "split"
"""The key of an entry that one branch used and the other put elsewhere: its hits when they parted."""
_LISTS = frozenset(("tags", "rel", "aka"))
_OF_TIME = frozenset(("str", "base", "sig", "stale", "consolidated", *MARKS))
_Item = TypeVar("_Item", bound=Hashable)
Resolve = Callable[[str, str, str, str], str | None]


def merge_value(key: str, base: str, ours: str, theirs: str, resolve: Resolve) -> str | None:
    """The raw value of one field, empty if it is removed; ``resolve`` decides if both changed it differently.

    ``None``: they cannot both hold.
    """
    if theirs == base:  # only ours changed it, or nobody
        return ours
    if ours == base:  # only theirs changed it
        return theirs
    if key == "hits":  # both used the entry; the same count on both is twice as many uses
        return _add(base, ours, theirs)
    if ours == theirs:  # both changed it to the same
        return ours
    if key in _LISTS:  # with what either added, without what either removed
        return metadata.write_list(merge_lists(*map(metadata.read_list, (base, ours, theirs))))
    return resolve(key, base, ours, theirs)


def keep_ours(key: str, base: str, ours: str, theirs: str) -> str:
    """A change that meets a later edit: the edit stays."""
    return ours


def keep_both(key: str, base: str, ours: str, theirs: str) -> str | None:
    """Two branches: the value that loses nothing, where the field has one."""
    if key in (
        "accessed",
        "queued",
        "archived",
        "stale",
        "consolidated",
        "until",
        "restated",
        SPLIT,
    ):
        return max(ours, theirs, key=lambda raw: (metadata.read_day(raw) or date.min, raw))
    if key in ("created", "since"):
        return _earlier(ours, theirs)
    if key == "pri":
        return max((ours, theirs), key=_priority_rank)
    if key == "ver":
        return _add(base, ours, theirs)
    return max(ours, theirs) if key in _OF_TIME else None


def merge_values(
    base: Mapping[str, str], ours: Mapping[str, str], theirs: Mapping[str, str], resolve: Resolve
) -> dict[str, str | None]:
    """The raw values of all fields, as :func:`merge_value` has them."""
    return {
        key: merge_value(key, base.get(key, ""), ours.get(key, ""), theirs.get(key, ""), resolve)
        for key in dict.fromkeys((*base, *ours, *theirs))
    }


def merge_lists(
    base: Iterable[_Item], ours: Iterable[_Item], theirs: Iterable[_Item]
) -> list[_Item]:
    """``ours`` with what was added from ``base`` to ``theirs``, and without what was taken away."""
    was, here, there = list(base), list(ours), list(theirs)
    if here == was:
        return there
    kept = [item for item in here if item in there or item not in was]
    return kept + [item for item in there if item not in was and item not in kept]


def rebase_entry(before: Entry, after: Entry, current: Entry, but: Sequence[str] = ()) -> Entry:
    """``current`` with what changed from ``before`` to ``after``, later edits kept, and the fields ``but``."""
    if current.raw == before.raw and not but:  # nobody edited it; its place has its own line break
        ending = before.raw[len(before.raw.rstrip("\r\n")) :]
        return parse_entry(after.raw.rstrip("\r\n") + ending, after.form)
    values = merge_values(before.values, current.values, after.values, keep_ours)
    entry = current.with_values({key: raw or "" for key, raw in values.items() if key not in but})
    if after.topic != before.topic == current.topic:
        entry = entry.with_topic(after.topic)
    if after.summary and after.summary != before.summary == current.summary:
        entry = entry.with_summary(after.summary)
    pointers = tuple(merge_lists(before.pointers, current.pointers, after.pointers))
    if pointers and pointers != current.pointers:
        entry = entry.with_pointers(pointers)
    return entry


def rejoin_entry(used: Entry, other: Entry) -> Entry:
    """An entry that git's merge left in two files: as it was used, with all that the ``other`` says beyond that."""
    apart = (*MARKS, "str", *(("base",) if used.base is None else ()))
    theirs = {key: raw for key, raw in other.values.items() if key not in apart}
    base = {"hits": used.values[SPLIT], "ver": theirs.get("ver", "")}
    values = merge_values(base, used.values, theirs, keep_both)
    united = {key: used.values.get(key, "") if raw is None else raw for key, raw in values.items()}
    return used.with_values({**united, SPLIT: ""})


class Sides(NamedTuple):
    """An entry in the base (if any) and on both branches; ``moved``: it was in another file in the base."""

    base: Entry | None
    ours: Entry
    theirs: Entry
    moved: bool


def merge_entry(
    sides: Sides, clocks: Sequence[DecayClock], labels: Labels, resolve: Resolve
) -> tuple[str, int]:
    """The text of an entry that two branches changed, and the number of conflicts in it.

    Hits add up, the later access counts, no retrieval is lost, lists are united less what one side took away; of
    text that both changed, each version stands between conflict marks. Where another ``resolve`` decides of the
    fields, it does of the strength. ``clocks`` are those of the three indexes, with the ids of both branches.
    """
    base, ours, theirs, moved = sides
    if theirs.raw == (base or ours).raw:
        return ours.raw, 0
    if base and ours.raw == base.raw:
        return theirs.raw, 0
    raws = (base.raw if base else "", ours.raw, theirs.raw)
    if not (ours.is_editable and theirs.is_editable):
        return _merge_as_lines(raws, labels)
    at = base.pointers if base else ()
    if at != ours.pointers != theirs.pointers != at:
        pointers = tuple(merge_lists(at, ours.pointers, theirs.pointers))
        ours, theirs = ours.with_pointers(pointers), theirs.with_pointers(pointers)
        sides = Sides(base, ours, theirs, moved)
    was = base.values if base else {}
    values = merge_values(was, ours.values, theirs.values, resolve)
    if base is None and "hits" in values and (moved or ours.hits == theirs.hits):
        values["hits"] = str(max(ours.hits, theirs.hits))  # what is in common is not counted twice
    whole = {key: raw for key, raw in values.items() if raw is not None}
    if len(whole) < len(values):
        return _merge_as_lines(raws, labels)
    if resolve is keep_both:
        whole |= _strength(sides, clocks, whole)
    return _merge_text(sides, whole, labels)


def is_used(base: Entry, now: Entry) -> bool:
    """Whether somebody used or edited an entry since, more than time and upkeep do to it."""
    keys = (base.values.keys() | now.values.keys()) - _OF_TIME
    changed = any(base.values.get(key) != now.values.get(key) for key in keys)
    return changed or _body(base) != _body(now)


def _strength(
    sides: Sides, clocks: Sequence[DecayClock], values: Mapping[str, str]
) -> dict[str, str]:
    """``str`` and ``base`` such that every retrieval of both branches counts (D10)."""
    base, ours, theirs, _ = sides
    was, here, there = base and _state(base), _state(ours), _state(theirs)
    for side, state, other in ((ours, here, there), (theirs, there, here)):
        if other == was or (was is None and other == state):  # the other side left it as it was
            return {key: side.values.get(key, "") for key in ("str", "base")}
    first, clock, other_clock = clocks
    mine, other_base = clock.base(ours), other_clock.base(theirs)
    more: float = max(mine, other_base)
    if base is not None:
        gained = min(mine, other_base) - first.base(base)
        rates = clock.rates
        same_day = metadata.day_of(ours.accessed) == metadata.day_of(theirs.accessed)
        if same_day and gained >= rates.retrieval_boost - 1e-6:
            gained += rates.same_day_boost - rates.retrieval_boost  # massed, not spaced
        more = min(1.0, more + max(0.0, gained))
    whole = ours.with_values({**values, "base": f"{more:.4f}"})  # relations and priority count, too
    return written(clock.strength(whole), more, ours if ours.base == 1.0 else theirs)


def _state(entry: Entry) -> tuple[str | None, ...]:
    return tuple(entry.values.get(key) for key in ("accessed", "base", "str"))


def _merge_text(sides: Sides, values: Mapping[str, str], labels: Labels) -> tuple[str, int]:
    """The parts outside the comment merged by line; the comment in the form that ours has."""
    bodies = [_body(entry) if entry else ("", "") for entry in sides[:3]]
    parts = [_merge_as_lines(texts, labels) for texts in zip(*bodies, strict=True)]
    comment = sides.ours.with_values(values).comment
    return comment.join(text for text, _ in parts), sum(count for _, count in parts)


def _body(entry: Entry) -> tuple[str, str]:
    """What stands before and after the metadata comment."""
    start, end = entry.hx_span or (len(entry.raw), len(entry.raw))
    return entry.raw[:start], entry.raw[end:]


def _merge_as_lines(texts: Iterable[str], labels: Labels) -> tuple[str, int]:
    base, ours, theirs = map(split_lines, texts)
    lines, count = merge_lines(base, ours, theirs, labels)
    return "".join(lines), count


def _add(base: str, ours: str, theirs: str) -> str:
    was, mine, other = (metadata.read_int(raw) or 0 for raw in (base, ours, theirs))
    return str(max(0, mine + other - was))


def _earlier(*moments: str) -> str:
    return min(filter(None, moments), key=lambda raw: (metadata.read_day(raw) or date.max, raw))


def _priority_rank(raw: str) -> tuple[int, str]:
    known = raw or metadata.Priority.NORMAL.value
    rising = metadata.RISING_PRIORITIES
    return rising.index(known) if known in rising else -1, raw
