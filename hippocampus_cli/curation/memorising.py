"""Writing a memory down: first into the log, which must hold it, then into the index."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from hippocampus_cli.anchors.following import keep_up
from hippocampus_cli.curation.adding import add_or_merge
from hippocampus_cli.curation.curator import Curator
from hippocampus_cli.curation.placing import place_for
from hippocampus_cli.curation.remembering import (
    Memory,
    Remembered,
    memory_of,
    remembered,
    saying,
)
from hippocampus_cli.curation.tagging import clean_tags, refuse_told
from hippocampus_cli.curation.waiting import Kept, keep, let_go, waiting
from hippocampus_cli.drafting.cut import section_passage
from hippocampus_cli.drafting.drafter import pointer_to
from hippocampus_cli.drafting.passage import Passage
from hippocampus_cli.drafting.shelves import shelf_of
from hippocampus_cli.errors import (
    BeingWritten,
    Busy,
    HippoError,
    IndexGone,
    IndexNotFound,
    IndexShrunk,
    MemoryKept,
)
from hippocampus_cli.index import fields
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.markdown.lines import encode
from hippocampus_cli.redaction.redactor import holds_placeholder
from hippocampus_cli.workspace.kinds import kind_of
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.note_store import change_note
from hippocampus_cli.workspace.redaction import redacted, redactor_for
from hippocampus_cli.workspace.tombstones import is_forgotten

SECRET_NOTICE = "this holds a secret: it stands in the note, and nowhere in the index"


def remember(
    curator: Curator,
    text: str,
    *,
    title: str | None = None,
    tags: Sequence[str] = (),
    pri: str = "normal",
) -> Remembered:
    """Append ``text`` to the day's log and index it; see :meth:`Workspace.remember` for what is raised."""
    refuse_told(tags, text)
    memory = memory_of(text, title, curator.now)
    wish = Kept(memory.text, memory.title, memory.at, clean_tags(tags), pri)
    for one, done in write_waiting(curator):
        if (one.text, one.tags, one.pri) == (wish.text, wish.tags, wish.pri):
            return done  # tried again by who was told that it waits
    return _written(curator, wish)


def write_waiting(curator: Curator) -> list[tuple[Kept, Remembered]]:
    """Write down what waits, as far as that can be done now."""
    found = []
    for one in waiting(curator.root):
        with contextlib.suppress(HippoError):
            found.append((one, _written(replace(curator, now=one.at), one, again=True)))
            let_go(curator.root, one, curator.config.lock.timeout_seconds)
    return found


def _written(curator: Curator, wish: Kept, *, again: bool = False) -> Remembered:
    config, now = curator.config, curator.now
    memory = Memory(wish.text, wish.title, wish.at)
    path = config.remember.log.replace("{date}", f"{now:%Y-%m-%d}").replace("\\", "/")
    written: list[tuple[str, Section]] = []

    def append(log: str | None) -> str:
        there = saying(Note(path, log or ""), memory) if again else None
        written[:] = [(log or "", there) if there else remembered(log, memory, path)]
        return written[0][0]

    try:
        change_note(curator.root, path, append, config.lock.timeout_seconds)
    except BeingWritten as error:
        keep(curator.root, wish, config.lock.timeout_seconds)
        raise MemoryKept(path=path) from error
    log, section = written[0]
    if is_forgotten(curator.root, path):
        notice = f"{path} was forgotten (hippo forget --list): it is neither indexed nor searched"
        return Remembered(path, section.title, section.start, section.tree_end, None, (notice,))
    passage = passage_of(curator.root, Note(path, log), section, now.date())
    entry, notices = index_memory(curator, passage, wish.tags, wish.pri, wish)
    if holds_placeholder(passage.title + passage.body):
        notices += (SECRET_NOTICE,)
    if len(encode(log)) > config.scan.max_file_bytes:
        notices += (f"{path} is larger than scan.max_file_bytes: it is not searched",)
    notices += keep_up(curator.root, config, [path], now, curator.opener)
    name = pointer_to(passage).section or section.title
    return Remembered(path, name, section.start, section.tree_end, entry, notices)


def passage_of(root: Path, note: Note, section: Section, day: date) -> Passage:
    """A section of a note as an entry may be drafted from it: without what must not be kept."""
    known = redacted(note, redactor_for(root))
    return section_passage(known, kind_of(note.path), day, known.sections[section.ordinal])


def index_memory(
    curator: Curator,
    passage: Passage,
    tags: tuple[str, ...],
    pri: str,
    wish: Kept | None = None,
) -> tuple[str | None, tuple[str, ...]]:
    """The id of the entry; where there can be none, why. The memory itself is safe in the log.

    A ``wish`` waits where the index is in use: what was asked for its entry is not in the log.
    """
    try:
        drafter = curator.drafter(curator.store.read())
        drafted = drafter.draft(passage, src=fields.Source.MANUAL)
        merged = clean_tags((*tags, *drafted.tags))[: max(len(tags), drafter.tags)]
        draft = replace(drafted, tags=merged, pri=fields.Priority(pri))
        shelf = shelf_of(passage)

        def change(index: Hierarchy) -> tuple[Hierarchy, str]:
            place = place_for(index, draft.pointers[0], shelf)
            return add_or_merge(index, draft, place, tags)

        return curator.change(change, archive=True)[1], ()
    except (IndexGone, IndexShrunk) as error:
        return None, (f"written down but not indexed: {error.message} ({error.advice})",)
    except IndexNotFound:
        return None, ("there is no index yet: `hippo bootstrap` makes one that finds this too",)
    except HippoError as error:
        if wish and isinstance(error, (BeingWritten, Busy)):
            with contextlib.suppress(HippoError):
                keep(curator.root, wish, curator.config.lock.timeout_seconds)
        return None, (f"written down but not indexed: {error.message}",)
