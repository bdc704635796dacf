"""Where a pointer leads whose note is there and whose section is not, or only by likeness."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.maintenance.relocate.notes import moved, section_edited, section_elsewhere
from hippocampus_cli.maintenance.relocate.traces import (
    FEWEST_LINES,
    Destination,
    Place,
    Traces,
    best,
    clear_winner,
    heading_of,
)
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.workspace import sections
from hippocampus_cli.workspace.fingerprints import SectionPrint
from hippocampus_cli.workspace.paths import is_absolute, normal
from hippocampus_cli.workspace.resolve import Status
from hippocampus_cli.workspace.sections import How, SectionNames

ALIKE = 92.0
"""Likeness of two headings in percent from which one is the other renamed: "Backup", "Backups"."""

FEWEST_SHARED = 2
"""So many lines two sections of one note must share to be the same one, renamed and edited."""

_SHORT = re.compile(r"\b\w{1,2}\b")


def renamed(pointer: Pointer, path: str, traces: Traces) -> Destination | None:
    """Where ``pointer`` leads now; ``path`` is the note that it names."""
    if pointer.section is None or path not in traces.present:
        return None
    return best(_Renamed(pointer, pointer.section, path, traces).candidates())


@dataclass(frozen=True, slots=True)
class _Renamed:
    pointer: Pointer
    section: str
    path: str
    traces: Traces

    def candidates(self) -> Iterator[Destination | None]:
        was = self.traces.section_was(self.path, self.section)
        if was and was.lines:
            yield self._same_text(was)
            yield section_elsewhere(was, self.path, self.traces)
            yield self._same_lines(was)
        yield self._same_heading(was)
        if was:
            yield section_edited(was, self.traces)

    def _new(self, was: SectionPrint | None) -> list[SectionPrint]:
        """The sections of the note that have their names only since ``was`` lost its own."""
        before = {one.name for one in self.traces.known[self.path].sections} if was else set()
        there = self.traces.present[self.path].sections
        return [one for one in there if one.name and one.name not in before]

    def _same_text(self, was: SectionPrint) -> Destination | None:
        same = [one for one in self._new(was) if one[1:] == was[1:]]
        if not same:
            return None
        enough = self.traces.says_enough(Place(self.path, same[0].name))
        return self._to(same[0].name, "same text", certain=len(same) == 1 and enough)

    def _same_lines(self, was: SectionPrint) -> Destination | None:
        lines = set(was.lines)
        shared = Counter(
            {Place(self.path, one.name): len(lines & set(one.lines)) for one in self._new(was)}
        )
        found = clear_winner(shared, len(lines))
        if found is None or shared[found[0]] < FEWEST_SHARED:
            return None
        return self._to(found[0].name, f"{found[1]:.0%} of its lines", certain=True)

    def _same_heading(self, was: SectionPrint | None) -> Destination | None:
        note = self.traces.note(self.path)
        if note is None:
            return None
        names = SectionNames(note.sections)
        near = [(names.pointer_name(one) or "", score) for one, score in names.near(self.section)]
        new = {one.name: one for one in self._new(was)}
        pool = [one for one in near if one[0] in new] or near
        if not pool or (len(pool) > 1 and pool[0][1] - pool[1][1] < sections.LEAD):
            return None
        name, score = pool[0]
        if name not in new:
            return self._to(name, "a heading like it, in the same position", certain=False)
        sure = len(pool) == 1 and score >= ALIKE and _same_signs(self.section, name)
        certain = sure and not _another_text(was, new[name])
        return self._to(name, "a heading like it", certain=certain)

    def _to(self, name: str, why: str, *, certain: bool) -> Destination:
        there = Pointer(self.pointer.path, name)
        return Destination(there, f"renamed: {self.section!r} -> {name!r} ({why})", certain)


def _same_signs(one: str, other: str) -> bool:
    """Whether two headings agree in their words of one or two letters: plan A is not plan B."""
    return sorted(_SHORT.findall(heading_of(one))) == sorted(_SHORT.findall(heading_of(other)))


def _another_text(was: SectionPrint | None, now: SectionPrint) -> bool:
    """Whether a text that had some length left no line in the other."""
    return (
        was is not None and len(was.lines) >= FEWEST_LINES and not set(was.lines) & set(now.lines)
    )


class Broken(NamedTuple):
    """A pointer that does not lead where it says, and where it probably ought to.

    ``gone`` says what is not there; it is empty where the pointer leads to a section with a name like it.
    """

    pointer: Pointer
    gone: str
    goes: Destination | None


def path_of(pointer: Pointer) -> str | None:
    """The path of a pointer from the workspace's root; ``None`` where it is none of upkeep's business."""
    if is_absolute(pointer.path):
        return None
    return normal(pointer.path.replace("\\", "/"))


def look(pointer: Pointer, snapshot: Snapshot, traces: Traces) -> Broken | None:
    """What is wrong with a pointer; ``None`` where it leads somewhere exactly, or is not to be touched."""
    path = path_of(pointer)
    if path is None or traces.leads(path, pointer.section):
        return None
    there = snapshot.follow(pointer)
    if there.status is Status.MISSING_FILE:
        return Broken(pointer, f"{pointer.path} is gone", moved(pointer, path, traces))
    if there.status is Status.MISSING_SECTION:
        gone = f"{pointer.path} has no section {pointer.section!r}"
        return Broken(pointer, gone, renamed(pointer, there.path, traces))
    if there.how is How.FUZZY:
        return Broken(pointer, "", renamed(pointer, there.path, traces))
    return None
