"""The end of a session: what is worth keeping goes to MEMORY.md and the index (CONTEXT §9.2)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hippocampus_cli.context.lifecycle.consolidate import (
    MEMORY,
    memory_text,
    section_saying,
    worth_keeping,
)
from hippocampus_cli.context.lifecycle.context_session import ContextSessions
from hippocampus_cli.context.lifecycle.ingest import text_of
from hippocampus_cli.context.lifecycle.session import ContextEntry, ContextSession
from hippocampus_cli.context.lifecycle.store import SessionChange
from hippocampus_cli.entries.index_writer import IndexWriter
from hippocampus_cli.entries.kept import Memory
from hippocampus_cli.entries.remember import index_memory, memory_of, passage_of, remembered
from hippocampus_cli.errors import SessionNotFound
from hippocampus_cli.search.embed import follow_notes
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.note_store import change_note
from hippocampus_cli.workspace.read import read_note
from hippocampus_cli.workspace.store import IndexStore

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Opener


@dataclass(frozen=True, slots=True)
class KeptEntry:
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
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ended:
    """A session that has ended: what was kept, what was marked to persist and had faded, how many stay behind."""

    session: str
    turn: int
    kept: tuple[KeptEntry, ...]
    faded: tuple[str, ...]
    rest: int
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class _Titled(Memory):
    """A memory under its title and day; a log's hour says nothing in MEMORY.md."""

    @property
    def heading(self) -> str:
        return f"{self.title} ({self.at:%Y-%m-%d})"


def end_session(
    keeper: ContextSessions, key: str, *, dry_run: bool = False, opener: Opener | None = None
) -> Ended:
    """End a session: what is worth keeping goes to MEMORY.md, each under a heading of its own, and to the index.

    A session whose end was cut short can be ended again: nothing is written twice. ``dry_run`` only says what would
    be kept. ``opener`` opens the embedder of the settings. Raises :class:`SessionNotFound`, and what writing a note
    raises; then the session is still open.
    """
    while True:
        session = keeper.store.read(key)
        if session.ended is not None:
            reason = f"the session {key} has ended already"
            raise SessionNotFound(reason=reason, advice="`hippo context get` still reads it")
        standings = keeper.standings(session)
        worth = [one.entry for one in worth_keeping(standings, keeper.config.context)]
        kept = _written(keeper, session, worth, dry_run)
        if dry_run:
            break
        kept = _indexed(keeper, kept, opener)
        if _close(keeper, session):
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
) -> tuple[KeptEntry, ...]:
    """The entries as sections of MEMORY.md; with ``dry_run`` as they would be."""
    texts = [(entry, _memory(keeper, session, entry)) for entry in entries]
    kept: list[KeptEntry] = []

    def append(text: str | None) -> str:
        kept.clear()
        written = text if text and text.strip("\ufeff \t\r\n") else (text or "") + "# Memory\n"
        for entry, memory in texts:
            there = section_saying(Note(MEMORY, written), memory.text)
            if there is None:
                written, section = remembered(written, memory, MEMORY)
            one, new = there or section, there is None
            lines = one.start, one.tree_end
            kept.append(KeptEntry(entry.id, MEMORY, one.title, *lines, None, new))
        return written if any(item.new for item in kept) else text or ""

    if texts and dry_run:
        append(_text(keeper))
    elif texts:
        change_note(keeper.root, MEMORY, append, keeper.config.lock.timeout_seconds)
    return tuple(kept)


def _memory(keeper: ContextSessions, session: ContextSession, entry: ContextEntry) -> _Titled:
    data = keeper.store.content(session.id, entry.content.sha256)
    text = None if data is None else text_of(data)
    words = memory_text(entry, text, keeper.config.context.persist_tokens).replace("\0", " ")
    made = memory_of(words, None, keeper.now)
    return _Titled(made.text, made.title, made.at)


def _text(keeper: ContextSessions) -> str | None:
    """MEMORY.md as it stands, ``None`` where there is none. Raises :class:`FileUnreadable`."""
    if not os.path.lexists(keeper.root / MEMORY):
        return None
    return read_note(keeper.root, MEMORY, keeper.config.context.max_content_bytes).text


def _indexed(
    keeper: ContextSessions, kept: Sequence[KeptEntry], opener: Opener | None
) -> tuple[KeptEntry, ...]:
    """The same with their entries in the index, made where there is none yet, and all that is derived up to date."""
    root, config = keeper.root, keeper.config
    store = IndexStore(root, config.lock.timeout_seconds, config.upkeep.loss_limit)
    writer = IndexWriter(root, config, store, keeper.now)
    note = Note(MEMORY, _text(keeper) or "")
    starts = {section.start: section for section in note.sections}
    done: list[KeptEntry] = []
    for item in kept:
        section = starts.get(item.start_line)
        if section is None or section.title != item.section:
            notices: tuple[str, ...] = ("MEMORY.md was changed meanwhile: not indexed",)
            done.append(replace(item, notices=notices))
            continue
        passage = passage_of(root, note, section, keeper.now.date())
        entry, notices = index_memory(writer, passage, (), "normal")
        done.append(replace(item, entry=entry, notices=notices))
    if any(item.new for item in kept):
        followed = follow_notes(root, config, opener)
        done[-1] = replace(done[-1], notices=(*done[-1].notices, *followed))
    return tuple(done)


def _close(keeper: ContextSessions, seen: ContextSession) -> bool:
    """Mark the session as ended, unless entries came or changed since it was ``seen``; whether it is."""
    stamp = keeper.stamp()

    def close(now: ContextSession) -> tuple[SessionChange, bool]:
        if now.entries != seen.entries:
            return SessionChange(now), False
        return SessionChange(now._replace(ended=stamp, updated=stamp)), True

    return keeper.store.change(seen.id, close)[1]
