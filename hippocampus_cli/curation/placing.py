"""In which section of the index a new entry stands (INDEX §5.3)."""

from __future__ import annotations

from datetime import date

from hippocampus_cli.curation.following import Follower
from hippocampus_cli.drafting.cut import section_passage, whole
from hippocampus_cli.drafting.passage import Passage
from hippocampus_cli.drafting.shelves import place_in
from hippocampus_cli.errors import UsageError
from hippocampus_cli.index.archive import is_queued
from hippocampus_cli.index.edit import SectionPath
from hippocampus_cli.index.entry import Form
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.workspace.kinds import kind_of
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.titles import plain


def passage_at(pointer: Pointer, follower: Follower, today: date) -> Passage:
    """What a pointer leads to; an empty passage where that is no text, or nothing yet."""
    found = follower.follow(pointer)
    kind = kind_of(found.path)
    note = follower.note(found.path) or Note(found.path, "")
    if found.section is None:
        return whole(note, kind, today)
    return section_passage(note, kind, today, found.section)


def place_for(index: Hierarchy, pointer: Pointer, shelf: str) -> SectionPath:
    """Beside an entry that points at the same file, else the shelf (``drafting.shelves``)."""
    for located in index.entries:
        stands = located.entry.form is Form.HEADING and not is_queued(located)
        beside = any(other.path == pointer.path for other in located.entry.pointers)
        if stands and beside and located.section:
            return located.section
    return place_in(index.master, shelf)


def section_path(text: str) -> SectionPath:
    """``By Topic/People`` as titles, outermost first. Raises :class:`UsageError`."""
    titles = tuple(plain(part).lstrip("#").strip() for part in text.split("/"))
    if not all(titles):
        advice = 'name the sections from the outside in: --section "By Topic/People"'
        raise UsageError(reason=f"{text[:60]!r} names no section", advice=advice)
    return titles
