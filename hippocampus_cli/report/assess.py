"""The health of an index: how its entries are now and will be (INDEX §7, D7 to D11).

Pure, but for :func:`report`, which reads the journal, upkeep's records and the notes that entries point at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime
from pathlib import Path

from hippocampus_cli.config import Config
from hippocampus_cli.config.settings import Bands
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index.decay import Band, DecayClock, band
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.report import activity
from hippocampus_cli.report.activity import Record, Run, beginning, mondays, sizes
from hippocampus_cli.report.health import Broken, Health, Mention, Size
from hippocampus_cli.workspace.journal import Event, read
from hippocampus_cli.workspace.resolve import Resolved, Status


def strengths(
    entries: Iterable[Located], clock: DecayClock, bands: Bands
) -> tuple[dict[str, int], Counter[date]]:
    """How many entries are in each band, and how many fall silent on which day."""
    counts = dict.fromkeys(map(str, Band), 0)
    falls: Counter[date] = Counter()
    for located in entries:
        curve = clock.curve(located.entry)
        now = band(curve.strength(clock.now), bands)
        counts[now.value] += 1
        if now is not Band.SILENT and (day := curve.day_below(bands.silent)):
            falls[day] += 1
    return counts, falls


def average(strengths: Sequence[float]) -> float | None:
    """The mean, or ``None`` of nothing."""
    return round(sum(strengths) / len(strengths), 4) if strengths else None


WEEKS = 12


class Known(Frozen):
    """What a report is made from. ``tokens`` is the size of the index; ``sizes`` come from upkeep's records."""

    workspace: str
    entries: Sequence[Located]
    clock: DecayClock
    bands: Bands
    tokens: int
    max_tokens: int
    broken: Sequence[Broken] = ()
    events: Sequence[Event] = ()
    runs: Sequence[Run] = ()
    sizes: Sequence[Size] = ()


def assess(known: Known) -> Health:
    """The health of the index at the clock's moment."""
    now, entries = known.clock.now, [located.entry for located in known.entries]
    bands, falls = strengths(known.entries, known.clock, known.bands)
    mentions = [
        _mention(located, known.clock.strength(located.entry), known.bands)
        for located in known.entries
    ]
    moments = (*(event.at for event in known.events), *(size.at for size in known.sizes), now)
    first = activity.monday(min(activity.day_of(moment, now) for moment in moments))
    window = [week for week in mondays(now, WEEKS) if week >= first]
    weeks = activity.by_week(known.events, window, now)
    sure, queries = sum(week.sure for week in weeks), sum(week.queries for week in weeks)
    priorities = Counter(entry.pri for entry in entries)
    return Health(
        workspace=known.workspace,
        at=now,
        entries=len(entries),
        pinned=priorities[Priority.AMYGDALA],
        average=average([mention.strength for mention in mentions]),
        bands=bands,
        tokens=known.tokens,
        max_tokens=known.max_tokens,
        high=priorities[Priority.HIGH],
        fades_on=min(falls, default=None),
        fades_first=falls[min(falls)] if falls else 0,
        pointers=sum(len(entry.pointers) for entry in entries),
        broken=tuple(known.broken),
        orphans=_orphans(known, mentions),
        queries=queries,
        sure_rate=activity.rate(sure, queries),
        weeks=weeks,
        growth=activity.growth(entries, window, now),
        sizes=tuple(known.sizes),
        silent=_silent(mentions),
        recall=activity.recall([event for event in known.events if not event.wrong], known.runs),
        opened=sum(run.event == "opened" for run in known.runs),
        wrong=sum(bool(event.wrong) for event in known.events),
    )


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


def _silent(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The faded entries, the weakest first."""
    silent = [mention for mention in mentions if mention.band == Band.SILENT]
    return tuple(sorted(silent, key=lambda mention: mention.strength))


Follow = Callable[[Pointer], Resolved]
_BROKEN = frozenset((Status.MISSING_FILE, Status.MISSING_SECTION, Status.OUTSIDE))


def report(
    root: Path,
    config: Config,
    index: Hierarchy,
    clock: DecayClock,
    follow: Follow,
    records: Sequence[Record] = (),
    runs: Iterable[Run] = (),
) -> Health:
    """The health of an index at the clock's moment, with the last ``WEEKS`` weeks; ``follow`` resolves a pointer.

    ``records`` are upkeep's, the oldest first, ``runs`` those of hooks.
    """
    since = beginning(clock.now, WEEKS)
    known = Known(
        workspace=root.name,
        entries=index.entries,
        clock=clock,
        bands=config.bands,
        tokens=tokens(index.master.text),
        max_tokens=index.budget(config.index),
        broken=tuple(broken(index.entries, follow)),
        events=[*read(root, since)],
        runs=[run for run in runs if datetime.fromisoformat(run.at).astimezone() >= since],
        sizes=sizes(records, since),
    )
    return assess(known)


def broken(entries: Iterable[Located], follow: Follow) -> Iterator[Broken]:
    """The broken pointers, in file order."""
    for located in entries:
        for pointer in located.entry.pointers:
            status = follow(pointer).status
            if status in _BROKEN:
                yield Broken(located.key, located.entry.topic, str(pointer), status.value)
