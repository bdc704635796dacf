"""Which passages of a workspace could become entries, and in how much detail each note can be afforded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from hippocampus_cli.drafting.cut import cut, whole
from hippocampus_cli.drafting.passage import Passage, day_of
from hippocampus_cli.index.decay import DecayClock, hours_between, retention
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
    NoteKind.DAILY: 0.7,
    NoteKind.SKILL: 0.65,
    NoteKind.AGENT: 0.6,
    NoteKind.STATE: 0.45,
    NoteKind.TEMP: 0.3,
}
_GIVES_WAY = (
    *(NoteKind.TEMP, NoteKind.AGENT, NoteKind.SKILL, NoteKind.DOC, NoteKind.RESEARCH),
    *(NoteKind.DAILY, NoteKind.PROJECT),
)
"""The order in which notes are indexed by file rather than by section when room is short."""
_TIMELESS = frozenset((NoteKind.CONFIG, NoteKind.PROJECT, NoteKind.DOC, NoteKind.SKILL))
_FULL_SIZE = 400


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
class Cut:
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
) -> list[Cut]:
    """The same with what no entry of the index leads to yet."""
    cuts = []
    for note, kind, day, fine in parts:
        new = tuple(passage for passage in fine if covered.entry_of(passage) is None)
        indexed = covered.touches(note.path)
        file = fine[0] if len(fine) == 1 else whole(note, kind, day)
        cuts.append(Cut(note, kind, day, fine, new, file, indexed))
    return cuts


def detailed(cuts: Sequence[Cut], clock: DecayClock, recent_days: int, most: int) -> list[Passage]:
    """The passages that may become entries, about ``most`` where that can be had by indexing by file.

    Core files and projects come by section, dailies older than ``recent_days`` by file, the rest by section
    until room is short.
    """
    today = clock.now.date()
    by_file = {
        cut.note.path
        for cut in cuts
        if cut.kind is NoteKind.DAILY and (today - cut.day).days > recent_days
    }
    wanted = sum(len(_offered(cut, by_file)) for cut in cuts)
    order = sorted(
        (cut for cut in cuts if cut.kind in _GIVES_WAY and not cut.indexed),
        key=lambda cut: (_GIVES_WAY.index(cut.kind), cut.day, cut.note.path),
    )
    for cut in order:
        if wanted <= most:
            break
        if cut.note.path not in by_file and len(cut.new) > 1:
            by_file.add(cut.note.path)
            wanted -= len(cut.new) - 1
    return [passage for cut in cuts for passage in _offered(cut, by_file)]


def _offered(cut: Cut, by_file: set[str]) -> tuple[Passage, ...]:
    if cut.note.path in by_file:
        return () if cut.indexed else (cut.file,)
    return cut.new


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


def ranked(passages: Sequence[Passage], now: datetime, clock: DecayClock) -> list[Passage]:
    """The passages in the order in which they deserve an entry; ties by path and line.

    What counts: the kind, how recent it is, how much it says, and that its note is not there many times over.
    """
    scored = sorted(
        ((_score(passage, now, clock), passage) for passage in passages),
        key=lambda pair: (-pair[0], pair[1].note.path, pair[1].line),
    )
    nth: dict[str, int] = {}
    spread = []
    for score, passage in scored:
        count = nth[passage.note.path] = nth.get(passage.note.path, 0) + 1
        spread.append((round(score / (1 + 0.05 * (count - 1)), 6), passage))
    spread.sort(key=lambda pair: (-pair[0], pair[1].note.path, pair[1].line))
    return [passage for _, passage in spread]


def _score(passage: Passage, now: datetime, clock: DecayClock) -> float:
    fresh = retention(hours_between(passage.day, now), clock.rates)
    if passage.kind in _TIMELESS:
        fresh = max(fresh, 0.7)
    says = min(1.0, passage.size / _FULL_SIZE)
    return _WEIGHTS[passage.kind] * (0.4 + 0.6 * fresh) * (0.5 + 0.5 * says)


def _content(passage: Passage) -> str:
    return f"{passage.kind is NoteKind.STATE}{''.join(passage.body.split())}"
