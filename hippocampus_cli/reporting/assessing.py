"""The health of an index from what is known of it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from hippocampus_cli.config.settings import Bands
from hippocampus_cli.index.decay import Band, DecayClock, band
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.fields import Priority
from hippocampus_cli.index.views import DECAY_QUEUE, SECTIONS
from hippocampus_cli.reporting import activity, fading
from hippocampus_cli.reporting.advice import advice
from hippocampus_cli.reporting.calendar import day_of, mondays
from hippocampus_cli.reporting.health import Broken, Cycle, Health, Mention, Size
from hippocampus_cli.workspace.journal_read import Event

WEEKS = 12
_MOST_USED = 10
_LATE = {"daily": timedelta(days=2), "weekly": timedelta(days=9), "monthly": timedelta(days=35)}
"""How long after its last run a cycle is overdue: its period, and some days for a laptop that slept."""


@dataclass(frozen=True, slots=True)
class Known:
    """All that a report is drawn up from: ``broken`` of so many ``pointers`` lead nowhere; ``tokens`` is the
    size of the index; ``sizes``, ``cycles`` (by name, when it last ran) and ``began`` (its first record) are
    what upkeep wrote down."""

    workspace: str
    entries: Sequence[Located]
    clock: DecayClock
    bands: Bands
    tokens: int
    max_tokens: int
    broken: Sequence[Broken] = ()
    events: Iterable[Event] = ()
    sizes: Sequence[Size] = ()
    cycles: Mapping[str, datetime] = field(default_factory=dict)
    began: datetime | None = None
    weeks: int = WEEKS


def assess(known: Known) -> Health:
    """The health of the index at the clock's moment."""
    now, entries = known.clock.now, [located.entry for located in known.entries]
    curves = [known.clock.curve(entry) for entry in entries]
    forecast = fading.forecast(curves, known.clock, known.bands)
    mentions = [
        _mention(located, one.strength(now), known.bands)
        for located, one in zip(known.entries, curves, strict=True)
    ]
    window = mondays(now, known.weeks)
    weeks = activity.by_week(known.events, window, now)
    queries = sum(week.queries for week in weeks)
    used = sum(week.index for week in weeks), sum(week.both for week in weeks)
    health = Health(
        workspace=known.workspace,
        at=now,
        entries=len(entries),
        pinned=sum(entry.pri is Priority.AMYGDALA for entry in entries),
        average=forecast[0].average,
        bands=forecast[0].bands,
        tokens=known.tokens,
        max_tokens=known.max_tokens,
        forecast=forecast,
        pointers=sum(len(entry.pointers) for entry in entries),
        broken=tuple(known.broken),
        orphans=_orphans(known, mentions),
        queries=queries,
        hit_rate=activity.hit_rate(*used, queries),
        weeks=weeks,
        growth=activity.growth(entries, window, now),
        sizes=tuple(known.sizes),
        cycles=tuple(_cycle(name, known) for name in _LATE),
        most_used=_most_used(mentions),
        never_used=_never_used(mentions, now),
        silent=_silent(mentions),
        silent_waiting=_waiting(known, mentions),
        advice=(),
    )
    return replace(health, advice=tuple(advice(health)))


def _mention(located: Located, strength: float, bands: Bands) -> Mention:
    entry = located.entry
    return Mention(
        id=located.key,
        topic=entry.topic,
        strength=round(strength, 4),
        band=band(strength, bands).value,
        hits=entry.hits,
        created=entry.created,
        accessed=entry.accessed,
        queued=entry.queued,
    )


def _orphans(known: Known, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The entries that relate to no other entry and that no other relates to, in file order."""
    ids = {located.entry.id for located in known.entries}
    related: set[str] = set()
    for located in known.entries:
        own = located.entry.id
        others = {other for other in located.entry.rel if other in ids and other != own}
        related |= others | ({own} if others else set())
    pairs = zip(known.entries, mentions, strict=True)
    return tuple(one for located, one in pairs if located.entry.id not in related)


def _most_used(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    used = [one for one in mentions if one.hits]
    return tuple(sorted(used, key=lambda one: (-one.hits, -one.strength))[:_MOST_USED])


def _never_used(mentions: Sequence[Mention], now: datetime) -> tuple[Mention, ...]:
    def age(one: Mention) -> date:
        return day_of(one.created, now) if one.created else date.min

    return tuple(sorted((one for one in mentions if not one.hits), key=age))


def _silent(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The faded entries, the weakest first."""
    silent = [one for one in mentions if one.band == Band.SILENT]
    return tuple(sorted(silent, key=lambda one: one.strength))


def _waiting(known: Known, mentions: Sequence[Mention]) -> int:
    """The silent entries that the next daily upkeep moves into the Decay Queue."""
    queue = SECTIONS[DECAY_QUEUE]
    pairs = zip(known.entries, mentions, strict=True)
    return sum(one.band == Band.SILENT and queue not in there.section for there, one in pairs)


def _cycle(name: str, known: Known) -> Cycle:
    """A cycle is overdue by its own last run; one that never ran, by the beginning of all upkeep."""
    last = known.cycles.get(name)
    signs = [*known.cycles.values(), *([known.began] if known.began else [])]
    since = last or min(signs, default=None)
    return Cycle(name, last, since is None or known.clock.now - since > _LATE[name])
