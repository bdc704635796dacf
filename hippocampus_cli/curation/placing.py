"""In which section of the index a new entry stands (INDEX §5.3)."""

from __future__ import annotations

from hippocampus_cli.errors import UsageError
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.edit import SectionPath
from hippocampus_cli.index.entry import Form
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.workspace.kinds import NoteKind, kind_of
from hippocampus_cli.workspace.titles import plain

QUEUE = "Decay Queue"
BY_TOPIC = "By Topic"
_SHELVES = {
    NoteKind.CONFIG: "Core",
    NoteKind.PROJECT: "Projects",
    NoteKind.DOC: "Technical Knowledge",
    NoteKind.RESEARCH: "Research",
    NoteKind.SKILL: "Skills",
    NoteKind.AGENT: "Agents",
    NoteKind.STATE: "State",
    NoteKind.DAILY: "Daily Logs",
    NoteKind.TEMP: "Scratch",
}


def place_for(document: Document, pointer: Pointer) -> SectionPath:
    """Beside an entry that points at the same file, else the section for that kind of file."""
    for located in document.entries:
        stands = located.entry.form is Form.HEADING and QUEUE not in located.section
        beside = any(other.path == pointer.path for other in located.entry.pointers)
        if stands and beside and located.section:
            return located.section
    return (BY_TOPIC, _SHELVES[kind_of(pointer.path)])


def section_path(text: str) -> SectionPath:
    """``By Topic/People`` as titles, outermost first. Raises :class:`UsageError`."""
    titles = tuple(plain(part).lstrip("#").strip() for part in text.split("/"))
    if not all(titles):
        advice = 'name the sections from the outside in: --section "By Topic/People"'
        raise UsageError(reason=f"{text[:60]!r} names no section", advice=advice)
    return titles
