"""Writing a memory down: first into the log, which must hold it, then into the index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hippocampus_cli.anchors.following import keep_up
from hippocampus_cli.curation.curator import Curator
from hippocampus_cli.curation.remembering import Remembered, memory_of, remembered
from hippocampus_cli.curation.tagging import clean_tags
from hippocampus_cli.drafting.cut import section_passage
from hippocampus_cli.drafting.drafter import pointer_to
from hippocampus_cli.drafting.passage import Passage
from hippocampus_cli.drafting.shelves import shelf_of
from hippocampus_cli.errors import HippoError, IndexNotFound
from hippocampus_cli.index import fields
from hippocampus_cli.markdown.lines import encode
from hippocampus_cli.workspace.kinds import kind_of
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.note_store import change_note
from hippocampus_cli.workspace.tombstones import is_forgotten


def remember(
    curator: Curator,
    text: str,
    *,
    title: str | None = None,
    tags: Sequence[str] = (),
    pri: str = "normal",
) -> Remembered:
    """Append ``text`` to the day's log and index it; see :meth:`Workspace.remember` for what is raised."""
    config, now = curator.config, curator.now
    memory = memory_of(text, title, now)
    words = clean_tags(tags)
    path = config.remember.log.replace("{date}", f"{now:%Y-%m-%d}").replace("\\", "/")
    written: list[tuple[str, Section]] = []

    def append(log: str | None) -> str:
        written[:] = [remembered(log, memory, path)]
        return written[0][0]

    change_note(curator.root, path, append, config.lock.timeout_seconds)
    log, section = written[0]
    passage = section_passage(Note(path, log), kind_of(path), now.date(), section)
    if is_forgotten(curator.root, path):
        notice = f"{path} was forgotten (hippo forget --list): it is neither indexed nor searched"
        return Remembered(path, section.title, section.start, section.tree_end, None, (notice,))
    entry, notices = index_memory(curator, passage, words, pri)
    if len(encode(log)) > config.scan.max_file_bytes:
        notices += (f"{path} is larger than scan.max_file_bytes: it is not searched",)
    notices += keep_up(curator.root, config, [path], now, curator.opener)
    name = pointer_to(passage).section or section.title
    return Remembered(path, name, section.start, section.tree_end, entry, notices)


def index_memory(
    curator: Curator, passage: Passage, tags: tuple[str, ...], pri: str
) -> tuple[str | None, tuple[str, ...]]:
    """The id of the new entry; where there can be none, why. The memory itself is safe in the log."""
    try:
        drafter = curator.drafter(curator.store.read())
        drafted = drafter.draft(passage, src=fields.Source.MANUAL)
        merged = clean_tags((*tags, *drafted.tags))[: max(len(tags), drafter.tags)]
        draft = replace(drafted, tags=merged, pri=fields.Priority(pri))
        return curator.add_draft(draft, shelf_of(passage)).id, ()
    except IndexNotFound:
        return None, ("there is no index yet: `hippo bootstrap` makes one that finds this too",)
    except HippoError as error:
        return None, (f"written down but not indexed: {error.message}",)
