"""The health of an index: how its entries are now and will be (INDEX §7, D7 to D11), and what to do about it.

Pure, but for :func:`report`, which reads the journal, upkeep's records and the notes that entries point at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from pathlib import Path

from hippocampus_cli.config import Config
from hippocampus_cli.config.settings import Bands
from hippocampus_cli.errors import UsageError
from hippocampus_cli.index.decay import Band, Curve, DecayClock, band
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.index.views import DECAY_QUEUE, SECTIONS
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.report import activity
from hippocampus_cli.report.activity import Record, beginning, day_of, local, mondays, sizes
from hippocampus_cli.report.health import Advice, Broken, Cycle, Health, Mention, Size, Step
from hippocampus_cli.report.tables import count, overdue
from hippocampus_cli.workspace.journal import Event, read
from hippocampus_cli.workspace.meta import PERIODS, read_meta
from hippocampus_cli.workspace.note import Section
from hippocampus_cli.workspace.resolve import Resolved, Status

_SOON_DAYS = 28  # a step of the forecast
_FEW_QUERIES = 10  # too few to judge the index by
_GOOD_RATE = 0.5
_MANY_ORPHANS = 0.25


def advice(health: Health) -> Iterator[Advice]:
    """What is to be done."""
    if not health.entries:
        yield Advice("there are no entries yet", "hippo bootstrap")
        return
    if health.broken:
        are = "is" if len(health.broken) == 1 else "are"
        yield Advice(f"{count(len(health.broken), 'pointer')} {are} broken", "hippo check")
    yield from _upkeep(health)
    if health.queries >= _FEW_QUERIES and (health.found_rate or 0.0) < _GOOD_RATE:
        why = f"only {health.found_rate:.0%} of {health.queries:,} queries found something"
        yield Advice(f"{why}; see which notes are not read", "hippo status")
    yield from _fading(health)
    if len(health.orphans) > _MANY_ORPHANS * health.entries and not _ran_this_week(health):
        why = f"{len(health.orphans):,} of {health.entries:,} entries have no relations"
        yield Advice(f"{why}; weekly upkeep relates what is retrieved together", "hippo weekly")


def _ran_this_week(health: Health) -> bool:
    """Whether weekly upkeep has just done what it can."""
    week = timedelta(days=PERIODS["weekly"])
    return any(
        cycle.name == "weekly" and cycle.last and health.at - cycle.last < week
        for cycle in health.cycles
    )


def _upkeep(health: Health) -> Iterator[Advice]:
    late = overdue(health)
    if late and not any(cycle.last for cycle in health.cycles):
        yield Advice("upkeep has never run", "hippo maintain --due")
        yield Advice("and it is not scheduled", "hippo schedule install")
    elif late:
        yield Advice(f"{late} upkeep is overdue", "hippo maintain --due")
    if health.tokens > health.max_tokens:
        over = health.tokens - health.max_tokens
        yield Advice(f"the index is {over:,} tokens over its budget", "hippo weekly")
    if health.silent_waiting:
        are = "entry is" if health.silent_waiting == 1 else "entries are"
        why = f"{health.silent_waiting:,} {are} silent and not in the Decay Queue"
        yield Advice(why, "hippo daily")


def _fading(health: Health) -> Iterator[Advice]:
    silent_now = health.bands["silent"]
    later = next((step for step in health.forecast if step.days == _SOON_DAYS), None)
    falling = later.bands["silent"] - silent_now if later else 0
    if falling > 0:
        fall = "entry becomes" if falling == 1 else "entries become"
        why = f"{falling:,} {fall} silent within {_SOON_DAYS} days"
        yield Advice(f"{why}; what is asked for stays", "hippo tag ID --pri amygdala")


STEPS = (*range(0, 90, 7), 90)
"""Days from now at which a forecast looks."""


def forecast_of(curves: Sequence[Curve], clock: DecayClock, bands: Bands) -> tuple[Step, ...]:
    """The entries by band at each of ``STEPS``, if nothing is retrieved, added or archived until then; the calendar
    may end before."""
    steps = []
    left = (date.max - clock.now.date()).days
    for days in [step for step in STEPS if step <= left]:
        moment = clock.now + timedelta(days=days)
        strengths = [curve.strength(moment) for curve in curves]
        counts = counted(band(strength, bands) for strength in strengths)
        steps.append(Step(days, moment.date(), counts, average(strengths)))
    return tuple(steps)


def counted(bands: Iterable[Band]) -> dict[str, int]:
    """How many of each band there are, the strongest first."""
    counts = dict.fromkeys(map(str, Band), 0)
    for name in bands:
        counts[name.value] += 1
    return counts


def average(strengths: Sequence[float]) -> float | None:
    """The mean, or ``None`` of nothing."""
    return round(sum(strengths) / len(strengths), 4) if strengths else None


WEEKS = 12
_MOST_USED = 10
_LATE = {"daily": timedelta(days=2), "weekly": timedelta(days=9), "monthly": timedelta(days=35)}
"""How long after its last run a cycle is overdue: its period, and some days for a laptop that was off."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a report is made from. ``tokens`` is the size of the index; ``sizes``, ``cycles`` (by name, when each last
    ran) and ``began`` (the first record) come from upkeep's records."""

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
    forecast = forecast_of(curves, known.clock, known.bands)
    mentions = [
        _mention(located, curve.strength(now), known.bands)
        for located, curve in zip(known.entries, curves, strict=True)
    ]
    window = mondays(now, known.weeks)
    weeks = activity.by_week(known.events, window, now)
    queries = sum(week.queries for week in weeks)
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
        found_rate=activity.found_rate(sum(week.none for week in weeks), queries),
        used=sum(week.used for week in weeks),
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
    return tuple(mention for located, mention in pairs if located.entry.id not in related)


def _most_used(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    used = [mention for mention in mentions if mention.hits]
    return tuple(sorted(used, key=lambda mention: (-mention.hits, -mention.strength))[:_MOST_USED])


def _never_used(mentions: Sequence[Mention], now: datetime) -> tuple[Mention, ...]:
    def age(mention: Mention) -> date:
        return day_of(mention.created, now) if mention.created else date.min

    return tuple(sorted((mention for mention in mentions if not mention.hits), key=age))


def _silent(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The faded entries, the weakest first."""
    silent = [mention for mention in mentions if mention.band == Band.SILENT]
    return tuple(sorted(silent, key=lambda mention: mention.strength))


def _waiting(known: Known, mentions: Sequence[Mention]) -> int:
    """The silent entries that the next daily upkeep moves into the Decay Queue."""
    queue = SECTIONS[DECAY_QUEUE]
    pairs = zip(known.entries, mentions, strict=True)
    return sum(
        mention.band == Band.SILENT and queue not in located.section for located, mention in pairs
    )


def _cycle(name: str, known: Known) -> Cycle:
    """A cycle is overdue by its own last run; one that never ran, by the beginning of all upkeep."""
    last = known.cycles.get(name)
    signs = [*known.cycles.values(), *([known.began] if known.began else [])]
    since = last or min(signs, default=None)
    return Cycle(name, last, since is None or known.clock.now - since > _LATE[name])


Follow = Callable[[Pointer], Resolved[Section]]
_BROKEN = frozenset((Status.MISSING_FILE, Status.MISSING_SECTION, Status.OUTSIDE))


_MOST_WEEKS = 520


def report(
    root: Path,
    config: Config,
    index: Hierarchy,
    clock: DecayClock,
    follow: Follow,
    weeks: int = WEEKS,
    records: Sequence[Record] = (),
    cycles: Mapping[str, datetime] | None = None,
) -> Health:
    """The health of an index at the clock's moment, with the last ``weeks`` weeks; ``follow`` resolves a pointer.

    ``records`` are upkeep's, the oldest first; ``cycles``: when each last ran, where the file does not say so yet.
    Raises :class:`UsageError` for weeks that are
    not from 1 to 520.
    """
    if not 1 <= weeks <= _MOST_WEEKS:
        advice = f"give a number from 1 to {_MOST_WEEKS}"
        raise UsageError(reason=f"a report cannot cover {weeks} weeks", advice=advice)
    since = beginning(clock.now, weeks)
    known = Known(
        workspace=root.name,
        entries=index.entries,
        clock=clock,
        bands=config.bands,
        tokens=tokens(index.master.text),
        max_tokens=index.budget(config.index),
        broken=tuple(broken(index.entries, follow)),
        events=read(root, since),
        sizes=sizes(records, since),
        cycles=read_meta(root).cycles if cycles is None else cycles,
        began=local(records[0].at, clock.now.tzinfo) if records else None,
        weeks=weeks,
    )
    return assess(known)


def broken(entries: Iterable[Located], follow: Follow) -> Iterator[Broken]:
    """The broken pointers, in file order."""
    for located in entries:
        for pointer in located.entry.pointers:
            status = follow(pointer).status
            if status in _BROKEN:
                yield Broken(located.key, located.entry.topic, str(pointer), status.value)
