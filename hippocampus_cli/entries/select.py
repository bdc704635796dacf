"""Entries found by id, chosen, ordered, and their state at one moment: ``hippo list`` and ``hippo show``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from hippocampus_cli.config.settings import Bands
from hippocampus_cli.entries.check import Follower, Lead
from hippocampus_cli.errors import EntryNotFound, UsageError
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index import metadata
from hippocampus_cli.index.decay import DecayClock, band
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import day_of
from hippocampus_cli.search.filters import Filter
from hippocampus_cli.workspace.ignore import matcher
from hippocampus_cli.workspace.kinds import kind_of, period_of
from hippocampus_cli.workspace.paths import normal

_ALIKE = 70.0  # likeness in percent from which a name is worth suggesting
_LONGEST = 200  # characters of a wrong id that are compared


def find(index: Hierarchy, key: str) -> Located:
    """The entry with this id, or the one it was merged into.

    Raises :class:`EntryNotFound`, which names the ids most like it.
    """
    located = index.find(key)
    if located is None:
        raise not_found(key, index.by_key)
    return located


def not_found(key: str, ids: Iterable[str]) -> EntryNotFound:
    """The error for an id that is not among ``ids``."""
    return EntryNotFound(id=key, nearest=suggestion(nearest(key, ids)))


def suggestion(near: Sequence[str]) -> str:
    """The end of a message that asks whether one of these was meant; empty where there are none."""
    return f"; did you mean {' or '.join(near)}?" if near else ""


def nearest(wanted: str, names: Iterable[str]) -> list[str]:
    """At most three names like ``wanted``, the best first: as a whole, or by words of theirs; of paths, the name of
    the file."""
    from rapidfuzz import fuzz, process

    return [
        name
        for name, *_ in process.extract(
            wanted[:_LONGEST],
            list(names),
            scorer=fuzz.token_ratio,
            processor=_words_of,
            limit=3,
            score_cutoff=_ALIKE,
        )
    ]


def _words_of(name: str) -> str:
    stem = name.lower().rpartition("/")[2].removesuffix(".md")
    return re.sub(r"[\W_]+", " ", stem)


class EntryState(Frozen):
    """The values of an entry. Public: the field names are the keys of ``--json``.

    ``strength`` and ``band`` are those of now, ``base`` is the strength right after the last access.
    ``stale``: since when something that it points at is in no note any more.
    ``id`` is unique in the file: where an id stands twice, the second one's is ``id~2``. ``line`` is
    1-based, in ``file``; ``section`` the titles it stands under, outermost first. ``bare`` marks a
    bullet without metadata (decision D6). ``archived`` is when an entry was put away, ``why`` one of ``pruned``,
    ``silent``, ``merged into ID`` and ``undone``; ``None`` and empty for one that lives.
    """

    id: str
    topic: str
    summary: str
    strength: float
    band: str
    base: float
    hits: int
    created: date | datetime | None
    accessed: date | datetime | None
    queued: date | datetime | None
    stale: date | datetime | None
    tags: tuple[str, ...]
    rel: tuple[str, ...]
    pri: str
    src: str | None
    ver: int
    pointers: tuple[str, ...]
    file: str
    line: int
    section: tuple[str, ...]
    bare: bool
    archived: date | datetime | None
    why: str


def state_of(located: Located, clock: DecayClock, bands: Bands) -> EntryState:
    """The state of one entry at the clock's moment."""
    entry = located.entry
    strength = clock.strength(entry)
    return EntryState(
        id=located.key,
        topic=entry.topic,
        summary=entry.summary,
        strength=round(strength, 4),
        band=band(strength, bands).value,
        base=round(clock.base(entry), 4),
        hits=entry.hits,
        created=entry.created,
        accessed=entry.accessed,
        queued=entry.queued,
        stale=entry.stale,
        tags=entry.tags,
        rel=entry.rel,
        pri=entry.pri.value,
        src=entry.src.value if entry.src else None,
        ver=entry.ver,
        pointers=tuple(map(str, entry.pointers)),
        file=located.file,
        line=located.line,
        section=located.section,
        bare=entry.hx_span is None,
        archived=metadata.read_date(entry.values.get("archived", "")),
        why=_why(entry),
    )


def _why(entry: Entry) -> str:
    why, heir = (metadata.read_text(entry.values.get(key, "")) for key in ("why", "into"))
    return f"{why} into {heir}" if heir else why


class EntryShown(Frozen):
    """An entry, what its pointers lead to, and the topics of its relations (``None``: not in the index)."""

    entry: EntryState
    leads: tuple[Lead, ...]
    related: dict[str, str | None]


def show(
    index: Hierarchy, key: str, clock: DecayClock, bands: Bands, follower: Follower
) -> EntryShown:
    """The entry with the id ``key``. Raises :class:`EntryNotFound`."""
    located = find(index, key)
    leads = tuple(follower.lead(pointer) for pointer in located.entry.pointers)
    there = index.by_key
    related = {key: there[key].entry.topic if key in there else None for key in located.entry.rel}
    return EntryShown(state_of(located, clock, bands), leads, related)


_ORDERS: dict[str, Callable[[EntryState], Any]] = {
    "strength": lambda one: (-one.strength, -one.hits),
    "hits": lambda one: (-one.hits, -one.strength),
    "age": lambda one: -(day_of(one.created) or date.min).toordinal(),
    "topic": lambda one: one.topic.casefold(),
    "file": lambda one: 0,  # as they came
}
SORTS = tuple(_ORDERS)


def choose(
    entries: Iterable[Located],
    clock: DecayClock,
    bands: Bands,
    where: Filter,
    **among: Iterable[str],
) -> list[EntryState]:
    """The entries that meet every condition, in their order; an empty one is met by every entry.

    ``where`` is about the files that an entry points at, one of which has to meet it; the day of a file that names
    none is the day the entry was created. ``among`` are words of which an entry has one, as ``tags``, ``pri`` or
    ``band``.
    """
    on_path = matcher(where.paths) if where.paths else bool  # every path
    wanted = {name: words for name, those in among.items() if (words := set(those))}
    states = ((located.entry, state_of(located, clock, bands)) for located in entries)
    return [
        state
        for entry, state in states
        if _meets(state, wanted) and _points_there(entry, where, on_path)
    ]


def order(states: Iterable[EntryState], sort: str, *, reverse: bool = False) -> list[EntryState]:
    """Sorted by one of ``SORTS``: the strongest, most used, newest first; topics from a to z; as filed."""
    if sort not in SORTS:
        advice = f"use one of {', '.join(SORTS)}"
        raise UsageError(reason=f"unknown order {sort!r}", advice=advice)
    ordered = sorted(states, key=_ORDERS[sort])
    return ordered[::-1] if reverse else ordered


def _meets(state: EntryState, wanted: Mapping[str, set[str]]) -> bool:
    has = {"pri": {state.pri}, "band": {state.band}, "tags": {*map(str.casefold, state.tags)}}
    return all(words & has[name] for name, words in wanted.items())


def _points_there(entry: Entry, where: Filter, on_path: Callable[[str], bool]) -> bool:
    if not where:
        return True
    created = day_of(entry.created) or date.min
    for pointer in entry.pointers:
        path = normal(pointer.path.replace("\\", "/"))
        if path is None or (where.kinds and kind_of(path).value not in where.kinds):
            continue
        first, last = period_of(path) or (created, created)
        if where.has_days(first.toordinal(), last.toordinal()) and on_path(path):
            return True
    return False
