"""What is left of the sections of notes out of which a text was taken, so that pointers lead there."""

from __future__ import annotations

from typing import NamedTuple

from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.redaction.phrases import words_of
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.sections import find_section, pointer_name


class _Changed(NamedTuple):
    """A note before and after, and which lines (1-based) of the one before are in the one after, in their order."""

    before: Note
    after: Note
    kept: tuple[int, ...]


class Remains:
    """The notes that were changed, by path; calling it with a pointer gives the pointer to what is left of what it
    pointed at, or ``None`` where nothing is."""

    def __init__(self) -> None:
        self._notes: dict[str, _Changed] = {}

    def add(self, path: str, before: str, after: str, removed: frozenset[int]) -> None:
        """The note at ``path``; ``removed`` are the lines (1-based) of ``before`` that are gone as a whole."""
        note = Note(path, before)
        kept = tuple(one for one in range(1, len(note.lines) + 1) if one not in removed)
        self._notes[path] = _Changed(note, Note(path, after), kept)

    def __bool__(self) -> bool:
        return bool(self._notes)

    def __call__(self, pointer: Pointer) -> Pointer | None:
        changed = self._notes.get(pointer.path)
        if changed is None or pointer.section is None:
            return pointer
        found = find_section(changed.before.sections, pointer.section)
        return pointer if found is None else _left(pointer, changed, found.section)


def _left(pointer: Pointer, changed: _Changed, old: Section) -> Pointer | None:
    first = old.start + old.heading_lines
    body = "".join(changed.before.lines[first - 1 : old.tree_end])
    places = [at for at, line in enumerate(changed.kept) if first <= line <= old.tree_end]
    left = [at for at in places if words_of(changed.after.lines[at])]
    if words_of(body) and not left:
        return None
    heading = changed.kept.index(old.start) if old.start in changed.kept else None
    at = heading if heading is not None else left[0] if left else None
    if at is None:
        return None
    sections = changed.after.sections
    around = [one for one in sections if one.start <= at + 1]
    name = pointer_name(sections, around[-1]) if around else None
    return pointer if name == pointer.section else pointer._replace(section=name)
