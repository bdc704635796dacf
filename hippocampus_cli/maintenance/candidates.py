"""Which passages could become entries, beyond what the index covers, and in which order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from hippocampus_cli.entries.noise import is_noise
from hippocampus_cli.entries.passages import Passage, cut, day_of, whole
from hippocampus_cli.index import metadata
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.workspace.kinds import NoteKind, is_core, kind_of
from hippocampus_cli.workspace.meta import LOG
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
                own = entry.src in (metadata.Source.AUTO, metadata.Source.DEFRAG)
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


Place = tuple[str, int]
MOST_TOGETHER = 31
"""So many passages one entry leads to at most: a month of days."""
SHORTEST = 12
"""A passage with fewer characters says too little for an entry."""
_WORTH = {
    NoteKind.CONFIG: (1.0, 0.7),
    NoteKind.PROJECT: (0.95, 0.7),
    NoteKind.DOC: (0.75, 0.5),
    NoteKind.RESEARCH: (0.7, 0.3),
    NoteKind.DAILY: (0.9, 0.0),
    NoteKind.SKILL: (0.65, 0.5),
    NoteKind.AGENT: (0.6, 0.0),
    NoteKind.STATE: (0.45, 0.0),
    NoteKind.TEMP: (0.3, 0.0),
}
"""What a kind of note counts, and how fresh it counts at least."""
_NOISE_FACTOR = 0.1
_FULL_SIZE = 400
_HALF_FRESH_DAYS = 30
_NOTE_CROWD = 20
_KIND_CROWD = 40


class Why(StrEnum):
    """Why a passage got no entry."""

    EMPTY = "empty"
    SHORT = "too short"
    DUPLICATE = "same text as another"
    UNNAMEABLE = "name cannot be pointed at"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A passage without an entry: ``line`` is 1-based."""

    path: str
    line: int
    title: str
    kind: NoteKind
    why: Why


@dataclass(frozen=True)
class NoteFile:
    """A note and the day its file was last changed."""

    note: Note
    modified: date


@dataclass(frozen=True, slots=True)
class Parts:
    """A note and its passages, in file order."""

    note: Note
    kind: NoteKind
    day: date
    fine: tuple[Passage, ...]

    @property
    def file(self) -> Passage:
        """The note as one passage."""
        return self.fine[0] if len(self.fine) == 1 else whole(self.note, self.kind, self.day)


def cut_all(files: Iterable[NoteFile]) -> list[Parts]:
    """Every note with its kind, its day and its passages, by path; the log of defrag cycles tells of no memory."""
    parts = []
    for file in sorted(files, key=lambda file: file.note.path):
        note, kind = file.note, kind_of(file.note.path)
        if note.path != LOG:
            day = day_of(note.path, file.modified, note.text)
            parts.append(Parts(note, kind, day, tuple(cut(note, kind, day))))
    return parts


def uncovered(
    parts: Iterable[Parts], covered: Coverage, today: date, recent_days: int
) -> Iterator[Passage]:
    """What no entry leads to yet; dailies older than ``recent_days`` as one passage each."""
    for part in parts:
        if part.kind is NoteKind.DAILY and (today - part.day).days > recent_days:
            yield from () if covered.touches(part.note.path) else (part.file,)
        else:
            yield from (passage for passage in part.fine if covered.entry_of(passage) is None)


class Sifted(NamedTuple):
    """The passages worth an entry alone, and what is ``out``: empty, short, or said already.

    ``also``: by the place of a passage those that its entry leads to as well, since they say the same.
    """

    new: list[Passage]
    out: list[LeftOut]
    also: dict[Place, list[Passage]]


def place_of(passage: Passage) -> Place:
    """The path and the line of a passage."""
    return passage.note.path, passage.line


def sift(passages: Iterable[Passage], covered: Iterable[Passage]) -> Sifted:
    """What of new passages deserves an entry of its own."""
    seen = {_content(passage): place_of(passage) for passage in covered}
    sifted = Sifted([], [], defaultdict(list))
    for passage in passages:
        content = _content(passage)
        if passage.size < SHORTEST:
            sifted.out.append(left_out(passage, Why.SHORT if passage.size else Why.EMPTY))
        elif content in seen and len(sifted.also[seen[content]]) < MOST_TOGETHER:
            sifted.out.append(left_out(passage, Why.DUPLICATE))
            sifted.also[seen[content]].append(passage)
        else:
            seen[content] = place_of(passage)
            sifted.new.append(passage)
    return sifted


def left_out(passage: Passage, why: Why) -> LeftOut:
    """The record of a passage that gets no entry."""
    return LeftOut(passage.note.path, passage.line, passage.title, passage.kind, why)


def ranked(passages: Iterable[Passage], today: date) -> list[Passage]:
    """The passages in the order in which they deserve an entry; ties by path and line.

    Core files come first (decision D22). Then counts the kind, how recent it is, how much it says, and that neither
    its note nor its kind crowds out the others.
    """
    scored = [(-_score(passage, today), *place_of(passage), passage) for passage in passages]
    of_note: Counter[str] = Counter()
    of_kind: Counter[NoteKind] = Counter()
    spread = []
    for score, path, line, passage in sorted(scored, key=lambda row: row[:3]):
        crowd = of_note[path] / _NOTE_CROWD + of_kind[passage.kind] / _KIND_CROWD
        of_note[path] += 1
        of_kind[passage.kind] += 1
        spread.append((not is_core(path), round(score / (1 + crowd), 6), path, line, passage))
    return [passage for *_, passage in sorted(spread, key=lambda row: row[:4])]


def _score(passage: Passage, today: date) -> float:
    weight, least = _WORTH[passage.kind]
    fresh = max(least, 1 / (1 + max(0, (today - passage.day).days) / _HALF_FRESH_DAYS))
    says = min(1.0, passage.size / _FULL_SIZE)
    noise = _NOISE_FACTOR if is_noise(passage.note) else 1.0
    return weight * (0.4 + 0.6 * fresh) * (0.5 + 0.5 * says) * noise


def _content(passage: Passage) -> tuple[bool, bytes]:
    return passage.kind is NoteKind.STATE, passage.digest
