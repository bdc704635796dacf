"""A decay that learns: what is used on many days fades slower (CONTEXT §13.2), told from the journal and the moment.

An entry's forgetting rate is multiplied by ``PRIOR / (PRIOR + own + kind)``, at least ``LEAST``. ``own`` are the days
it was used on, the newest counting most, beyond a first one; ``kind`` is what entries for its kind of note have on
average. A use more never makes a factor larger, a day more never smaller: no retrieval weakens, and strength
still falls with time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

from hippocampus_cli.config.settings import Decay
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.decay import DecayClock, clock_for
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.workspace.journal import Event, read
from hippocampus_cli.workspace.kinds import kind_of

PRIOR = 4.0
"""Days of use that the default curve is believed for."""
LEAST = 0.25
HALVED = 30.0  # days after which a day of use counts half
REMEMBERED = timedelta(days=90)
_UNUSED = 10  # entries never used that every kind is thought to have besides


@dataclass(frozen=True, slots=True)
class LearnedKind:
    """How entries for one kind of note are used: of ``entries`` the ``uses``, days by their weight, and the
    ``factor`` of one that was not used itself. Public: the field names are the keys of ``--json``."""

    kind: str
    entries: int
    uses: float
    factor: float


class Learned(NamedTuple):
    """By id the factors that are not 1, and what each kind has."""

    factors: dict[str, float]
    kinds: tuple[LearnedKind, ...]


def learned(index: Hierarchy, events: Iterable[Event], now: datetime) -> Learned:
    """What ``events`` up to ``now`` say of the entries of an index."""
    uses = _uses(index, events, now)
    kinds = {one.entry.id: _kind(one.entry.pointers) for one in index.entries}
    of_kind: dict[str, list[float]] = defaultdict(list)
    for id, kind in kinds.items():
        of_kind[kind].append(uses.get(id, 0.0))
    means = {kind: sum(found) / (len(found) + _UNUSED) for kind, found in of_kind.items()}
    factors = {id: _factor(uses.get(id, 0.0) + means[kind]) for id, kind in kinds.items()}
    told = (
        LearnedKind(kind, len(found), round(sum(found), 2), round(_factor(means[kind]), 4))
        for kind, found in sorted(of_kind.items())
    )
    return Learned({id: one for id, one in factors.items() if one != 1.0}, tuple(told))


def clock_at(root: Path, index: Hierarchy, now: datetime, rates: Decay) -> DecayClock:
    """The clock of an index; with what the journal at ``root`` teaches where the settings have it learn."""
    clock = clock_for(index, now, rates)
    if not rates.learn:
        return clock
    return clock._replace(learned=learned(index, read(root, now - REMEMBERED), now).factors)


def _uses(index: Hierarchy, events: Iterable[Event], now: datetime) -> dict[str, float]:
    days: dict[str, set[date]] = defaultdict(set)
    for event in events:
        if now - REMEMBERED <= event.at <= now:
            for key in (*event.used, *event.missed):
                if (found := index.find(key)) is not None:
                    days[found.entry.id].add(event.at.astimezone(now.tzinfo).date())
    weights = {
        id: sum(0.5 ** ((now.date() - day).days / HALVED) for day in sorted(used))
        for id, used in days.items()
    }
    return {id: weight - 1.0 for id, weight in weights.items() if weight > 1.0}


def _factor(uses: float) -> float:
    return max(LEAST, PRIOR / (PRIOR + uses))


def _kind(pointers: Iterable[Pointer]) -> str:
    path = next((one.path for one in pointers), "")
    return kind_of(path).value
