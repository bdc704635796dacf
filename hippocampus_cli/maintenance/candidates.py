"""Which passages could become entries, beyond what the index covers, and how finely each note can be indexed."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from hippocampus_cli.entries.noise import is_noise, is_running_log, shape_of
from hippocampus_cli.entries.passages import Passage, cut, day_of, whole
from hippocampus_cli.entries.relations import paths_of, targets
from hippocampus_cli.index import metadata
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.workspace.kinds import NoteKind, is_core, is_looked_up, kind_of
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
_ALIKE = 3
"""So many sections of logs that differ in their numbers only have one entry together."""

MOST_TOGETHER = 31
"""So many passages one entry leads to at most: a month of days."""
SHORTEST = 12
"""A passage with fewer characters says too little for an entry."""

_WEIGHTS = {
    NoteKind.CONFIG: 1.0,
    NoteKind.PROJECT: 0.95,
    NoteKind.DOC: 0.75,
    NoteKind.RESEARCH: 0.7,
    NoteKind.DAILY: 0.9,
    NoteKind.SKILL: 0.65,
    NoteKind.AGENT: 0.6,
    NoteKind.STATE: 0.45,
    NoteKind.TEMP: 0.3,
}
_GIVES_WAY = (
    *(NoteKind.TEMP, NoteKind.STATE, NoteKind.AGENT, NoteKind.SKILL, NoteKind.CONFIG),
    *(NoteKind.DOC, NoteKind.RESEARCH, NoteKind.PROJECT, NoteKind.DAILY),
)
"""The order in which notes are indexed by file rather than by section when room is short.

Recent dailies follow a project's side notes; a project's main note is the last to give way.
"""
_MAIN = frozenset(("project", "readme", "index", "status"))
_OLD_SHARE = 4
"""Older dailies count for at most one entry in four when it is decided how much detail there is room for."""
_TIMELESS = {
    NoteKind.CONFIG: 0.7,
    NoteKind.PROJECT: 0.7,
    NoteKind.DOC: 0.5,
    NoteKind.SKILL: 0.5,
    NoteKind.RESEARCH: 0.3,
}
"""How fresh such a note counts at least."""
_LINKED = 0.12
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
    LOG = "the log of a note that has entries"
    ROUTINE = "says what the logs say every time"
    LONG = "name too long"
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
class CutNote:
    """A note with those of its passages that may become entries, and itself as one passage.

    ``indexed``: an entry leads into the note already, so that how finely it is indexed is settled.
    """

    kind: NoteKind
    day: date
    new: tuple[Passage, ...]
    file: Passage
    indexed: bool


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
    found = []
    for file in sorted(files, key=lambda file: file.note.path):
        note = file.note
        if note.path == LOG:
            continue
        kind = kind_of(note.path)
        day = day_of(note.path, file.modified, note.text)
        found.append(Parts(note, kind, day, tuple(cut(note, kind, day))))
    return found


def uncovered(
    parts: Iterable[Parts], covered: Coverage, today: date, recent_days: int
) -> list[CutNote]:
    """The notes with what no entry leads to yet; dailies older than ``recent_days`` as one passage each."""
    cuts = []
    for one in parts:
        indexed = covered.touches(one.note.path)
        file = one.file
        if one.kind is NoteKind.DAILY and (today - one.day).days > recent_days:
            new: tuple[Passage, ...] = () if indexed else (file,)
        else:
            new = tuple(passage for passage in one.fine if covered.entry_of(passage) is None)
        cuts.append(CutNote(one.kind, one.day, new, file, indexed))
    return cuts


class Sifted(NamedTuple):
    """The notes with the passages worth an entry alone, and what is ``out``: empty, short, or said already.

    ``also``: by the place of a passage those that its entry leads to as well, since they say the same or differ in
    their numbers only, as logs do.
    """

    cuts: list[CutNote]
    out: list[LeftOut]
    also: dict[Place, list[Passage]]


def place_of(passage: Passage) -> Place:
    """The path and the line of a passage."""
    return passage.note.path, passage.line


def sift(cuts: Iterable[CutNote], covered: Iterable[Passage]) -> Sifted:
    """What of the notes' new passages deserves an entry of its own."""
    cuts = list(cuts)
    seen: dict[object, Place] = {_content(passage): place_of(passage) for passage in covered}
    sifted = Sifted([], [], defaultdict(list))
    logs = Counter(shape for one in cuts for passage in one.new if (shape := shape_of(passage)))
    for one in cuts:
        kept: list[Passage] = []
        for passage in one.new:
            content: object = _content(passage)
            if (shape := shape_of(passage)) and logs[shape] >= _ALIKE:
                content = shape
            if passage.size < SHORTEST:
                sifted.out.append(left_out(passage, Why.SHORT if passage.size else Why.EMPTY))
            elif is_running_log(passage) and (one.indexed or not all(map(is_running_log, one.new))):
                sifted.out.append(left_out(passage, Why.LOG))
            elif content in seen and len(sifted.also[seen[content]]) < MOST_TOGETHER:
                sifted.out.append(left_out(passage, Why.DUPLICATE))
                sifted.also[seen[content]].append(passage)
            else:
                seen[content] = place_of(passage)
                kept.append(passage)
        sifted.cuts.append(replace(one, new=tuple(kept)))
    return sifted


def detailed(cuts: Sequence[CutNote], most: int) -> list[Passage]:
    """The passages that may become entries, about ``most`` where that can be had by indexing by file.

    Core files and projects come by section, and so does the rest until room is short.
    """
    old = sum(1 for one in cuts if one.kind is NoteKind.DAILY and one.new == (one.file,))
    wanted = sum(len(one.new) for one in cuts) - max(0, old - most // _OLD_SHARE)
    order = sorted(
        (one for one in cuts if len(one.new) > 1 and not one.indexed and not _is_essential(one)),
        key=lambda one: (_rank(one), one.day, one.file.note.path),
    )
    by_file = set()
    for one in order:
        if wanted <= most:
            break
        by_file.add(one.file.note.path)
        wanted -= len(one.new) - 1
    return [
        passage
        for one in cuts
        for passage in ((one.file,) if one.file.note.path in by_file else one.new)
    ]


def links(passages: Iterable[Passage]) -> Counter[str]:
    """How many of these notes link to each path of them."""
    files = {one.note.path.casefold(): one for one in passages}
    found: Counter[str] = Counter()
    for one in files.values():
        linked = {path for target in targets(one) for path in paths_of(target, one)}
        found.update(files[path].note.path for path in linked if path in files)
    return found


def _rank(one: CutNote) -> int:
    if is_noise(one.file.note):
        return -1
    if one.kind is NoteKind.PROJECT and _stem(one) in _MAIN:
        return len(_GIVES_WAY)
    return _GIVES_WAY.index(one.kind)


def _stem(one: CutNote) -> str:
    return one.file.note.path.rpartition("/")[2].rpartition(".")[0].lower()


def _is_essential(one: CutNote) -> bool:
    return is_looked_up(one.file.note.path)


def left_out(passage: Passage, why: Why) -> LeftOut:
    """The record of a passage that gets no entry."""
    return LeftOut(passage.note.path, passage.line, passage.title, passage.kind, why)


def ranked(passages: Iterable[Passage], today: date, linked: Mapping[str, int]) -> list[Passage]:
    """The passages in the order in which they deserve an entry; ties by path and line.

    Core files come first (decision D22). Then counts the kind, how recent it is, how much it says, how many notes
    link to it (``linked``, by path), and that neither its note nor its kind crowds out the others.
    """
    scored = sorted(
        ((_score(passage, today, linked), passage) for passage in passages),
        key=lambda pair: (-pair[0], pair[1].note.path, pair[1].line),
    )
    of_note: Counter[str] = Counter()
    of_kind: Counter[NoteKind] = Counter()
    spread = []
    for score, passage in scored:
        crowd = of_note[passage.note.path] / _NOTE_CROWD + of_kind[passage.kind] / _KIND_CROWD
        of_note[passage.note.path] += 1
        of_kind[passage.kind] += 1
        spread.append((is_core(passage.note.path), round(score / (1 + crowd), 6), passage))
    spread.sort(key=lambda one: (not one[0], -one[1], one[2].note.path, one[2].line))
    return [passage for *_, passage in spread]


def _score(passage: Passage, today: date, linked: Mapping[str, int]) -> float:
    fresh = 1 / (1 + max(0, (today - passage.day).days) / _HALF_FRESH_DAYS)
    fresh = max(fresh, _TIMELESS.get(passage.kind, 0.0))
    says = min(1.0, passage.size / _FULL_SIZE)
    known = 1 + _LINKED * math.log1p(linked.get(passage.note.path, 0))
    noise = _NOISE_FACTOR if is_noise(passage.note) else 1.0
    return _WEIGHTS[passage.kind] * (0.4 + 0.6 * fresh) * (0.5 + 0.5 * says) * known * noise


def _content(passage: Passage) -> tuple[bool, bytes]:
    return passage.kind is NoteKind.STATE, passage.digest
