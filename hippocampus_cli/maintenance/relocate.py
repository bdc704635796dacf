"""Where a pointer leads now whose note or section is gone (INDEX §10.1): one ladder, the surest trace first.

The fingerprints tell what the notes were at the last upkeep and what they are now. A note that moved as it was, a
section with the same text, the place that most of the lines went to, the day's section in an archive, a name like it:
the first that is certain is followed, else the first is proposed. Pure.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.workspace import sections
from hippocampus_cli.workspace.fingerprints import Fingerprint, Fingerprints, SectionPrint
from hippocampus_cli.workspace.kinds import date_of, period_of
from hippocampus_cli.workspace.note import Note, fold
from hippocampus_cli.workspace.paths import is_absolute, normal
from hippocampus_cli.workspace.sections import SectionNames

HALF = 0.5
"""Share of the lines of a text from which a place may be where it went: as git takes a file for renamed."""
NEARLY_ALL = 0.8
"""Share of a note's lines from which it surely is."""
LEAD = 0.25
"""By how much of the lines it must be ahead of every other place."""
FEWEST_LINES = 3
"""So many lines a text must have had; one or two may come together by chance."""
FEWEST_SHARED = 2
"""So many lines two sections of one note must share to be the same one, renamed and edited."""
ENOUGH = 20
"""Characters besides blanks from which a text is known again by itself: "none so far" stands anywhere."""
ALIKE = 92.0
"""Likeness of two headings in percent from which one is the other renamed: "Backup", "Backups"."""
_NUMBER = re.compile(r"(?<!\s)\s+#\d+$")
_SHORT = re.compile(r"\b\w{1,2}\b")
_ARCHIVES = frozenset(("archive", "archives", "archived"))
_THERE_BEFORE = ", which was there before"

_K = TypeVar("_K")
_V = TypeVar("_V")


def path_of(pointer: Pointer) -> str | None:
    """The path of a pointer from the workspace's root; ``None`` where it is none of upkeep's business."""
    return None if is_absolute(pointer.path) else normal(pointer.path.replace("\\", "/"))


def target(pointer: Pointer) -> Pointer:
    """A pointer in the form in which two to one place are equal."""
    return Pointer(path_of(pointer) or pointer.path, fold(pointer.section or "") or None)


class Place(NamedTuple):
    """A section by its pointer name, or with an empty one a note as a whole."""

    path: str
    name: str = ""

    @property
    def pointer(self) -> Pointer:
        return Pointer(self.path, self.name or None)

    @property
    def heading(self) -> str:
        """The heading of the section, without its parents and its number; of a note, its file's name."""
        if not self.name:
            return file_name(self.path)
        return fold(_NUMBER.sub("", self.name).rpartition(" > ")[2])


class Destination(NamedTuple):
    """Where a pointer leads now, why it is thought so, and whether it is ``certain``."""

    pointer: Pointer
    reason: str
    certain: bool = True


@dataclass(eq=False, repr=False)
class Traces:
    """``known`` are the fingerprints as of the last upkeep, ``present`` as of now; ``note`` reads a note.

    What takes a look at every note is worked out when it is first asked for, and notes are seldom read.
    """

    known: Fingerprints
    present: Fingerprints
    note: Callable[[str], Note | None]

    def leads(self, path: str, section: str | None) -> bool:
        """Whether there is a note at ``path`` that has a section of exactly this pointer name."""
        there = self.present.get(path)
        names = (one.name for one in there.sections) if there else ()
        return there is not None and (section is None or section in names)

    def section_was(self, path: str, section: str | None) -> SectionPrint | None:
        """The section of this name as it was known: ``Deploy`` may be ``Tools > deploy``."""
        was = self.known.get(path)
        if was is None or section is None:
            return None
        wanted, named = fold(section), [one for one in was.sections if one.name]
        ways = (
            (one for one in named if one.name == section),
            (one for one in named if fold(one.name) == wanted),
            (one for one in named if fold(one.name).endswith(f" > {wanted}")),
            (one for one in named if wanted.endswith(f" > {fold(one.name)}")),
        )
        return next((one for way in ways for one in way), None)

    def copies(self, path: str, section: str) -> list[Place]:
        """Where the text of a section stands now; with an empty name that of the note."""
        if not section:
            was = self.known.get(path)
            return [Place(one) for one in self._same_notes(was)] if was else []
        part = self.section_was(path, section)
        return self._by_section.get(part[1:], []) if part and part.lines else []

    def is_kept(self, path: str, section: str | None) -> bool:
        """Whether all that a note, or a section of it, said is still said in some note: a copy, or in parts.

        Few lines have to stand together in a section of their own, as they did.
        """
        was, part = self.known.get(path), self.section_was(path, section)
        parts = [part] if part else was.sections if was and section is None else ()
        parts = [one for one in parts if one.lines]
        lines = {line for one in parts for line in one.lines}
        if len(lines) >= FEWEST_LINES:
            return lines <= self._standing.keys()
        copies = (self._by_section.get(one[1:], []) for one in parts)
        return bool(parts) and all(any(map(self.says_enough, places)) for places in copies)

    def says_enough(self, place: Place) -> bool:
        """Whether the text at a place is long enough to be known again by itself."""
        note = self.note(place.path)
        if note is None:
            return False
        text = note.text
        if place.name:
            there = SectionNames(note.sections).find(place.name, fuzzy=False)
            if there is None:
                return False
            section = there.section
            text = note.text_of(section.start + section.heading_lines, section.end)
        return len("".join(text.split())) >= ENOUGH

    def where_most(self, lines: Iterable[int], *, notes: bool) -> tuple[Place, int, int] | None:
        """The one section (or note) that holds most of these lines, how many of them, and of how many.

        What is in several notes belongs to none of them and does not count.
        """
        counts: Counter[Place] = Counter()
        total = 0
        for line in set(lines):
            standing = self._standing.get(line, ())
            within = {Place(one.path) for one in standing}
            if len(within) < 2:
                total += 1
                counts.update(within if notes else standing)
        (place, count), (_, behind) = (*counts.most_common(2), (Place(""), 0), (Place(""), 0))[:2]
        clear = count and count >= HALF * total and count - behind >= LEAD * total
        return (place, count, total) if clear else None

    def was_once(self, section: SectionPrint) -> bool:
        """Whether this text was in one place alone."""
        return self._known_sections[section[1:]] == 1

    def called(self, path: str) -> list[str]:
        """The notes elsewhere whose file has the same name, upper or lower case."""
        return [one for one in self._by_name.get(file_name(path), ()) if one != path]

    def _same_notes(self, was: Fingerprint) -> list[str]:
        same = self._by_text.get(was.text, ())
        return [path for path in same if self.present[path].sections == was.sections]

    @cached_property
    def _by_text(self) -> dict[int, list[str]]:
        return _grouped((one.text, path) for path, one in self.present.items())

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        return _grouped((file_name(path), path) for path in self.present)

    @cached_property
    def _by_section(self) -> dict[tuple[object, ...], list[Place]]:
        return _grouped(
            (one[1:], Place(path, one.name))
            for path, there in self.present.items()
            for one in there.sections
            if one.name
        )

    @cached_property
    def _known_sections(self) -> Counter[tuple[object, ...]]:
        return Counter(one[1:] for was in self.known.values() for one in was.sections)

    @cached_property
    def _standing(self) -> dict[int, list[Place]]:
        """Where each line stands."""
        return _grouped(
            (line, Place(path, one.name))
            for path, there in self.present.items()
            for one in there.sections
            for line in set(one.lines)
        )


def relocated(pointer: Pointer, path: str, traces: Traces) -> Destination | None:
    """Where ``pointer`` leads now; ``path`` is the note that it names, from the workspace's root.

    The first certain rung, else the first; nothing is looked for after a certain one.
    """
    first: Destination | None = None
    for found in _Lost(pointer, path, traces).rungs():
        if found and found.certain:
            return found
        first = first or found
    return first


@dataclass(frozen=True)
class _Lost:
    """A pointer that leads nowhere, and what is known of what it meant."""

    pointer: Pointer
    path: str
    traces: Traces

    def rungs(self) -> Iterator[Destination | None]:
        """Where it may lead, the surest first."""
        if self._is_note_gone:
            yield self._moved_note()
        yield self._same_text()
        yield self._edited_section()
        if self._is_note_gone:
            yield self._archived_day()
            yield self._edited_note()
            yield self._same_file_name()
        else:
            yield self._like_heading()

    @property
    def _is_note_gone(self) -> bool:
        return self.path not in self.traces.present

    @property
    def _place(self) -> Place:
        return Place(self.path, self.pointer.section or "")

    @cached_property
    def _note_was(self) -> Fingerprint | None:
        return self.traces.known.get(self.path)

    @cached_property
    def _was(self) -> SectionPrint | None:
        return self.traces.section_was(self.path, self.pointer.section)

    @property
    def _lines(self) -> set[int]:
        """The checksums of the lines of what it meant."""
        if self.pointer.section:
            return set(self._was.lines if self._was else ())
        return lines_of(self._note_was) if self._note_was else set()

    def _moved_note(self) -> Destination | None:
        """The note under another path, unchanged."""
        places = self.traces.copies(self.path, "")
        pool, is_new = self._new_first(places)
        if not pool:
            return None
        place, alone = self._nearest(pool)
        sure = parts_shared(place.path, self.path) > 0 or self.traces.says_enough(place)
        there = self._section_in(place.path)
        complete = (self.pointer.section is None) == (there.section is None)
        reason = f"same text as {self.path} had{'' if is_new else _THERE_BEFORE}"
        return Destination(there, reason, is_new and alone and sure and complete)

    def _same_text(self) -> Destination | None:
        """The section's own text in another place."""
        pool, is_new = self._new_first(self.traces.copies(*self._place))
        if self._was is None or not pool:
            return None
        named = [one for one in pool if one.heading == self._place.heading]
        place, alone = self._nearest(named or pool)
        within, enough = place.path == self.path, self.traces.says_enough(place)
        if not (within or enough or named):
            return None
        near = bool(named) and parts_shared(place.path, self.path) > 0
        sure = near or (enough and (within or self.traces.was_once(self._was)))
        certain = is_new and alone and sure
        if within:
            return self._renamed(place.name, "same text", certain)
        reason = f"same text as §{self._was.name} of {self.path} had"
        return Destination(place.pointer, reason + ("" if is_new else _THERE_BEFORE), certain)

    def _edited_section(self) -> Destination | None:
        """The section that most of the lines went to: surely it where nothing of the text is missing."""
        found = self.traces.where_most(self._lines, notes=False) if self._was else None
        if found is None or not found[0].name:
            return None
        place, count, total = found
        share = f"{count / total:.0%} of its lines"
        if place.path == self.path:
            certain = self._is_new_name(place.name)
            return self._renamed(place.name, share, certain) if count >= FEWEST_SHARED else None
        if total < FEWEST_LINES:
            return None
        complete = count == total and place.heading == self._place.heading
        certain = complete and place.path not in self.traces.known
        return Destination(place.pointer, f"{share} stand there", certain)

    def _edited_note(self) -> Destination | None:
        """The note that most of the lines went to: surely it where nearly all did, and it is a new one.

        A section of it only where all did and its heading is there: the note grew, and nothing of it changed.
        """
        lines = lines_of(self._note_was) if self._note_was else ()
        found = self.traces.where_most(lines, notes=True)
        if found is None or found[2] < FEWEST_LINES:
            return None
        place, count, total = found
        enough = count >= (total if self.pointer.section else NEARLY_ALL * total)
        there = self.traces.leads(place.path, self.pointer.section)
        certain = enough and there and place.path not in self.traces.known
        reason = f"{count / total:.0%} of the lines of {self.path} stand there"
        return Destination(self._section_in(place.path), reason, certain)

    def _archived_day(self) -> Destination | None:
        """The section of the day in the nearest archive that has room for the day."""
        day, stem = date_of(self.path), file_name(self.path).rpartition(".")[0]
        if day is None:
            return None
        bearing = re.compile(rf"(?<![\d-]){day}(?!\d)")
        home = f"{self.path.rpartition('/')[0]}/"
        for path in sorted(self.traces.present, key=lambda path: (not path.startswith(home), path)):
            own = file_name(path) == file_name(self.path)
            period = period_of(path) if _is_archived(path) and not own else None
            note = self.traces.note(path) if period and period[0] <= day <= period[1] else None
            if note is None:
                continue
            titles = [one for one in note.sections if bearing.search(one.title)]
            titles = [one for one in titles if fold(one.title) == stem] or titles
            names = {one.title for one in titles}
            inside = [
                one
                for one in note.sections
                if fold(one.title) == self._place.heading and names.intersection(one.parents)
            ]
            if found := inside or titles:
                sure = bool(inside) or fold(found[0].title) == stem or stem == str(day)
                there = Pointer(path, SectionNames(note.sections).pointer_name(found[0]))
                reason = f"archived: the section of {day}"
                return Destination(there, reason, sure and len(found) == 1)
        return None

    def _same_file_name(self) -> Destination | None:
        """The only other file of that name that has the section; one without a line of it is another note.

        Surely it where it is a new one and most of the lines are there, and nowhere else.
        """
        section = self.pointer.section
        same = [one for one in self.traces.called(self.path) if self.traces.leads(one, section)]
        if len(same) != 1:
            return None
        lines, place = self._lines, Place(same[0], section or "")
        if self._note_was and not lines_of(self._note_was) & lines_of(self.traces.present[same[0]]):
            return None
        found = self.traces.where_most(lines, notes=not section)
        there = found is not None and found[0] == place and found[2] in (found[1], len(lines))
        certain = there and same[0] not in self.traces.known and self.traces.says_enough(place)
        reason = f"the only {file_name(self.path)} there is"
        return Destination(
            place.pointer, reason + (" with that section" if section else ""), certain
        )

    def _like_heading(self) -> Destination | None:
        """The one section of the note with a heading like it."""
        note, section = self.traces.note(self.path), self.pointer.section
        if note is None or section is None:
            return None
        names = SectionNames(note.sections)
        near = [(names.pointer_name(one) or "", score) for one, score in names.near(section)]
        pool = [one for one in near if self._is_new_name(one[0])] or near
        if not pool or (len(pool) > 1 and pool[0][1] - pool[1][1] < sections.LEAD):
            return None
        name, score = pool[0]
        if not self._is_new_name(name):
            return self._renamed(name, f"a heading like it{_THERE_BEFORE}", certain=False)
        # Plan A is not plan B, and a text that had some length left a line at least.
        signs = [sorted(_SHORT.findall(Place("", one).heading)) for one in (section, name)]
        now = next(one for one in self.traces.present[self.path].sections if one.name == name)
        other_text = len(self._lines) >= FEWEST_LINES and not self._lines & set(now.lines)
        sure = len(pool) == 1 and score >= ALIKE and signs[0] == signs[1] and not other_text
        return self._renamed(name, "a heading like it", sure)

    def _renamed(self, name: str, why: str, certain: bool) -> Destination:
        reason = f"renamed: {self.pointer.section!r} -> {name!r} ({why})"
        return Destination(Pointer(self.pointer.path, name), reason, certain)

    def _new_first(self, places: Iterable[Place]) -> tuple[list[Place], bool]:
        """The places that have the text only since the last upkeep, if there are any; else all of them."""
        places = list(places)
        new = [one for one in places if self._is_new(one)]
        return new or places, bool(new)

    def _is_new(self, place: Place) -> bool:
        before = self.traces.known.get(place.path)
        if before is None:
            return True
        if self._was and place.name:
            return self._was._replace(name=place.name) not in before.sections
        return self._note_was is None or before.text != self._note_was.text

    def _is_new_name(self, name: str) -> bool:
        """Whether a section of the note has its name only since the one that was meant lost its own."""
        before = self._note_was.sections if self._was and self._note_was else ()
        return name not in [one.name for one in before]

    def _nearest(self, places: Iterable[Place]) -> tuple[Place, bool]:
        """The place whose path ends most like the old one, and whether it is ahead of all others."""
        ranked = sorted(places, key=lambda one: (-parts_shared(one.path, self.path), one))
        shared = [parts_shared(one.path, self.path) for one in ranked[:2]]
        return ranked[0], len(shared) == 1 or shared[0] > shared[1]

    def _section_in(self, path: str) -> Pointer:
        """The pointed section in the note at ``path``; the note as a whole where it is not there."""
        section = self.pointer.section
        if section is None or self.traces.leads(path, section):
            return Pointer(path, section)
        note = self.traces.note(path)
        names = SectionNames(note.sections) if note else None
        found = names.find(section) if names else None
        return Pointer(path, names.pointer_name(found.section) if names and found else None)


def file_name(path: str) -> str:
    """The name of the file, upper or lower case."""
    return path.rpartition("/")[2].casefold()


def parts_shared(one: str, other: str) -> int:
    """How many parts two paths have in common, counted from the file's name upwards."""
    pairs = zip(
        reversed(one.casefold().split("/")), reversed(other.casefold().split("/")), strict=False
    )
    count = 0
    for left, right in pairs:
        if left != right:
            break
        count += 1
    return count


def lines_of(print_: Fingerprint) -> set[int]:
    """The checksums of all lines of a note."""
    return {line for section in print_.sections for line in section.lines}


def _is_archived(path: str) -> bool:
    folders = path.casefold().split("/")[:-1]
    return any(folder.lstrip("._") in _ARCHIVES for folder in folders)


def _grouped(pairs: Iterable[tuple[_K, _V]]) -> dict[_K, list[_V]]:
    groups: defaultdict[_K, list[_V]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return groups
