"""Which passages could become entries, beyond what the index covers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from enum import StrEnum
from heapq import nsmallest
from operator import attrgetter
from typing import NamedTuple

from hippocampus_cli.entries.draft import pointer_to
from hippocampus_cli.entries.passages import WHOLE, Passage, day_of, says_nothing
from hippocampus_cli.entries.worth import Frequencies
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.pointers import can_be_named
from hippocampus_cli.maintenance.relocate import path_of
from hippocampus_cli.workspace.kinds import NoteKind, is_backup
from hippocampus_cli.workspace.meta import LOG
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.sections import find_section


class Coverage(Frozen):
    """Entry ids by what they point at: a note as a whole, or the ordinal of a section.

    A pointer to a section covers its subsections, and all of a short note. One to a whole note leaves the sections of
    a long note to entries of their own.
    """

    whole: Mapping[str, str]
    sections: Mapping[str, Mapping[int, str]]

    def entry_of(self, passage: Passage) -> str | None:
        """The id of an entry that covers the passage."""
        path = passage.note.path
        inside = self.sections.get(path, {})
        if passage.section is not None:
            return inside.get(passage.section.ordinal)
        whole = self.whole.get(path)
        if whole or len(passage.note.text) > WHOLE:
            return whole
        return next(iter(inside.values()), None)

    def parts(self, whole: Passage) -> Iterator[Passage]:
        """The sections of a note that are worth an entry; as many fewer new ones as others have entries."""
        new = [part for part in whole.parts if not self.entry_of(part)]
        there = {*self.sections.get(whole.note.path, {}).values()}
        spare = len(there) + len(new) - whole.most_parts
        least = nsmallest(spare, new, key=attrgetter("interest"))
        return (part for part in whole.parts if part not in least)


def coverage(index: Hierarchy, notes: Iterable[Note]) -> Coverage:
    """What of ``notes`` the entries and bullets of ``index`` lead to, archived ones included."""
    known = {note.path: note for note in notes}
    folded = {path.casefold(): note for path, note in known.items()}
    whole: dict[str, str] = {}
    sections: dict[str, dict[int, str]] = defaultdict(dict)
    for located in index.by_key.values():
        entry = located.entry
        for pointer in entry.pointers:
            path = path_of(pointer) or ""
            note = known.get(path) or folded.get(path.casefold())
            if note is None:
                continue
            if pointer.section is None:
                whole.setdefault(note.path, entry.id)
                continue
            if found := find_section(note.sections, pointer.section):
                inside = sections[note.path]
                inside[found.ordinal] = entry.id
                for ordinal in _below(note, found):
                    inside.setdefault(ordinal, entry.id)
    return Coverage(whole, sections)


def _below(note: Note, section: Section) -> list[int]:
    """The ordinals of a section's subsections; none of the note's only title."""
    sections = note.sections
    if section.level == 1 and sum(other.level == 1 for other in sections) == 1:
        return []
    return [each.ordinal for each in sections if section.start < each.start <= section.tree_end]


Place = tuple[str, int]
_FEWEST, _NEARLY_ALL = 8, 0.9  # files of one day of change that make a copy
_COPIES = 31
"""So many passages that say the same one entry leads to at most."""
_LONGEST_POINTER = 230
SHORTEST = 12
"""A passage with fewer characters says too little for an entry."""


class Why(StrEnum):
    """Why a passage got no entry."""

    EMPTY = "empty"
    SHORT = "too short"
    FORM = "labels or a form alone"
    DUPLICATE = "same text as another"
    UNNAMEABLE = "name cannot be pointed at"


class LeftOut(NamedTuple):
    """A passage without an entry."""

    passage: Passage
    why: Why


class NoteFile(Frozen):
    """A note and the day its file was last changed."""

    note: Note
    modified: date


def passages_of(
    files: Iterable[NoteFile], frequencies: Frequencies, covered: Coverage
) -> Iterator[Passage]:
    """Every note by path, backups last, each followed by its sections; the log of defrag cycles is no memory."""
    ordered = sorted(files, key=lambda file: (is_backup(file.note.path), file.note.path))
    days = [day_of(file.note.path, file.modified, file.note.text) for file in ordered]
    usual = _usual_day(ordered, days)
    for file, day in zip(ordered, days, strict=True):
        if file.note.path != LOG:
            written = day or usual or file.modified
            whole = Passage(file.note, written, frequencies=frequencies)
            yield whole
            yield from covered.parts(whole)


def _usual_day(files: Sequence[NoteFile], days: Iterable[date | None]) -> date | None:
    """The middle of the days that notes tell themselves, where nearly all files were changed on one: of a fresh copy
    or a clone that day says nothing."""
    told = sorted(filter(None, days))
    most = max(Counter(file.modified for file in files).values(), default=0)
    copied = most >= max(_FEWEST, _NEARLY_ALL * len(files))
    return told[len(told) // 2] if told and copied else None


class Sifted(NamedTuple):
    """The passages worth an entry, and what is ``out``: empty, short, or said already.

    ``also``: by the place of a passage those that its entry leads to as well, since they say the same.
    """

    new: list[Passage]
    out: list[LeftOut]
    also: defaultdict[Place, list[Passage]]


def place_of(passage: Passage) -> Place:
    """The path and the line of a passage; 0 for a whole note."""
    return passage.note.path, passage.line if passage.section else 0


def _is_form(passage: Passage) -> bool:
    """Whether it says nothing of its own; a note whose lines others have, too, does."""
    if passage.section:
        return says_nothing(passage)
    whole = passage.replaced(frequencies=Frequencies())
    return passage.kind is not NoteKind.CONFIG and says_nothing(whole)


def sift(passages: Iterable[Passage], covered: Coverage) -> Sifted:
    """What of the passages deserves an entry of its own, beyond what is covered."""
    seen: dict[bytes, Place] = {}
    sifted = Sifted([], [], defaultdict(list))
    for passage in passages:
        if covered.entry_of(passage):
            continue
        size, digest = passage.content
        if size < SHORTEST:
            sifted.out.append(LeftOut(passage, Why.SHORT if size else Why.EMPTY))
        elif _is_form(passage):
            sifted.out.append(LeftOut(passage, Why.FORM))
        elif not can_be_named(to := pointer_to(passage)) or len(str(to)) > _LONGEST_POINTER:
            sifted.out.append(LeftOut(passage, Why.UNNAMEABLE))
        elif digest in seen and len(sifted.also[seen[digest]]) < _COPIES:
            sifted.out.append(LeftOut(passage, Why.DUPLICATE))
            sifted.also[seen[digest]].append(passage)
        else:
            seen[digest] = place_of(passage)
            sifted.new.append(passage)
    return sifted
