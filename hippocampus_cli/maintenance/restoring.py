"""Bringing an entry back from the Decay Queue or the archive (decision D11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from hippocampus_cli.config.settings import Config
from hippocampus_cli.drafting.shelves import place_of
from hippocampus_cli.errors import EntryExists, EntryNotFound
from hippocampus_cli.index import fields
from hippocampus_cli.index.archive import is_queued, revived
from hippocampus_cli.index.clock import clock_for
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Form
from hippocampus_cli.index.files import ARCHIVE
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
    done: list[Restored] = []

    def change(index: Hierarchy) -> Hierarchy:
        done.clear()
        for key in dict.fromkeys(keys):
            index, one = _restored(index, key, config, now)
            done.append(one)
        return index.counted() if any(one.origin != "index" for one in done) else index

    scrub(root, config.lock.timeout_seconds)  # an old archive may have been put back
    IndexStore(root, config.lock.timeout_seconds).change(change, archive=True)
    return done


def _restored(
    index: Hierarchy, wanted: str, config: Config, now: datetime
) -> tuple[Hierarchy, Restored]:
    located = _wanted(index, wanted)
    origin, key = _origin(located), located.key
    if origin == "archive" and located.entry.id in index.ids:
        raise EntryExists(id=located.entry.id)
    if origin != "index":
        index = revived(index, key, place_of(index.master, located.entry))
        key = located.entry.id if origin == "archive" else key
        index = index.set_values({key: _as_new(index.by_key[key], index, config, now)})
    there = index.by_key[key]
    strength = clock_for(index, now, config.decay).strength(there.entry)
    return index, Restored(key, there.entry.topic, origin, there.section, round(strength, 4))


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


def _as_new(located: Located, index: Hierarchy, config: Config, now: datetime) -> dict[str, str]:
    clock = clock_for(index, now, config.decay)
    base = max(clock.base(located.entry), config.decay.initial)
    return {
        "accessed": clock.replayed(located.entry)["accessed"],
        "str": fields.write_strength(base),
        "base": fields.write_strength(base, 4),
    }
