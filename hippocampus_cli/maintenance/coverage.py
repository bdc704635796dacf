"""What an existing index points at already."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from hippocampus_cli.drafting.passage import Passage
from hippocampus_cli.index import fields
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.workspace.kinds import NoteKind
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.paths import normal
from hippocampus_cli.workspace.sections import SectionNames

BY_SECTION = frozenset((NoteKind.CONFIG, NoteKind.PROJECT))
"""Kinds whose sections matter one by one."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Entry ids by what they point at: a note as a whole, or the ordinal of a section.

    A pointer to a section covers its subsections. A pointer to a whole note covers it all, with one
    exception: a person's own line "Deploy commands → TOOLS.md" says where to look and leaves the sections
    of a core file or a project to be indexed; hippo's own entries of whole notes stand for all of it.
    """

    whole: Mapping[str, str] = field(default_factory=dict)
    pointed: Mapping[str, str] = field(default_factory=dict)
    sections: Mapping[str, Mapping[int, str]] = field(default_factory=dict)

    def touches(self, path: str) -> bool:
        """Whether any pointer leads into the note."""
        return path in self.whole or path in self.pointed or path in self.sections

    def entry_of(self, passage: Passage) -> str | None:
        """The id of an entry that covers the passage."""
        path = passage.note.path
        named = self.whole.get(path)
        if named is None and (passage.section is None or passage.kind not in BY_SECTION):
            named = self.pointed.get(path)
        inside = self.sections.get(path, {})
        if passage.section is not None:
            return inside.get(passage.section.ordinal, named)
        return named or next(iter(inside.values()), None)


def coverage(index: Hierarchy | None, notes: Iterable[Note]) -> Coverage:
    """What of ``notes`` the entries and bullets of ``index`` lead to, archived ones included."""
    if index is None or not index.by_key:
        return Coverage()
    known = {note.path: note for note in notes}
    folded = {path.casefold(): note for path, note in known.items()}
    names: dict[str, SectionNames[Section]] = {}
    whole: dict[str, str] = {}
    pointed: dict[str, str] = {}
    sections: dict[str, dict[int, str]] = defaultdict(dict)
    for located in index.by_key.values():
        entry = located.entry
        for pointer in entry.pointers:
            path = normal(pointer.path.replace("\\", "/")) or ""
            note = known.get(path) or folded.get(path.casefold())
            if note is None:
                continue
            if pointer.section is None:
                own = entry.src is fields.Source.AUTO
                (whole if own else pointed).setdefault(note.path, entry.id)
                continue
            of_note = names.setdefault(note.path, SectionNames(note.sections))
            if found := of_note.find(pointer.section):
                for ordinal in _tree(note, found.section):
                    sections[note.path].setdefault(ordinal, entry.id)
    return Coverage(whole, pointed, sections)


def _tree(note: Note, section: Section) -> Iterable[int]:
    """The ordinals of a section and its subsections; of the note's only title, its own alone."""
    yield section.ordinal
    if section.level == 1 and sum(one.level == 1 for one in note.sections) == 1:
        return
    for one in note.sections[section.ordinal + 1 :]:
        if one.start > section.tree_end:
            return
        yield one.ordinal
