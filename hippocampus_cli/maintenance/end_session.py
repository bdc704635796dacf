"""The end of a session: what is worth keeping goes to MEMORY.md and the index (CONTEXT §9.2)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hippocampus_cli.context.lifecycle.consolidate import (
    MEMORY,
    entry_states,
    memory_text,
    worth_keeping,
)
from hippocampus_cli.context.lifecycle.context_session import ContextSessions
from hippocampus_cli.context.lifecycle.session import ContextEntry, ContextSession
from hippocampus_cli.context.lifecycle.store import SessionChange
from hippocampus_cli.entries.index_writer import IndexWriter
from hippocampus_cli.entries.kept import Kept, saying
from hippocampus_cli.entries.remember import Remembered, indexed, memory_of, remembered
from hippocampus_cli.errors import SessionNotFound
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.note_store import change_note
from hippocampus_cli.workspace.read import read_note
from hippocampus_cli.workspace.store import IndexStore

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Opener


class KeptEntry(Frozen):
    """An entry that was written to MEMORY.md, or stood there already (not ``new``); ``entry`` is its index entry.

    ``start_line`` and ``end_line`` are 1-based and inclusive.
    """

    id: str
    path: str
    section: str
    start_line: int
    end_line: int
    entry: str | None
    new: bool
    notices: tuple[str, ...]


_Place = tuple[Section, bool]
"""A section of MEMORY.md, and whether it is new."""


class Ended(Frozen):
    """A session that has ended: what was kept, what was marked to persist and had faded, how many stay behind."""

    session: str
    turn: int
    kept: tuple[KeptEntry, ...]
    faded: tuple[str, ...]
    rest: int
    dry_run: bool


def end_session(
    keeper: ContextSessions, key: str, *, dry_run: bool = False, opener: Opener | None = None
) -> Ended:
    """End a session: what is worth keeping goes to MEMORY.md, each under a heading of its own, and to the index.

    A session whose end was cut short can be ended again: nothing is written twice. ``dry_run`` only says what would
    be kept. ``opener`` opens the embedder of the settings. Raises :class:`SessionNotFound`, and what writing a note
    raises; then the session is still open.
    """
    root, config = keeper.root, keeper.config
    store = IndexStore(root, config)
    writer = IndexWriter(root, config, store, keeper.now, opener)
    while True:
        session = keeper.store.read(key)
        if session.ended is not None:
            raise SessionNotFound(
                reason=f"the session {key} has ended already",
                advice="`hippo context get` still reads it",
            )
        standings = entry_states(session, config.context)
        worth = [one.entry for one in worth_keeping(standings, config.context)]
        note, places = _written(keeper, session, worth, dry_run)
        kept = _kept(worth, note, places, None if dry_run else writer)
        if dry_run or _close(keeper, session):
            break
    chosen = {item.id for item in kept}
    marked = (standing.entry for standing in standings if standing.entry.lifecycle.persist)
    faded = tuple(entry.id for entry in marked if entry.id not in chosen)
    return Ended(key, session.turn, kept, faded, len(session.entries) - len(kept), dry_run)


def tidy_sessions(
    keeper: ContextSessions, *, dry_run: bool = False, opener: Opener | None = None
) -> list[str]:
    """Archival consolidation for a monthly cycle (CONTEXT §9.3): sessions that nobody uses are ended; their ids."""
    idle = keeper.store.idle_sessions(keeper.now, keeper.config.context.idle_days)
    for key in idle:
        end_session(keeper, key, dry_run=dry_run, opener=opener)
    return idle


def _written(
    keeper: ContextSessions, session: ContextSession, entries: Sequence[ContextEntry], dry_run: bool
) -> tuple[Note, list[_Place]]:
    """MEMORY.md with the entries as sections, and where each stands; with ``dry_run`` as it would be."""
    memories = [_memory(keeper, session, entry) for entry in entries]
    places: list[_Place] = []
    note = Note(MEMORY, "")

    def append(text: str | None) -> str:
        nonlocal note
        places.clear()
        before = text or ""
        note = Note(MEMORY, before if before.strip("\ufeff \t\r\n") else before + "# Memory\n")
        for memory in memories:
            there = section = saying(note, memory.text)
            if section is None:
                heading = f"{memory.title} ({memory.at:%Y-%m-%d})"  # an hour says nothing here
                written, section = remembered(note.text, memory, MEMORY, heading)
                note = Note(MEMORY, written)
            places.append((section, there is None))
        return note.text if any(new for _, new in places) else before

    if memories and dry_run:
        there = os.path.lexists(keeper.root / MEMORY)
        most = keeper.config.context.max_content_bytes
        append(read_note(keeper.root, MEMORY, most).text if there else None)
    elif memories:
        change_note(keeper.root, MEMORY, append, keeper.config.lock.timeout_seconds)
    return note, places


def _memory(keeper: ContextSessions, session: ContextSession, entry: ContextEntry) -> Kept:
    text = keeper.text(session.id, entry)
    words = memory_text(entry, text, keeper.config.context.persist_tokens).replace("\0", " ")
    return memory_of(words, None, keeper.now)


def _kept(
    entries: Sequence[ContextEntry],
    note: Note,
    places: Sequence[_Place],
    writer: IndexWriter | None,
) -> tuple[KeptEntry, ...]:
    """The entries where they stand now, with those of the index, which are made where there is none yet."""
    kept = []
    for entry, (section, new) in zip(entries, places, strict=True):
        done = Remembered(MEMORY, section.title, section.start, section.tree_end, None)
        if writer is not None:
            done = indexed(writer, note, section)
        kept.append(
            KeptEntry(
                entry.id,
                MEMORY,
                done.section,
                done.start_line,
                done.end_line,
                done.entry,
                new,
                done.notices,
            )
        )
    return tuple(kept)


def _close(keeper: ContextSessions, seen: ContextSession) -> bool:
    """Mark the session as ended, unless entries came or changed since it was ``seen``; whether it is."""
    stamp = keeper.stamp()

    def close(now: ContextSession) -> tuple[SessionChange, bool]:
        if now.entries != seen.entries:
            return SessionChange(now), False
        return SessionChange(now._replace(ended=stamp, updated=stamp)), True

    return keeper.store.change(seen.id, close)[1]
