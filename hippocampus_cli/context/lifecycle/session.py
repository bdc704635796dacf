"""A session: its turn and its entries, and what may be done to them. Pure: every change gives a new session."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from hippocampus_cli.context.lifecycle.entry import ContextEntry, Priority
from hippocampus_cli.errors import ContextEntryNotFound


class Session(NamedTuple):
    """One session. ``begun``, ``updated`` and ``ended`` are ISO 8601 times; ``entries`` by id, in order of coming."""

    id: str
    begun: str
    updated: str
    turn: int = 0
    ended: str | None = None
    entries: Mapping[str, ContextEntry] = MappingProxyType({})

    def entry(self, key: str) -> ContextEntry:
        """The entry with this id. Raises :class:`ContextEntryNotFound`."""
        found = self.entries.get(key)
        if found is None:
            raise ContextEntryNotFound(id=key[:60], session=self.id)
        return found

    @property
    def next_id(self) -> str:
        """The id of the next entry: ``ctx_001``, ``ctx_002`` ... Entries are never removed."""
        return f"ctx_{len(self.entries) + 1:03d}"

    def with_entries(self, changed: Iterable[ContextEntry]) -> Session:
        """The session with these entries, new ones last."""
        return self._replace(entries={**self.entries, **{one.id: one for one in changed}})

    def change(
        self, keys: Iterable[str], change: Callable[[ContextEntry], ContextEntry]
    ) -> Session:
        """The session with ``change`` made to the entries ``keys``. Raises :class:`ContextEntryNotFound`."""
        return self.with_entries([change(self.entry(key)) for key in dict.fromkeys(keys)])


def advance(session: Session, turns: int = 1) -> Session:
    """The session some turns later. Strengths follow from the turn, so nothing else changes."""
    return session._replace(turn=session.turn + turns)


def touch(session: Session, keys: Iterable[str]) -> Session:
    """The entries accessed now: strength 1, clock reset. Raises :class:`ContextEntryNotFound`."""
    return session.change(keys, lambda entry: entry.accessed(session.turn))


def link(session: Session, keys: Iterable[str]) -> Session:
    """Each of the entries associated with each other. Raises :class:`ContextEntryNotFound`."""
    group = tuple(dict.fromkeys(keys))
    return session.change(
        group, lambda entry: entry.associated((*entry.modifiers.associations, *group))
    )


def unlink(session: Session, keys: Iterable[str]) -> Session:
    """The entries with no association between them. Raises :class:`ContextEntryNotFound`."""
    group = frozenset(keys)

    def without(entry: ContextEntry) -> ContextEntry:
        kept = (other for other in entry.modifiers.associations if other not in group)
        return entry.associated(tuple(kept))

    return session.change(group, without)


def pin(
    session: Session,
    keys: Iterable[str],
    priority: Priority = "critical",
    persist: bool | None = None,
) -> Session:
    """The entries with this priority, critical for no decay; ``persist`` None leaves that as it is.

    What is critical is not to leave the window, so it no longer expires. Raises :class:`ContextEntryNotFound`.
    """

    def pinned(entry: ContextEntry) -> ContextEntry:
        life = entry.lifecycle
        return entry._replace(
            modifiers=entry.modifiers._replace(priority=priority),
            lifecycle=life._replace(
                expires=None if priority == "critical" else life.expires,
                persist=life.persist if persist is None else persist,
            ),
        )

    return session.change(keys, pinned)
