"""A session: its turn and its context entries (CONTEXT §14.1). Pure: every change gives a new session.

Named tuples, not dataclasses: an agent's hook waits for them to be imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, get_args

from hippocampus_cli.errors import ContextEntryNotFound, UsageError
from hippocampus_cli.fast_types import NamedTuple

EntryType = Literal["tool_result", "message", "state", "memory"]
ContextPriority = Literal["critical", "high", "normal", "low"]
Encoding = Literal["manual", "auto"]
Compression = Literal["normal", "aggressive"]

ENTRY_TYPES: tuple[EntryType, ...] = get_args(EntryType)
PRIORITIES: tuple[ContextPriority, ...] = get_args(ContextPriority)
COMPRESSIONS: tuple[Compression, ...] = get_args(Compression)


class EntrySource(NamedTuple):
    """Where an entry's content came from: how to fetch it again, and under which name; ``turn`` of capture."""

    type: str
    ref: str
    turn: int
    retrievable: bool = True


class EntryDecay(NamedTuple):
    """How an entry fades: ``rate`` per turn, the ``floor`` of its strength, the turn of its last access."""

    rate: float
    floor: float = 0.0
    last_access: int = 0


class Modifiers(NamedTuple):
    """What slows or hastens decay; ``associations`` are ids of entries of the same session."""

    priority: ContextPriority = "normal"
    encoding: Encoding = "auto"
    associations: tuple[str, ...] = ()


class Lifecycle(NamedTuple):
    """The turn of creation, the turn from which the entry is expired, and whether to write it to MEMORY.md."""

    created: int
    expires: int | None = None
    persist: bool = False


def digest_of(content: bytes) -> str:
    """The name under which content is stored: its SHA-256."""
    from hashlib import sha256  # loads OpenSSL, which a turn does not need

    return sha256(content).hexdigest()


class Content(NamedTuple):
    """What was added, byte for byte in the session's store under its ``sha256``.

    ``kind`` is what it was read as (``json``, ``log`` ...); ``tokens`` its estimated size. ``exact``: its source, a
    file of the workspace, held exactly these bytes, so that it may be read there again.
    """

    sha256: str
    bytes: int
    tokens: int
    kind: str
    exact: bool = False


class ContextEntry(NamedTuple):
    """One entry. ``strength`` is the strength at the last access, so that turns never compound (decision D13).

    ``summary_tokens`` is the size of summary and key data. ``indexed``: the window holds these, else the content
    itself (CONTEXT §6.1). ``stale``: the source is gone. ``earlier`` are contents (their hashes) that the source
    has replaced, the one that was added first.
    """

    id: str
    type: EntryType
    source: EntrySource
    summary: str
    key_data: Mapping[str, object]
    strength: float
    decay: EntryDecay
    modifiers: Modifiers
    lifecycle: Lifecycle
    content: Content = Content("", 0, 0, "")
    summary_tokens: int = 0
    indexed: bool = True
    stale: bool = False
    earlier: tuple[str, ...] = ()

    @property
    def as_added(self) -> str:
        """The hash of the content as it was added."""
        return self.earlier[0] if self.earlier else self.content.sha256

    def accessed(self, turn: int) -> ContextEntry:
        """The entry as an access at ``turn`` leaves it: its strength 1, its clock reset (CONTEXT §8.2)."""
        return self._replace(strength=1.0, decay=self.decay._replace(last_access=turn))

    def associated(self, others: tuple[str, ...]) -> ContextEntry:
        """The entry with these associations, each once and never itself."""
        ids = tuple(dict.fromkeys(other for other in others if other != self.id))
        return self._replace(modifiers=self.modifiers._replace(associations=ids))


class ContextSession(NamedTuple):
    """One session. ``begun``, ``updated`` and ``ended`` are ISO 8601 times; ``entries`` by id, in order of coming."""

    id: str
    begun: str
    updated: str
    turn: int = 0
    ended: str | None = None
    entries: Mapping[str, ContextEntry] = MappingProxyType({})

    def entry(self, key: str) -> ContextEntry:
        """The entry with this id. Raises :class:`ContextEntryNotFound`."""
        if key not in self.entries:
            raise ContextEntryNotFound(id=key[:60], session=self.id)
        return self.entries[key]

    @property
    def next_id(self) -> str:
        """The id of the next entry: ``ctx_001``, ``ctx_002`` ... Entries are never removed."""
        return f"ctx_{len(self.entries) + 1:03d}"

    def with_entries(self, changed: Iterable[ContextEntry]) -> ContextSession:
        """The session with these entries, new ones last."""
        return self._replace(entries={**self.entries, **{entry.id: entry for entry in changed}})

    def used_together(self, key: str) -> ContextSession:
        """The session with an entry and those that the same turn accessed associated; coming in is no access."""
        used = [
            other
            for other, entry in self.entries.items()
            if entry.decay.last_access == self.turn > entry.lifecycle.created
        ]
        if key not in used:
            return self
        links = dict.fromkeys(used, (key,)) | {key: tuple(used)}
        return self.change(
            used,
            lambda entry: entry.associated((*entry.modifiers.associations, *links[entry.id])),
        )

    def change(
        self, keys: Iterable[str], change: Callable[[ContextEntry], ContextEntry]
    ) -> ContextSession:
        """The session with ``change`` made to the entries ``keys``. Raises :class:`ContextEntryNotFound`."""
        return self.with_entries([change(self.entry(key)) for key in dict.fromkeys(keys)])


def touch(session: ContextSession, keys: Iterable[str]) -> ContextSession:
    """The entries accessed now: strength 1, clock reset. Raises :class:`ContextEntryNotFound`."""
    return session.change(keys, lambda entry: entry.accessed(session.turn))


def link(session: ContextSession, keys: Iterable[str]) -> ContextSession:
    """Each of the entries associated with each other. Raises :class:`ContextEntryNotFound`."""
    group = tuple(dict.fromkeys(keys))
    return session.change(
        group, lambda entry: entry.associated((*entry.modifiers.associations, *group))
    )


def pin(
    session: ContextSession,
    keys: Iterable[str],
    priority: ContextPriority = "critical",
    persist: bool | None = None,
) -> ContextSession:
    """The entries with this priority, critical for no decay; ``persist`` None leaves that as it is.

    What is critical is not to leave the window, so it no longer expires. Raises :class:`ContextEntryNotFound`,
    :class:`UsageError`.
    """
    check_choice(priority, PRIORITIES)

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


def check_choice(word: str, choices: Sequence[str]) -> None:
    """Raises :class:`UsageError` for a word that a session could not be read with again."""
    if word not in choices:
        advice = f"use one of {', '.join(choices)}"
        raise UsageError(reason=f"{word!r} is not known here", advice=advice)
