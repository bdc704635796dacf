"""Entries that hippo wrote say what their section says now (decision D23)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from hippocampus_cli.entries.passages import Passage, section_passage, whole
from hippocampus_cli.entries.summary import SUMMARY_CHARACTERS, summary_of
from hippocampus_cli.entries.tags import tags_of
from hippocampus_cli.entries.vocabulary import Vocabulary
from hippocampus_cli.index import metadata
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Action, Kind, Planned, changed
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.text.words import key
from hippocampus_cli.workspace.descriptions import Description, said_by, text_of
from hippocampus_cli.workspace.kinds import kind_of
from hippocampus_cli.workspace.resolve import Status

_OWN = (metadata.Source.AUTO, metadata.Source.RETRIEVAL, metadata.Source.DEFRAG)


def follow_notes(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """New summaries and tags for entries of hippo's own whose section was changed; what a person edited stays."""
    fresh = {one.note.path for one in snapshot.fresh}
    wanted: dict[str, Entry] = {}
    for one in index.entries:
        known = snapshot.described.get(one.entry.id)
        if known is None or not known.own or known.said != said_by(one.entry):
            continue
        passage = _passage(one, snapshot, fresh)
        if passage is None or text_of(passage.note, passage.section) == known.text:
            continue
        after = _redrawn(one.entry, passage, snapshot.config.bootstrap.tags)
        if after != one.entry and snapshot.may(Kind.REDRAW, one):
            wanted[one.key] = after
    result, done = changed(index, {at: partial(_become, after=one) for at, one in wanted.items()})
    return Planned(result, tuple(_action(index, at, wanted[at]) for at in done))


def described(
    before: Hierarchy, after: Hierarchy, snapshot: Snapshot, added: frozenset[str]
) -> dict[str, Description]:
    """What the entries say now and of which text, to be kept for the next cycle.

    ``before`` and ``after`` are the index around a cycle, ``added`` the ids of entries that it made.
    """
    given = {one.entry.id: said_by(one.entry) for one in before.entries}
    fresh = {one.note.path for one in snapshot.fresh}
    return dict(_described(after, snapshot, fresh, given, added))


def _described(
    index: Hierarchy,
    snapshot: Snapshot,
    fresh: set[str],
    given: Mapping[str, int],
    added: frozenset[str],
) -> Iterator[tuple[str, Description]]:
    for one in index.entries:
        id_, said = one.entry.id, said_by(one.entry)
        known = snapshot.described.get(id_)
        if known and known.said == given.get(id_):
            passage = _passage(one, snapshot, fresh) if known.own else None
            text = text_of(passage.note, passage.section) if passage else known.text
            yield id_, Description(said, text, known.own)
        elif passage := _passage(one, snapshot, None):
            own = id_ in added or (known is None and _is_own(one.entry, passage))
            yield id_, Description(said, text_of(passage.note, passage.section), own)


def _is_own(entry: Entry, passage: Passage) -> bool:
    """Whether an entry that nothing is known of says what hippo would write of its section."""
    if entry.src not in _OWN:
        return False
    limits = {SUMMARY_CHARACTERS, len(entry.summary) or SUMMARY_CHARACTERS}
    return entry.summary in {summary_of(passage, entry.topic, most) for most in limits}


def _passage(one: Located, snapshot: Snapshot, paths: set[str] | None) -> Passage | None:
    """What an entry with a single pointer is about; ``None`` where it cannot be told, or not of these ``paths``."""
    if len(one.entry.pointers) != 1:
        return None
    pointer = one.entry.pointers[0]
    if paths is not None and pointer.path.removeprefix("./") not in paths:
        return None
    found = snapshot.follow(pointer)
    note = snapshot.note(found.path) if found.status is Status.OK else None
    if note is None:
        return None
    kind, day = kind_of(note.path), snapshot.now.date()
    if found.section is None:
        return whole(note, kind, day)
    return section_passage(note, kind, day, found.section)


def _redrawn(entry: Entry, passage: Passage, most: int) -> Entry:
    """The entry with the summary and the tags that its section gives now: a tag that it still says stays."""
    summary = summary_of(passage, entry.topic, SUMMARY_CHARACTERS)
    words = passage.words
    kept = tuple(
        tag for tag in entry.tags if any(key(part) in words for part in tag.split("-") if part)
    )
    tags = kept or tags_of(passage, Vocabulary(), most, topic=entry.topic)
    if summary != entry.summary:
        entry = entry.with_summary(summary) if summary else entry.without_summary()
    if tags != entry.tags:
        entry = entry.with_value("tags", metadata.write_list(tags))
    return entry


def _become(entry: Entry, after: Entry) -> Entry:
    return after.with_value("ver", str(entry.ver + 1))


def _action(index: Hierarchy, at: str, after: Entry) -> Action:
    before = index.by_key[at].entry
    return Action(Kind.REDRAW, at, "its section was changed", before.summary, after.summary)
