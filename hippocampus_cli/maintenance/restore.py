"""Bringing an entry back from the Decay Queue or the archive (decision D11)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from hippocampus_cli.config.settings import Config
from hippocampus_cli.entries.sections import place_of
from hippocampus_cli.errors import EntryExists, EntryNotFound
from hippocampus_cli.index.archive import all_revived, is_queued
from hippocampus_cli.index.clock import clock_for
from hippocampus_cli.index.decay import DecayClock, written
from hippocampus_cli.index.document import ARCHIVE, Located
from hippocampus_cli.index.entry import Form
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.scrub import scrub
from hippocampus_cli.workspace.store import IndexStore


@dataclass(frozen=True)
class Restored:
    """An entry that is back, and where it stands now.

    ``origin`` is where it was: ``queue``, ``archive``, or ``index`` if it had never left.
    """

    id: str
    topic: str
    origin: str
    section: tuple[str, ...]
    strength: float


def restore(root: Path, config: Config, now: datetime, keys: Sequence[str]) -> list[Restored]:
    """Bring entries back, all of them or none, as strong as new ones: who asks for one wants it found.

    Raises :class:`EntryNotFound`, :class:`EntryExists` where a living entry has the id by now.
    """

    def change(index: Hierarchy) -> tuple[Hierarchy, list[Restored]]:
        wanted = {one.key: one for one in (_wanted(index, key) for key in keys)}
        index = _restored(index, wanted.values(), config, now)
        clock = clock_for(index, now, config.decay)
        done = [
            _report(index.by_key[_new_key(one)], _origin(one), clock) for one in wanted.values()
        ]
        return (index.counted() if any(one.origin != "index" for one in done) else index), done

    scrub(root, config)  # an old archive may have been put back
    store = IndexStore(root, config.lock.timeout_seconds, config.upkeep.loss_limit)
    return store.change(change, archive=True)[1]


def _restored(
    index: Hierarchy, wanted: Iterable[Located], config: Config, now: datetime
) -> Hierarchy:
    """The index with all of them back; what never left stays as it is."""
    leaving = [one for one in wanted if _origin(one) != "index"]
    living = set(index.ids)
    for one in leaving:
        if _origin(one) == "archive" and one.entry.id in living:
            raise EntryExists(id=one.entry.id)
        living.add(one.entry.id)
    index = all_revived(index, {one.key: place_of(index.master, one.entry) for one in leaving})
    clock = clock_for(index, now, config.decay)
    keys = [_new_key(one) for one in leaving]
    return index.set_values({key: _as_new(index.by_key[key], clock, config) for key in keys})


def _new_key(located: Located) -> str:
    """An entry's key once it is back: in the archive it may have had another one than its id."""
    return located.entry.id if _origin(located) == "archive" else located.key


def _report(there: Located, origin: str, clock: DecayClock) -> Restored:
    strength = round(clock.strength(there.entry), 4)
    return Restored(there.key, there.entry.topic, origin, there.section, strength)


def _wanted(index: Hierarchy, key: str) -> Located:
    """The entry, archived ones first: a merged id stands for another entry while it lives."""
    for one in index.archived:
        if key in (one.key, one.entry.id):
            return one
    located = index.find(key)
    if located is None:
        raise EntryNotFound(id=key, nearest="")
    return located


def _origin(located: Located) -> str:
    if located.file.startswith(ARCHIVE):
        return "archive"
    moved = is_queued(located) and located.entry.form is Form.HEADING  # a bullet stays where it is
    return "queue" if moved else "index"


def _as_new(located: Located, clock: DecayClock, config: Config) -> dict[str, str]:
    base = max(clock.base(located.entry), config.decay.initial)
    return {
        "accessed": clock.replayed(located.entry)["accessed"],
        **written(base, base, located.entry),
    }
