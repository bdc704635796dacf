"""Adopting a minimal index: bare bullets get metadata in place (decision D6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date

from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index import metadata
from hippocampus_cli.index.decay import DecayClock, written
from hippocampus_cli.index.document import Document, Located
from hippocampus_cli.index.edit import free_id
from hippocampus_cli.index.entry import Entry, Form
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.redaction.redactor import Redactor, filled, secrets_in

DayOf = Callable[[Pointer], date | None]


@dataclass(frozen=True, slots=True)
class Adopted:
    """A bullet that became a full entry: where it stands and what it was given."""

    id: str
    line: int
    topic: str
    pointer: str
    created: date


def adopt(
    document: Document, clock: DecayClock, day_of: DayOf, taken: Iterable[str] = ()
) -> tuple[Document, list[Adopted]]:
    """The document with an ``hx`` comment at the end of each bullet without an id; no other byte changes.

    ``created`` is the day of the file pointed at (``day_of``), else today. It counts as accessed today: who
    adopts a bullet says that it holds, and until then it did not decay. ``taken`` are ids in other files.

    Raises :class:`IndexRefused` where a comment above that is never closed would swallow the new one.
    """
    original = document
    waiting = [located for located in document.entries if _waits(located)]
    used = {one.entry.id for one in document.entries if not _waits(one)}.union(taken)
    adopted = []
    for located in waiting:
        key = free_id(metadata.slug(_named(located.entry.topic)), used)
        used.add(key)
        pointer = located.entry.pointers[0] if located.entry.pointers else None
        today = clock.now.date()
        created = min((day_of(pointer) if pointer else None) or today, today)
        values = _values(key, created, today, clock.rates.initial)
        document = document.with_node(located.node, _given(located.entry, values))
        adopted.append(Adopted(key, located.line, located.entry.topic, str(pointer or ""), created))
    _verify(original, document, waiting)
    return document, adopted


def _named(topic: str) -> str:
    """A topic without secrets: the bullet is its writer's, its id is not."""
    return filled(Redactor((secrets_in,)).redact(topic))


def _given(entry: Entry, values: dict[str, str]) -> Entry:
    for name, raw in values.items():
        if raw and not entry.values.get(name):
            entry = entry.with_value(name, raw)
    return entry


def _verify(before: Document, after: Document, adopted: list[Located]) -> None:
    """Refuse what would read otherwise than it was meant, and name the first bullet that would."""
    if parse(after.text) == after:
        return
    for located in adopted:
        one = before.with_node(located.node, after.nodes[located.node])
        if parse(one.text) != one:
            reason = f"a comment on {located.entry.topic!r} would close one that is left open above"
            raise IndexRefused(line=located.line, reason=reason)
    raise IndexRefused(reason="the bullets would read otherwise than they were meant")


def _waits(located: Located) -> bool:
    entry = located.entry
    return entry.form is Form.BULLET and not metadata.read_text(entry.values.get("id", ""))


def _values(key: str, created: date, today: date, strength: float) -> dict[str, str]:
    return {
        "id": metadata.write_text(key),
        "created": metadata.write_date(created),
        "accessed": metadata.write_date(today),
        "hits": "0",
        **written(strength, strength),
        "src": metadata.Source.MANUAL.value,
    }
