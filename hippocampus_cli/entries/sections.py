"""In which section of the index an entry stands (INDEX §5.3)."""

from __future__ import annotations

from hippocampus_cli.entries.worth import stem_of
from hippocampus_cli.index.document import Document, Heading
from hippocampus_cli.index.edit import BY_DAY, Draft, SectionPath
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.workspace.kinds import NoteKind, kind_of

BY_TOPIC = "By Topic"
SHELVES = (
    *("Core", "Projects", "People", "Infrastructure", "Technical Knowledge", "Research"),
    *("Skills", "Agents", "State", BY_DAY, "Scratch"),
)
"""The sections under By Topic in their order; one without entries is not written."""

_OF_KIND = {
    NoteKind.CONFIG: "Core",
    NoteKind.PROJECT: "Projects",
    NoteKind.DOC: "Technical Knowledge",
    NoteKind.RESEARCH: "Research",
    NoteKind.SKILL: "Skills",
    NoteKind.AGENT: "Agents",
    NoteKind.STATE: "State",
    NoteKind.DAILY: BY_DAY,
    NoteKind.TEMP: "Scratch",
}
_FILES = {"user": "People", "tools": "Infrastructure"}


def shelf_of(path: str) -> str:
    """The title of the section for what a note holds: of two core files by name, else by kind."""
    shelf = _OF_KIND[kind_of(path)]
    return _FILES.get(stem_of(path).lower(), shelf) if shelf == "Core" else shelf


def place_in(document: Document, shelf: str) -> SectionPath:
    """Where in an existing index the shelf is: its own place, or a section that has that title already."""
    wanted = shelf.casefold()
    for at, path in document.sections.items():
        heading = document.nodes[at]
        if path[-1].casefold() == wanted and isinstance(heading, Heading) and heading.level < 6:
            return path
    return (BY_TOPIC, shelf)


def place_of(document: Document, entry: Entry | Draft) -> SectionPath:
    """Where an entry of which no more is known belongs: by the note that its first pointer leads to."""
    return place_in(document, shelf_of(entry.pointers[0].path if entry.pointers else ""))
