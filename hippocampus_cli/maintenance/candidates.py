"""Which passages of a workspace could become entries, and in how much detail each note can be afforded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from hippocampus_cli.drafting.cut import cut, whole
from hippocampus_cli.drafting.passage import Passage, day_of
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.maintenance.coverage import Coverage
from hippocampus_cli.workspace.kinds import NoteKind, kind_of
from hippocampus_cli.workspace.note import Note

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
_ESSENTIAL = frozenset(("memory", "tools", "user", "agents", "claude"))
"""The core files that are indexed by section in any case: what they hold is looked up, not recited."""
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
_FULL_SIZE = 400
_HALF_FRESH_DAYS = 30
_NOTE_CROWD = 20
_KIND_CROWD = 40


class Why(StrEnum):
    """Why a passage got no entry."""

    BUDGET = "budget"
    EMPTY = "empty"
    SHORT = "too short"
    DUPLICATE = "same text as another"
    LONG = "name too long"


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
    """A note with its passages: all of them, and those that no entry covers yet."""

    note: Note
    kind: NoteKind
    day: date
    fine: tuple[Passage, ...]
    new: tuple[Passage, ...]
    file: Passage
    indexed: bool


def cut_all(files: Iterable[NoteFile]) -> list[tuple[Note, NoteKind, date, tuple[Passage, ...]]]:
    """Every note with its kind, its day and its passages, by path."""
    found = []
    for file in sorted(files, key=lambda file: file.note.path):
        note = file.note
        kind = kind_of(note.path)
        day = day_of(note.path, file.modified)
        found.append((note, kind, day, tuple(cut(note, kind, day))))
    return found


def uncovered(
    parts: Iterable[tuple[Note, NoteKind, date, tuple[Passage, ...]]], covered: Coverage
) -> list[CutNote]:
    """The same with what no entry of the index leads to yet."""
    cuts = []
    for note, kind, day, fine in parts:
        new = tuple(passage for passage in fine if covered.entry_of(passage) is None)
        indexed = covered.touches(note.path)
        file = fine[0] if len(fine) == 1 else whole(note, kind, day)
        cuts.append(CutNote(note, kind, day, fine, new, file, indexed))
    return cuts


def detailed(
    cuts: Sequence[CutNote], clock: DecayClock, recent_days: int, most: int
) -> list[Passage]:
    """The passages that may become entries, about ``most`` where that can be had by indexing by file.

    Core files and projects come by section, dailies older than ``recent_days`` by file, the rest by section
    until room is short.
    """
    today = clock.now.date()
    by_file = {
        one.note.path
        for one in cuts
        if one.kind is NoteKind.DAILY and (today - one.day).days > recent_days
    }
    old = sum(len(_offered(one, by_file)) for one in cuts if one.note.path in by_file)
    wanted = sum(len(_offered(one, by_file)) for one in cuts)
    wanted -= max(0, old - most // _OLD_SHARE)
    order = sorted(
        (one for one in cuts if not one.indexed and not _is_essential(one)),
        key=lambda one: (_rank(one), one.day, one.note.path),
    )
    for one in order:
        if wanted <= most:
            break
        if one.note.path not in by_file and len(one.new) > 1:
            by_file.add(one.note.path)
            wanted -= len(one.new) - 1
    return [passage for one in cuts for passage in _offered(one, by_file)]


def _rank(one: CutNote) -> int:
    if one.kind is NoteKind.PROJECT and _stem(one) in _MAIN:
        return len(_GIVES_WAY)
    return _GIVES_WAY.index(one.kind)


def _stem(one: CutNote) -> str:
    return one.note.path.rpartition("/")[2].rpartition(".")[0].lower()


def _is_essential(one: CutNote) -> bool:
    return one.kind is NoteKind.CONFIG and _stem(one) in _ESSENTIAL


def _offered(one: CutNote, by_file: set[str]) -> tuple[Passage, ...]:
    if one.note.path in by_file:
        return () if one.indexed else (one.file,)
    return one.new


def sift(
    offered: Iterable[Passage], covered: Iterable[Passage]
) -> tuple[list[Passage], list[LeftOut]]:
    """The passages worth an entry, and the others: empty, too short, or the text of another one again."""
    seen = {_content(passage) for passage in covered}
    kept: list[Passage] = []
    out: list[LeftOut] = []
    for passage in offered:
        if passage.size < SHORTEST:
            out.append(left_out(passage, Why.SHORT if passage.size else Why.EMPTY))
            continue
        content = _content(passage)
        if content in seen:
            out.append(left_out(passage, Why.DUPLICATE))
        else:
            seen.add(content)
            kept.append(passage)
    return kept, out


def left_out(passage: Passage, why: Why) -> LeftOut:
    """The record of a passage that gets no entry."""
    return LeftOut(passage.note.path, passage.line, passage.title, passage.kind, why)


def ranked(passages: Iterable[Passage], today: date) -> list[Passage]:
    """The passages in the order in which they deserve an entry; ties by path and line.

    What counts: the kind, how recent it is, how much it says, and that neither its note nor its kind crowds
    out the others.
    """
    scored = sorted(
        ((_score(passage, today), passage) for passage in passages),
        key=lambda pair: (-pair[0], pair[1].note.path, pair[1].line),
    )
    of_note: Counter[str] = Counter()
    of_kind: Counter[NoteKind] = Counter()
    spread = []
    for score, passage in scored:
        crowd = of_note[passage.note.path] / _NOTE_CROWD + of_kind[passage.kind] / _KIND_CROWD
        of_note[passage.note.path] += 1
        of_kind[passage.kind] += 1
        spread.append((round(score / (1 + crowd), 6), passage))
    spread.sort(key=lambda pair: (-pair[0], pair[1].note.path, pair[1].line))
    return [passage for _, passage in spread]


def _score(passage: Passage, today: date) -> float:
    fresh = 1 / (1 + max(0, (today - passage.day).days) / _HALF_FRESH_DAYS)
    fresh = max(fresh, _TIMELESS.get(passage.kind, 0.0))
    says = min(1.0, passage.size / _FULL_SIZE)
    return _WEIGHTS[passage.kind] * (0.4 + 0.6 * fresh) * (0.5 + 0.5 * says)


def _content(passage: Passage) -> str:
    return f"{passage.kind is NoteKind.STATE}{''.join(passage.body.split())}"
