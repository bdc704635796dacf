"""Where a pointer into a note that is gone leads now: renamed, moved, or folded into an archive (INDEX §10.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.maintenance.relocate.traces import (
    ALL,
    NEARLY_ALL,
    Destination,
    Place,
    Traces,
    best,
    file_name,
    heading_of,
    lines_of,
    parts_shared,
)
from hippocampus_cli.text.tokenizer import MONTHS
from hippocampus_cli.workspace.fingerprints import Fingerprint, SectionPrint
from hippocampus_cli.workspace.kinds import date_of
from hippocampus_cli.workspace.note import Note, Section, fold
from hippocampus_cli.workspace.sections import SectionNames, find_section, pointer_name

_DAY_ALONE = re.compile(r"\d{4}([-_.]?)\d\d\1\d\d(?:[-_t ]?\d\d[-:h]?\d\d)?$")


def in_archive(pointer: Pointer, path: str, traces: Traces) -> Destination | None:
    """Where the note of a day, or the pointed section of it, is in an archive.

    Those with the file's own name are looked at first, then the nearest.
    """
    day = date_of(path)
    if day is None:
        return None
    home = path.rpartition("/")[0]
    near = sorted(
        (one for one, (first, last) in traces.archives if first <= day <= last and one != path),
        key=lambda one: (-parts_shared(one, path), not one.startswith(f"{home}/"), len(one), one),
    )
    notes = (note for one in near if (note := traces.note(one)))
    return best(_Archived(pointer, path, day, note, traces).found() for note in notes)


@dataclass
class _Archived:
    """One pointer into the note of a day at ``path``, and one archive that has room for the day."""

    pointer: Pointer
    path: str
    day: date
    note: Note
    traces: Traces

    def found(self) -> Destination | None:
        if by_text := self._by_text():
            return self._to(by_text, f"same text as {self.path} had", certain=True)
        if file_name(self.note.path) == file_name(self.path):
            return self._under_own_name()
        wanted = heading_of(self.pointer.section) if self.pointer.section else None
        if not self._of_day:
            named = [one for one in self.note.sections if fold(one.title) == wanted]
            there = self._name(named[0]) if len(named) == 1 else None
            return self._to(there, f"it has room for {self.day}", certain=False)
        inside = [one for one in self._in_day if fold(one.title) == wanted]
        target = inside[0] if inside else self._of_day[0]
        sure = len(inside) == 1 or (not inside and self._is_theirs)
        return self._to(self._name(target), f"the section of {self.day}", certain=sure)

    def _by_text(self) -> str | None:
        """The name of the one section with the text of the pointed one."""
        was = self.traces.section_was(self.path, self.pointer.section)
        if was is None or not was.lines:
            return None
        places = [one for one in self.traces.same_section(was) if one.path == self.note.path]
        known = len(places) == 1 and self.traces.says_enough(places[0])
        return places[0].name if known else None

    def _under_own_name(self) -> Destination:
        section = self.pointer.section
        there = section is None or self.traces.leads(self.note.path, section)
        return self._to(section if there else None, "the same file name", certain=there)

    @cached_property
    def _of_day(self) -> list[Section]:
        """The sections with the day in their heading; one that is just the file's name goes before all others."""
        bearing = _bearing(self.day)
        found: list[Section] = []
        for one in self.note.sections:
            if bearing.search(one.title) and not (found and one.start <= found[-1].tree_end):
                found.append(one)
        return [one for one in found if fold(one.title) == self._stem] or found

    @property
    def _is_theirs(self) -> bool:
        """Whether the one section of the day is this note's: a day may have had several, on one subject each."""
        (first, *others) = self._of_day
        return not others and bool(fold(first.title) == self._stem or _DAY_ALONE.match(self._stem))

    @property
    def _stem(self) -> str:
        return file_name(self.path).rpartition(".")[0]

    @property
    def _in_day(self) -> list[Section]:
        """Those sections and the ones below them."""
        return [
            one
            for one in self.note.sections
            if any(day.start <= one.start <= day.tree_end for day in self._of_day)
        ]

    def _name(self, section: Section) -> str | None:
        return SectionNames(self.note.sections).pointer_name(section)

    def _to(self, name: str | None, why: str, *, certain: bool) -> Destination:
        return Destination(Place(self.note.path, name or "").pointer, f"archived: {why}", certain)


def _bearing(day: date) -> re.Pattern[str]:
    """Finds the day in a heading of an archive that is about it: ``2026-03-01``, ``03-01``, ``1 March``."""
    months = "|".join(name for name, number in MONTHS.items() if number == day.month)
    written = (
        rf"{day:%Y}[-_./ ]?{day:%m}[-_./ ]?{day:%d}(?!\d)|(?<![\d-]){day:%m}-{day:%d}(?![\d-])"
    )
    named = rf"\b0?{day.day}(?:st|nd|rd|th|\.)? (?:of )?(?:{months})\b"
    turned = rf"\b(?:{months})\.? 0?{day.day}(?:st|nd|rd|th)?\b"
    return re.compile(rf"(?<!\d)(?:{written}|{named}|{turned})", re.IGNORECASE)


def moved(pointer: Pointer, path: str, traces: Traces) -> Destination | None:
    """Where ``pointer`` leads, now that its file at ``path`` is gone: the surest trace of what it meant."""
    return best(_traces_of(pointer, path, traces))


def _traces_of(pointer: Pointer, path: str, traces: Traces) -> Iterator[Destination | None]:
    was = traces.known.get(path)
    section = traces.section_was(path, pointer.section)
    if was:
        yield _whole(was, pointer, path, traces)
    if section:
        yield section_elsewhere(section, path, traces)
    yield in_archive(pointer, path, traces)
    if section:
        yield section_edited(section, traces)
    if was:
        yield _edited(was, pointer, path, traces)
    yield _same_name(pointer, path, traces)


def _whole(was: Fingerprint, pointer: Pointer, path: str, traces: Traces) -> Destination | None:
    """The note under another path, unchanged."""
    same = traces.same_note(was)
    new = [one for one in same if _is_other(one, was, traces)]
    pool = sorted(new or same, key=lambda one: (-parts_shared(one, path), one))
    if not pool:
        return None
    shared = [parts_shared(one, path) for one in pool]
    alone = len(pool) == 1 or shared[0] > shared[1]
    sure = shared[0] > 0 or traces.says_enough(Place(pool[0]))
    there = _section_there(pointer, pool[0], traces)
    reason = f"same text as {path} had"
    if not new:
        reason += ", in the same position"
    certain = bool(new) and alone and sure and _complete(pointer, there)
    return Destination(there, reason, certain)


def _is_other(path: str, was: Fingerprint, traces: Traces) -> bool:
    """Whether the note at ``path`` has its text only since."""
    before = traces.known.get(path)
    return before is None or before.sections != was.sections


def _complete(pointer: Pointer, there: Pointer) -> bool:
    """Whether what is pointed at in the new place is what was pointed at, not the whole note around it."""
    return (pointer.section is None) == (there.section is None)


def _section_there(pointer: Pointer, path: str, traces: Traces) -> Pointer:
    """The pointed section in the note at ``path``; the note as a whole where it is not there."""
    if pointer.section is None or traces.leads(path, pointer.section):
        return Pointer(path, pointer.section)
    note = traces.note(path)
    found = find_section(note.sections, pointer.section) if note else None
    if note is None or found is None:
        return Pointer(path)
    return Pointer(path, pointer_name(note.sections, found.section))


def section_elsewhere(was: SectionPrint, path: str, traces: Traces) -> Destination | None:
    """The section's own text in another note."""
    same = [place for place in traces.same_section(was) if place.path != path]
    new = [one for one in same if traces.is_new(one, was._replace(name=one.name))]
    named = [one for one in new if heading_of(one.name) == heading_of(was.name)]
    pool = new if len(new) == 1 else named or new or same
    if not pool or not was.lines:
        return None
    enough = traces.says_enough(pool[0])
    if not enough and not named:
        return None
    certain = bool(new) and len(pool) == 1 and enough and traces.only_one(was)
    reason = f"same text as §{was.name} of {path} had"
    if not new:
        reason += ", in the same position"
    return Destination(pool[0].pointer, reason, certain)


def section_edited(was: SectionPrint, traces: Traces) -> Destination | None:
    """The section that most of the lines went to: surely it where all did, in a new note under its heading."""
    found = traces.mostly(was.lines)
    if found is None or not found[0].name:
        return None
    place, share = found
    named = heading_of(place.name) == heading_of(was.name)
    certain = named and share >= ALL and place.path not in traces.known
    return Destination(place.pointer, f"{share:.0%} of its lines stand there", certain)


def _edited(was: Fingerprint, pointer: Pointer, path: str, traces: Traces) -> Destination | None:
    """The note that most of the lines went to: surely it where nearly all did, and it is a new one.

    A section of it only where all did and its heading is there: the note grew, and nothing of it changed.
    """
    found = traces.mostly(lines_of(was), notes=True)
    if found is None:
        return None
    place, share = found
    there = _section_there(pointer, place.path, traces)
    sure = share >= (ALL if pointer.section else NEARLY_ALL)
    certain = sure and place.path not in traces.known and traces.leads(place.path, pointer.section)
    return Destination(there, f"{share:.0%} of the lines of {path} stand there", certain)


def _same_name(pointer: Pointer, path: str, traces: Traces) -> Destination | None:
    """The only other file of that name that has the section; one without a line of it is another note."""
    found = [one for one in traces.called(path) if traces.leads(one, pointer.section)]
    if len(found) != 1:
        return None
    was = traces.known.get(path)
    if was and not lines_of(was) & lines_of(traces.present[found[0]]):
        return None
    reason = f"the only {file_name(path)} there is"
    if pointer.section:
        reason += " with that section"
    there = Pointer(found[0], pointer.section)
    certain = found[0] not in traces.known and _holds(there, was, path, traces)
    return Destination(there, reason, certain)


def _holds(there: Pointer, was: Fingerprint | None, path: str, traces: Traces) -> bool:
    """Whether the lines of what was pointed at are there, and in no other note: it grew as it moved."""
    section = traces.section_was(path, there.section)
    lines = section.lines if section else lines_of(was) if was and not there.section else ()
    place = Place(there.path, there.section or "")
    found = traces.mostly(lines, notes=not there.section, fewest=1)
    return bool(found and found[0] == place and found[1] >= ALL) and traces.says_enough(place)
