"""Stable entries are marked, so that upkeep leaves them alone (INDEX §8.2 monthly 1)."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta

from hippocampus_cli.index import fields
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.snapshot import Snapshot


def consolidate(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Entries that were strong for ``bands.consolidate_after_days`` get the key ``consolidated``."""
    clock, bands = snapshot.clock(index), snapshot.config.bands
    since = snapshot.now - timedelta(days=bands.consolidate_after_days)
    uses: dict[str, list[datetime]] = defaultdict(list)
    for event in snapshot.events:
        for key in event.used:
            uses[key].append(event.at.astimezone(snapshot.now.tzinfo))
    values = {}
    actions = []
    for one in index.entries:
        if not snapshot.may(Kind.CONSOLIDATE, one) or one.entry.hx_span is None:
            continue
        if _strong_since(one.entry, clock, uses[one.key], since, bands.strong):
            values[one.key] = {"consolidated": fields.write_date(snapshot.now.date())}
            reason = f"strength at least {bands.strong:g} for {bands.consolidate_after_days} days"
            actions.append(Action(Kind.CONSOLIDATE, one.key, reason))
    return Planned(index.set_values(values), tuple(actions))


def _strong_since(
    entry: Entry, clock: DecayClock, uses: list[datetime], since: datetime, strong: float
) -> bool:
    """Whether strength never fell below ``strong`` from ``since`` until now.

    It falls between uses, so it was lowest just before each: reckoned backwards through the journal's uses.
    Without a journal only what was last used before ``since`` can be told.
    """
    created = entry.created
    if created is None or _moment(created, clock.now) > since or clock.strength(entry) < strong:
        return False
    last = _moment(entry.accessed or created, clock.now)
    base = clock.base(entry)
    for use in sorted((one for one in uses if one.date() <= last.date()), reverse=True):
        if last <= since:
            break
        if use.date() < last.date():
            base = base if base == 1.0 else max(0.0, base - clock.rates.retrieval_boost)
            before = entry.with_value("accessed", fields.write_date(use.date()))
            before = before.with_value("base", fields.write_strength(base, 4))
            if clock._replace(now=last).strength(before) < strong:
                return False
        last = use
    return last <= since


def _moment(day: object, now: datetime) -> datetime:
    if isinstance(day, datetime):
        return day if day.tzinfo else day.replace(tzinfo=now.tzinfo)
    return datetime.combine(day, datetime.min.time(), now.tzinfo)  # type: ignore[arg-type]
