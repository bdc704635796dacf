"""Into the archive and back: nothing is ever deleted (decision D11)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from hippocampus_cli.index import edit, fields
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.draft import free_id
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy, archive_file
from hippocampus_cli.index.home import home_of, home_value

MARKS = ("archived", "why", "into", "home", "queued")
"""The keys that say that an entry was put away, and from where."""


def retired(
    index: Hierarchy, keys: Iterable[str], why: str, day: date, into: str = ""
) -> Hierarchy:
    """The index with these entries moved to the day's month of the archive.

    ``why`` is ``pruned``, ``archived``, ``merged`` (with ``into``, the id of the entry that took it in) or
    ``undone``. The section an entry stood in is kept as ``home``. Raises :class:`EntryNotFound`.
    """
    wanted = list(keys)
    for key in wanted:
        located = index.by_key.get(key) or edit.find(index.master, key)
        marks = _marks(located, why, day, into)
        index = index.change(key, lambda entry, marks=marks: _with(entry, marks))  # type: ignore[misc]
    return index.moved(wanted, (), archive_file(f"{day:%Y-%m}"))


def stored(index: Hierarchy, located: Located, why: str, day: date) -> Hierarchy:
    """The index with an entry in its archive that stands nowhere in it."""
    entry = _with(located.entry, _marks(located, why, day, ""))
    return index.add((), [edit.block_of(entry)], archive_file(f"{day:%Y-%m}"))


def revived(index: Hierarchy, key: str) -> tuple[Hierarchy, str]:
    """The index with an archived entry back in the section it came from, and its id.

    The entry it was merged into no longer answers for it. Raises :class:`EntryNotFound`.
    """
    located = index.by_key.get(key) or edit.find(index.master, key)
    home = home_of(located.entry, index)
    wanted = located.entry.id
    heir = index.aliases.get(wanted)
    if heir:
        index = index.change(heir, lambda entry: _without_alias(entry, wanted))
    free = free_id(wanted, index.ids)

    def back(entry: Entry) -> Entry:
        for name in MARKS:
            entry = entry.without(name)
        return entry if free == wanted else entry.with_value("id", fields.write_text(free))

    index = index.change(key, back)
    moving = next(
        one for one in index.archived if one.node == located.node and one.file == located.file
    )
    return index.moved([moving.key], home), free


def _marks(located: Located, why: str, day: date, into: str) -> dict[str, str]:
    home = located.entry.values.get("home") or home_value(located.section)
    marks = {
        "archived": fields.write_date(day),
        "why": why,
        "into": fields.write_text(into),
        "home": home,
    }
    return {name: raw for name, raw in marks.items() if raw}


def _with(entry: Entry, values: dict[str, str]) -> Entry:
    for name, raw in values.items():
        entry = entry.with_value(name, raw)
    return entry


def _without_alias(entry: Entry, alias: str) -> Entry:
    left = fields.write_list(one for one in entry.aka if one != alias)
    return entry.with_value("aka", left) if left else entry.without("aka")
