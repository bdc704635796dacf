"""An entry added by hand, and the section of the index where it is placed (INDEX §5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from hippocampus_cli.entries.check import Follower, remark_on
from hippocampus_cli.entries.draft import ID_CHARACTERS, draft, summary_of
from hippocampus_cli.entries.index_writer import IndexWriter
from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.entries.sections import place_of
from hippocampus_cli.entries.select import nearest, not_found, suggestion
from hippocampus_cli.entries.tag import (
    clean_tags,
    require_priority,
    require_text,
    retag,
    secret_refused,
)
from hippocampus_cli.errors import EntryExists, OutsideWorkspace, PointerBroken, UsageError
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index import metadata
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.edit import Draft, SectionPath, block
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.pointers import Pointer, can_be_named, parse_pointers
from hippocampus_cli.workspace.note import Note, plain
from hippocampus_cli.workspace.redaction import redactor_for
from hippocampus_cli.workspace.resolve import Resolved, Status
from hippocampus_cli.workspace.scan import scan
from hippocampus_cli.workspace.sections import pointer_name


def passage_at(pointer: Pointer, follower: Follower, today: date) -> Passage:
    """What a pointer leads to; an empty passage where that is no text, or nothing yet."""
    found = follower.follow(pointer)
    return Passage(follower.note(found.path) or Note(found.path, ""), today, found.section)


def section_path(text: str) -> SectionPath:
    """``By Topic/People`` as titles, outermost first. Raises :class:`UsageError`."""
    titles = tuple(plain(part).lstrip("#").strip() for part in text.split("/"))
    if not all(titles):
        advice = 'name the sections from the outside in: --section "By Topic/People"'
        raise UsageError(reason=f"{text[:60]!r} names no section", advice=advice)
    return titles


_LONGEST_ID = 80


class AddRequest(Frozen):
    """An entry as asked for. ``to`` are pointers as text; ``force`` lets them name what does not exist yet."""

    topic: str
    to: tuple[str, ...]
    summary: str
    tags: tuple[str, ...]
    rel: tuple[str, ...]
    pri: str
    id: str | None
    section: str | None
    force: bool


class Added(Frozen):
    """A new entry: its id, its place in the index (``line`` is 1-based) and things worth knowing."""

    id: str
    topic: str
    pointers: tuple[str, ...]
    section: tuple[str, ...]
    line: int
    notices: tuple[str, ...]


def add_entry(writer: IndexWriter, wish: AddRequest) -> Added:
    """Write an entry by hand; see :meth:`Workspace.add` for what is raised."""
    require_priority(wish.pri)
    require_text(wish.topic, errors="surrogateescape")
    told = (wish.summary, wish.id or "", wish.section or "")
    require_text(*told)
    if not wish.to:
        raise UsageError(
            reason="an entry needs a pointer",
            advice='name one at least: --to "TOOLS.md §Deploy"',
        )
    index = writer.store.read()
    if any(map(redactor_for(writer.root).spans, (wish.topic, *told))):
        raise secret_refused()
    for other in wish.rel if not wish.force else ():
        if other not in index.ids:
            raise not_found(other, index.ids)
    follower = Follower(writer.root, writer.config.scan.max_file_bytes)
    pointers, remarks = _chosen_pointers(writer, wish, follower)
    passage = passage_at(pointers[0], follower, writer.now.date())
    section = section_path(wish.section) if wish.section else None
    drafted = _as_wished(wish, pointers, passage, writer.clock(index))

    def change(index: Hierarchy) -> tuple[Hierarchy, str]:
        place = section or place_of(index.master, drafted)
        return _added(index, drafted, place, own_id=wish.id is not None)

    index, key = writer.change(change)
    there = index.by_key[key]
    names = tuple(map(str, there.entry.pointers))
    return Added(key, there.entry.topic, names, there.section, there.line, tuple(remarks))


def _as_wished(
    wish: AddRequest, pointers: tuple[Pointer, ...], passage: Passage, clock: DecayClock
) -> Draft:
    """The entry as wished; what was left out is drafted from the passage it points at."""
    name = metadata.slug(wish.topic, ID_CHARACTERS) if wish.id is None else checked_id(wish.id)
    drafted = draft(passage, clock, src=metadata.Source.MANUAL)
    return drafted.replaced(
        id=name,
        topic=wish.topic,
        summary=wish.summary or summary_of(passage, wish.topic),
        pointers=pointers,
        tags=clean_tags(wish.tags) or drafted.tags,
        rel=tuple(dict.fromkeys(wish.rel)),
        pri=require_priority(wish.pri),
    )


def _chosen_pointers(
    writer: IndexWriter, wish: AddRequest, follower: Follower
) -> tuple[tuple[Pointer, ...], list[str]]:
    """The pointers of a wish as they should be written, and remarks on them.

    A path becomes relative and a section found by likeness gets its name. Raises :class:`OutsideWorkspace`, always;
    without ``force`` also :class:`PointerBroken`; :class:`UsageError` where a text holds no pointer.
    """
    found: dict[Pointer, None] = {}
    remarks = []
    for text in wish.to:
        pointers = parse_pointers(text)
        if not pointers:
            advice = 'write it as --to "TOOLS.md §Deploy"'
            raise UsageError(reason=f"{text[:60]!r} is not a pointer", advice=advice)
        for pointer in pointers:
            chosen, remark = _chosen(writer, pointer, follower, wish.force)
            found[chosen] = None
            remarks += [remark] if remark else []
    return tuple(found), remarks


def _added(
    index: Hierarchy, draft: Draft, section: SectionPath, *, own_id: bool
) -> tuple[Hierarchy, str]:
    """The index with the draft as an entry in ``section``, and its id.

    ``own_id``: the id was asked for and is taken as it is. Raises :class:`EntryExists` where it is taken,
    or where an entry of the same name already points at the same places.
    """
    twin = index.by_key.get(draft.id)
    if twin and (own_id or twin.entry.pointers == draft.pointers):
        raise EntryExists(id=draft.id)
    key = metadata.free_id(draft.id, index.taken)
    return index.add(section, [block(draft.replaced(id=key))]).counted(), key


def add_or_merge(
    index: Hierarchy, draft: Draft, section: SectionPath, tags: Sequence[str]
) -> tuple[Hierarchy, str]:
    """The index with the draft as an entry, and its id.

    Where an entry leads to the very same place already (a cycle was faster), that one gets the ``tags`` that
    were asked for, the priority where it is not a normal one, and the draft's source.
    """
    twin = next((one for one in index.entries if one.entry.pointers == draft.pointers), None)
    if twin is None or not twin.entry.is_editable:
        return _added(index, draft, section, own_id=False)
    priority = None if draft.pri is metadata.Priority.NORMAL else draft.pri
    index, _ = retag(index, twin.key, tags, (), priority)
    return index.set_values({twin.key: {"src": str(draft.src)}}), twin.entry.id


def checked_id(text: str) -> str:
    """``text`` as an id. Raises :class:`UsageError` where it holds blanks or control codes."""
    if not text or not text.isprintable() or " " in text or len(text) > _LONGEST_ID:
        raise UsageError(
            reason=f"{text[:40]!r} cannot be an id", advice=f"for example {metadata.slug(text)}"
        )
    return text


def _chosen(
    writer: IndexWriter, pointer: Pointer, follower: Follower, force: bool
) -> tuple[Pointer, str]:
    found = follower.follow(pointer)
    if found.status is Status.OUTSIDE:
        raise OutsideWorkspace(path=pointer.path, reason=f"the pointer {remark_on(found)[3:]}")
    if found.status in (Status.MISSING_FILE, Status.MISSING_SECTION, Status.UNREADABLE):
        if not force:
            raise _broken(writer, pointer, found, follower)
        return pointer, f"{pointer}: {remark_on(found)} yet"
    if found.fuzzy and found.section:
        name = pointer_name(follower.sections_of(found.path) or (), found.section)
        named = Pointer(found.path, name)
        if can_be_named(named):
            return named, f"§{pointer.section} was read as §{name}"
    if found.status is Status.FOLDER:
        return Pointer(f"{found.path}/" if found.path else pointer.path), ""
    return Pointer(found.path, pointer.section), ""


def _broken(
    writer: IndexWriter, pointer: Pointer, found: Resolved, follower: Follower
) -> PointerBroken:
    if found.status is Status.MISSING_FILE:
        paths = (stat.path for stat in scan(writer.root, writer.config.scan).files)
        near = nearest(pointer.path, paths)
    else:
        sections = follower.sections_of(found.path) or ()
        names = (pointer_name(sections, one) for one in sections)
        near = [f"§{name}" for name in nearest(pointer.section or "", filter(None, names))]
    return PointerBroken(pointer=str(pointer), reason=remark_on(found), nearest=suggestion(near))
