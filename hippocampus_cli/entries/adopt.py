"""Adopting a minimal index: bare bullets get metadata in place (decision D6)."""

from __future__ import annotations

from datetime import date
from functools import partial

from hippocampus_cli.entries.index_writer import IndexWriter
from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index import metadata
from hippocampus_cli.index.document import MASTER, Located
from hippocampus_cli.index.entry import Entry, Form
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.redaction.redactor import Redactor, filled, secrets_in
from hippocampus_cli.workspace.kinds import period_of


class Adopted(Frozen):
    """A bullet that became a full entry: where it stands and what it was given."""

    id: str
    line: int
    topic: str
    pointer: str
    created: date


def adopt_bullets(writer: IndexWriter, *, dry_run: bool) -> list[Adopted]:
    """Give every bare bullet metadata; with ``dry_run`` only say which."""
    change = partial(adopt, today=writer.now.date())
    if dry_run:
        return change(writer.store.read(archive=True))[1]
    return writer.change(change)[1]


def adopt(index: Hierarchy, today: date) -> tuple[Hierarchy, list[Adopted]]:
    """The index with an ``hx`` comment at the end of each bullet of the master without an id; no other byte changes.

    ``created`` is the day in the name of the file pointed at, else today. It counts as accessed today: who
    adopts a bullet says that it holds, and until then it did not decay.

    Raises :class:`IndexRefused` where a comment above that is never closed would swallow the new one.
    """
    waiting = [located for located in index.entries if _waits(located)]
    used = {located.entry.id for located in index.by_key.values() if not _waits(located)}
    changes = {}
    adopted = []
    for located in waiting:
        entry = located.entry
        # the bullet is its writer's, its id is not
        named = filled(Redactor((secrets_in,)).redact(entry.topic))
        key = metadata.free_id(metadata.slug(named), used)
        used.add(key)
        days = period_of(entry.pointers[0].path)
        created = min(days[1], today) if days else today
        values = {  # what is default is left out
            "id": metadata.write_text(key),
            "created": metadata.write_date(created),
            "accessed": "" if created == today else metadata.write_date(today),
            "src": metadata.Source.MANUAL.value,
        }
        lacking = {name: raw for name, raw in values.items() if not entry.values.get(name)}
        changes[located.key] = partial(Entry.with_values, values=lacking)
        adopted.append(Adopted(key, located.line, entry.topic, str(entry.pointers[0]), created))
    try:
        return (index.change_all(changes) if changes else index), adopted
    except IndexRefused as refused:
        refused.line = refused.line or waiting[0].line
        raise


def _waits(located: Located) -> bool:
    entry = located.entry
    bare = entry.form is Form.BULLET and not metadata.read_text(entry.values.get("id", ""))
    return bare and located.file == MASTER and bool(entry.pointers)
