"""Choosing and ordering entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from hippocampus_cli.config.settings import Bands
from hippocampus_cli.curation.state import EntryState, state_of
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.files import MASTER
from hippocampus_cli.workspace.dates import Period, period_of
from hippocampus_cli.workspace.kinds import kind_of
from hippocampus_cli.workspace.paths import normal

SORTS = ("strength", "hits", "age", "topic", "file")
_NEVER = date.min


@dataclass(frozen=True, slots=True)
class Which:
    """Conditions on an entry, all of them; an empty one is met by every entry.

    ``kinds``, ``paths`` (patterns as in ``.gitignore``) and the days are about the files it points at, one
    of which has to meet each of them; the day of a file that names none is the day the entry was created.
    """

    tags: frozenset[str] = frozenset()
    priorities: frozenset[str] = frozenset()
    bands: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    paths: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None


def choose(
    entries: Iterable[Located], clock: DecayClock, bands: Bands, which: Which
) -> list[EntryState]:
    """The entries that meet every condition, in their order."""
    on_path = _path_test(which.paths)
    found = []
    for located in entries:
        state = state_of(located, clock, bands)
        if _meets(state, which) and _points_there(located.entry, which, on_path):
            found.append(state)
    return found


def order(states: Iterable[EntryState], sort: str, *, reverse: bool = False) -> list[EntryState]:
    """Sorted by one of ``SORTS``: the strongest, most used, newest first; topics from a to z; as filed."""
    keys: dict[str, Callable[[EntryState], object]] = {
        "strength": lambda one: (-one.strength, -one.hits, one.line),
        "hits": lambda one: (-one.hits, -one.strength, one.line),
        "age": lambda one: (-_day(one.created).toordinal(), one.line),
        "topic": lambda one: (one.topic.casefold(), one.line),
        "file": lambda one: (one.file != MASTER, one.file, one.line),
    }
    ordered = sorted(states, key=keys[sort])  # type: ignore[arg-type]
    return ordered[::-1] if reverse else ordered


def _meets(state: EntryState, which: Which) -> bool:
    if which.priorities and state.pri not in which.priorities:
        return False
    if which.bands and state.band not in which.bands:
        return False
    return not which.tags or bool(which.tags & {tag.casefold() for tag in state.tags})


def _points_there(entry: Entry, which: Which, on_path: Callable[[str], bool] | None) -> bool:
    if not (which.kinds or which.since or which.until or on_path):
        return True
    for pointer in entry.pointers:
        path = normal(pointer.path.replace("\\", "/"))
        if path is None or (which.kinds and kind_of(path).value not in which.kinds):
            continue
        if (on_path is None or on_path(path)) and _in_time(path, entry, which):
            return True
    return False


def _in_time(path: str, entry: Entry, which: Which) -> bool:
    if which.since is None and which.until is None:
        return True
    days = period_of(path) or _created(entry)
    if days is None:
        return False
    return (which.since is None or days[1] >= which.since) and (
        which.until is None or days[0] <= which.until
    )


def _created(entry: Entry) -> Period | None:
    if entry.created is None:
        return None
    day = _day(entry.created)
    return day, day


def _path_test(patterns: Sequence[str]) -> Callable[[str], bool] | None:
    if not patterns:
        return None
    from hippocampus_cli.workspace.ignore import spec_of

    return spec_of(patterns).match_file


def _day(moment: date | datetime | None) -> date:
    if moment is None:
        return _NEVER
    return moment.date() if isinstance(moment, datetime) else moment
