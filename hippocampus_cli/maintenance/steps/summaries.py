"""Entries that hippo wrote say what their section says now (decision D23)."""

from __future__ import annotations

from collections.abc import Iterable

from hippocampus_cli.entries.draft import summary_of, tags_of, topic_of
from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.index import metadata
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import DRAFTED, Action, Kind, Planned, becoming, edited
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.redaction.redactor import holds_placeholder
from hippocampus_cli.text.plain_text import ELSEWHERE
from hippocampus_cli.workspace.descriptions import Description, said_by, text_of
from hippocampus_cli.workspace.resolve import Status
from hippocampus_cli.workspace.sections import pointer_name


def follow_notes(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """New summaries and tags for entries of hippo's own whose section was changed; what a person edited stays.

    Also for those from which something was taken out, as secret or forgotten: it may be there again.
    """
    fresh = {file.note.path for file in snapshot.fresh}
    edits = []
    for located in index.entries:
        entry = located.entry
        known = snapshot.described.get(entry.id)
        own = known is not None and known.own and known.said == said_by(entry)
        lacks = entry.src in DRAFTED and _is_incomplete(f"{entry.topic} {entry.summary}")
        passage = _passage(located, snapshot, fresh) if own or lacks else None
        if passage is None or not snapshot.may(Kind.REDRAW, located):
            continue
        if known and not lacks and text_of(passage.note, passage.section) == known.text:
            continue
        tags = set(known.tags if known else ())
        after = _redrawn(entry, passage, tags)
        if after != entry:
            reason = "its section was changed"
            said = entry.summary, after.summary
            action = Action(Kind.REDRAW, located.key, reason, *said)
            edits.append(becoming(after.with_value("ver", str(entry.ver + 1)), action))
    return edited(index, edits)


def described(
    before: Hierarchy, after: Hierarchy, actions: Iterable[Action], snapshot: Snapshot
) -> dict[str, Description]:
    """What the entries say after a cycle and of which text, to be kept for the next one."""
    given = {located.entry.id: located.entry for located in before.entries}
    redrawn = {action.key for action in actions if action.kind is Kind.REDRAW}
    fresh = {file.note.path for file in snapshot.fresh}
    result: dict[str, Description] = {}
    for located in after.entries:
        id_, said = located.entry.id, said_by(located.entry)
        known, old = snapshot.described.get(id_), given.get(id_)
        chosen = set(known.tags if known else ())  # by hippo, in this cycle or before it
        if old is None or located.key in redrawn:
            chosen |= set(located.entry.tags) - set(old.tags if old else ())
        tags = tuple(tag for tag in located.entry.tags if tag in chosen)
        if known and old and known.said == said_by(old):
            passage = _passage(located, snapshot, fresh) if known.own else None
            text = text_of(passage.note, passage.section) if passage else known.text
            result[id_] = Description(said, text, known.own, tags)
        elif passage := _passage(located, snapshot, None):
            new = old is None or located.key in redrawn
            own = new or (known is None and _is_own(located.entry, passage))
            result[id_] = Description(said, text_of(passage.note, passage.section), own, tags)
    return result


def _is_own(entry: Entry, passage: Passage) -> bool:
    """Whether an entry that nothing is known of says what hippo would write of its section."""
    said = summary_of(passage, entry.topic)
    return entry.src in DRAFTED and entry.summary == said


def _is_incomplete(text: str) -> bool:
    return ELSEWHERE in text or holds_placeholder(text)


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
    return Passage(note, snapshot.today, found.section, frequencies=snapshot.frequencies)


def _redrawn(entry: Entry, passage: Passage, own: set[str]) -> Entry:
    """The entry with the summary and the tags that its note gives now, beside those that are not hippo's ``own``."""
    if _is_incomplete(entry.topic):
        name = passage.section and pointer_name(passage.note.sections, passage.section)
        pointers = tuple(pointer._replace(section=name) for pointer in entry.pointers)
        entry = entry.with_topic(topic_of(passage)).with_pointers(pointers)
    summary = summary_of(passage, entry.topic)
    others = (tag for tag in entry.tags if tag not in own)
    tags = tuple(dict.fromkeys((*others, *tags_of(passage))))
    if summary != entry.summary:
        entry = entry.with_summary(summary)
    return entry if tags == entry.tags else entry.with_value("tags", metadata.write_list(tags))
