"""One entry out of several that say the same (INDEX §8.2): nothing of them is worth less in it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta

from hippocampus_cli.drafting.words import bare, keys, tellers
from hippocampus_cli.index import fields
from hippocampus_cli.index.decay import DecayClock, forgetting_factor, hours_between, written
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.maintenance.steps.sameness import target

MOST_TAGS = 12
"""An entry gets no more tags than this by itself; those that it has stay."""
_PRIORITIES = (fields.Priority.LOW, fields.Priority.NORMAL, fields.Priority.AMYGDALA)


def united(
    kept: Entry, absorbed: Sequence[Entry], into: Mapping[str, str], clock: DecayClock
) -> Entry:
    """``kept`` with what the others add. ``into`` says which id stands for which afterwards.

    Hits add up; of base, access, creation and priority the better; tags, pointers, relations and aliases
    of all. At the clock's moment it is as strong as the strongest of them.
    """
    everyone = (kept, *absorbed)
    values = {
        "created": _oldest(everyone),
        "accessed": _latest(everyone, clock.now),
        "hits": str(sum(one.hits for one in everyone)),
        "base": fields.write_strength(_up(max(map(clock.base, everyone))), 4),
        "tags": fields.write_list(_tags(kept, absorbed)),
        "rel": fields.write_list(redirected(everyone, into, kept.id)),
        "pri": max((one.pri for one in everyone), key=_PRIORITIES.index).value,
        "ver": str(kept.ver + 1),
        "aka": fields.write_list(_aliases(kept, absorbed)),
        "stale": min((one.values["stale"] for one in everyone if one.stale), default=""),
    }
    if values["pri"] == kept.pri.value:
        del values["pri"]
    elif values["pri"] == fields.Priority.NORMAL:
        values["pri"] = ""
    entry = kept.with_values(values)
    pointers = _pointers(everyone)
    if pointers != kept.pointers:
        entry = entry.with_pointers(pointers)
    entry = _as_strong_as(entry, max(map(clock.strength, everyone)), clock)
    return entry.with_values(written(clock.strength(entry), clock.base(entry), kept))


def redirected(entries: Iterable[Entry], into: Mapping[str, str], own: str) -> tuple[str, ...]:
    """The relations of all, each once, to the ids that stand for them; none to ``own``."""
    found = (into.get(other, other) for one in entries for other in one.rel)
    return tuple(other for other in dict.fromkeys(found) if other != own)


def _tags(kept: Entry, absorbed: Sequence[Entry]) -> tuple[str, ...]:
    """The kept one's tags, the words of the other topics that it lacks, their tags; as many as there is room for."""
    tags = {tag.casefold(): tag for tag in kept.tags}
    known = set(keys(" ".join((kept.topic, *kept.tags))))
    wanted = [
        bare(word) for one in absorbed for word, found in tellers(one.topic) if found not in known
    ]
    for tag in (*wanted, *(tag for one in absorbed for tag in one.tags)):
        if len(tags) < MOST_TAGS:
            tags.setdefault(tag.casefold(), tag)
    return tuple(tags.values())


def _pointers(entries: Iterable[Entry]) -> tuple[Pointer, ...]:
    found: dict[Pointer, Pointer] = {}
    for one in entries:
        for pointer in one.pointers:
            found.setdefault(target(pointer), pointer)
    return tuple(found.values())


def _aliases(kept: Entry, absorbed: Sequence[Entry]) -> tuple[str, ...]:
    found = (alias for one in absorbed for alias in (one.id, *one.aka))
    return tuple(alias for alias in dict.fromkeys((*kept.aka, *found)) if alias != kept.id)


def _oldest(entries: Sequence[Entry]) -> str:
    """The raw ``created`` of the one that was first."""
    dated = [(_midnight(day), one) for one in entries if (day := one.created) is not None]
    return min(dated, key=lambda pair: pair[0])[1].values["created"] if dated else ""


def _latest(entries: Sequence[Entry], now: datetime) -> str:
    """The raw ``accessed`` of the one that was used last."""
    dated = [
        (-hours_between(last, now), _midnight(last), one)
        for one in entries
        if (last := one.accessed) is not None
    ]
    return max(dated, key=lambda row: row[:2])[2].values["accessed"] if dated else ""


def _midnight(moment: date | datetime) -> datetime:
    return datetime(moment.year, moment.month, moment.day)


def _as_strong_as(entry: Entry, wanted: float, clock: DecayClock) -> Entry:
    """The entry, used as recently as it must have been to be that strong now.

    Needed where the relation between two merged entries was one of the three that slow forgetting.
    """
    base = clock.base(entry)
    if clock.strength(entry) >= wanted or not base:
        return entry
    rates = clock.rates
    exponent = rates.forgetting * forgetting_factor(entry, rates, clock.ids)
    hours = max(0.0, (math.pow(min(1.0, wanted / base), -1 / exponent) - 1) / rates.rate)
    last = entry.accessed
    if isinstance(last, datetime):  # in the form that the entry uses, to the second
        now = clock.now if last.tzinfo else clock.now.replace(tzinfo=None)
        moment = now.replace(microsecond=0) + timedelta(seconds=2) - timedelta(hours=hours)
        return entry.with_value("accessed", fields.write_date(moment))
    day = clock.now.date() - timedelta(days=hours // 24)
    return entry.with_value("accessed", fields.write_date(day))


def _up(base: float) -> float:
    """A base rounded up to the four digits in which it is written."""
    return min(1.0, math.ceil(base * 10_000 - 1e-6) / 10_000)
