"""Where a day's note went that was folded into an archive: ``memory/archive/2026-03.md`` (INDEX §10.1)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.maintenance.tracing.names import file_name, heading_of, parts_shared
from hippocampus_cli.maintenance.tracing.traces import Destination, Place, Traces, best
from hippocampus_cli.search.months import MONTHS
from hippocampus_cli.workspace.dates import date_of
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.sections import SectionNames
from hippocampus_cli.workspace.titles import fold

_DAY_ALONE = re.compile(r"\d{4}([-_.]?)\d\d\1\d\d(?:[-_t ]?\d\d[-:h]?\d\d)?$")


def in_archive(pointer: Pointer, path: str, traces: Traces) -> Destination | None:
    """Where the note of a day, or the pointed section of it, stands in an archive.

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
