"""What the fingerprints tell: the notes as they were at the last upkeep, as they are, and what is new in them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.workspace.fingerprints import Fingerprint, Fingerprints, SectionPrint
from hippocampus_cli.workspace.kinds import Period, period_of
from hippocampus_cli.workspace.note import Note, fold
from hippocampus_cli.workspace.sections import SectionNames

_NUMBER = re.compile(r"(?<!\s)\s+#\d+$")
_WITHIN = " > "


def heading_of(section: str) -> str:
    """The heading in a pointer name, without its parents and its number, folded."""
    return fold(_NUMBER.sub("", section).rpartition(_WITHIN)[2])


def names_same(one: str, other: str) -> bool:
    """Whether two pointer names may mean one section: ``Deploy`` and ``Tools > deploy``."""
    one, other = fold(one), fold(other)
    return one == other or one.endswith(_WITHIN + other) or other.endswith(_WITHIN + one)


def file_name(path: str) -> str:
    """The name of the file, upper or lower case."""
    return path.rpartition("/")[2].casefold()


def parts_shared(one: str, other: str) -> int:
    """How many parts two paths have in common, counted from the file's name upwards."""
    count = 0
    for left, right in zip(
        reversed(one.casefold().split("/")), reversed(other.casefold().split("/")), strict=False
    ):
        if left != right:
            break
        count += 1
    return count


_K = TypeVar("_K")
_V = TypeVar("_V")
Text = tuple[int, tuple[int, ...]]
"""A section's text: its checksum and those of its lines."""

HALF = 0.5
"""Share of the lines of a text from which a place may be where it went: as git takes a file for renamed."""

NEARLY_ALL = 0.8
"""Share from which it surely is."""

ALL = 1.0
"""Share from which it surely is where the text itself counts, not only where it is: it may have grown."""

LEAD = 0.25
"""By how much of the lines it must be ahead of every other place."""

FEWEST_LINES = 3
"""So many lines a text must have had; one or two may come together by chance."""

ENOUGH = 20
"""Characters besides blanks from which a text is known again by itself: "none so far" stands anywhere."""


_ARCHIVES = frozenset(("archive", "archives", "archived"))


class Place(NamedTuple):
    """A section by its pointer name, or with an empty one a note as a whole."""

    path: str
    name: str = ""

    @property
    def pointer(self) -> Pointer:
        return Pointer(self.path, self.name or None)


class Destination(NamedTuple):
    """Where a pointer leads now, why it is thought so, and whether it is ``certain``."""

    pointer: Pointer
    reason: str
    certain: bool = True


def best(candidates: Iterable[Destination | None]) -> Destination | None:
    """The first certain one, else the first; nothing is looked for after a certain one."""
    first: Destination | None = None
    for one in candidates:
        if one is not None and one.certain:
            return one
        first = first or one
    return first


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
        return there is not None and (
            section is None or any(one.name == section for one in there.sections)
        )

    def section_was(self, path: str, section: str | None) -> SectionPrint | None:
        """The section of this name as it was known."""
        was = self.known.get(path)
        if was is None or section is None:
            return None
        named = [one for one in was.sections if one.name]
        exact = (one for one in named if one.name == section)
        return next(exact, None) or next((o for o in named if names_same(o.name, section)), None)

    def is_kept(self, path: str, section: str | None) -> bool:
        """Whether all that a note, or a section of it, said is still said in some note: a copy, or in parts.

        Few lines have to stand together in a section of their own, as they did.
        """
        was = self.known.get(path)
        part = self.section_was(path, section)
        parts = [part] if part else was.sections if was and section is None else []
        parts = [one for one in parts if one.lines]
        lines = {line for one in parts for line in one.lines}
        if len(lines) >= FEWEST_LINES:
            return lines <= self._standing.keys()
        return bool(parts) and all(
            any(map(self.says_enough, self.same_section(one))) for one in parts
        )

    def is_new(self, place: Place, text: SectionPrint) -> bool:
        """Whether a section was not at this place, with this text, before."""
        was = self.known.get(place.path)
        return was is None or text not in was.sections

    def same_note(self, was: Fingerprint) -> list[str]:
        """The notes whose text is that of ``was``."""
        found = self._by_text.get(was.text, ())
        return [path for path in found if self.present[path].sections == was.sections]

    def same_section(self, was: SectionPrint) -> list[Place]:
        """The sections whose text, heading aside, is that of ``was``."""
        return self._by_section.get(was[1:], [])

    def only_one(self, was: SectionPrint) -> bool:
        """Whether this text was in one place alone."""
        return self._known_sections[was[1:]] == 1

    def called(self, path: str) -> list[str]:
        """The notes elsewhere whose file has the same name, upper or lower case."""
        return [one for one in self._by_name.get(file_name(path), ()) if one != path]

    def mostly(
        self, lines: Iterable[int], *, notes: bool = False, fewest: int = FEWEST_LINES
    ) -> tuple[Place, float] | None:
        """The one section (or, of ``notes``, the one note) that holds most of these lines, with its share.

        What is in several notes belongs to none of them and does not count; ``fewest`` must be left.
        """
        counts: Counter[Place] = Counter()
        total = 0
        for line in set(lines):
            standing = self._standing.get(line, ())
            within = {Place(one.path) for one in standing}
            if len(within) < 2:
                total += 1
                counts.update(within if notes else standing)
        return clear_winner(counts, total) if total >= fewest else None

    def says_enough(self, place: Place) -> bool:
        """Whether the text at a place is long enough to be known again by itself."""
        note = self.note(place.path)
        if note is None:
            return False
        text = note.text
        if place.name:
            found = SectionNames(note.sections).find(place.name, fuzzy=False)
            if found is None:
                return False
            section = found.section
            text = note.text_of(section.start + section.heading_lines, section.end)
        return len("".join(text.split())) >= ENOUGH

    @cached_property
    def archives(self) -> list[tuple[str, Period]]:
        """The notes in a folder for old ones, each with the first and last day that it is about."""
        found = []
        for path in self.present:
            folders = path.casefold().split("/")[:-1]
            if any(folder.lstrip("._") in _ARCHIVES for folder in folders) and (
                period := period_of(path)
            ):
                found.append((path, period))
        return found

    @cached_property
    def _by_text(self) -> dict[int, list[str]]:
        return _grouped((one.text, path) for path, one in self.present.items())

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        return _grouped((file_name(path), path) for path in self.present)

    @cached_property
    def _by_section(self) -> dict[Text, list[Place]]:
        return _grouped(
            ((one.text, one.lines), Place(path, one.name))
            for path, there in self.present.items()
            for one in there.sections
            if one.name
        )

    @cached_property
    def _known_sections(self) -> Counter[Text]:
        return Counter((o.text, o.lines) for was in self.known.values() for o in was.sections)

    @cached_property
    def _standing(self) -> dict[int, list[Place]]:
        """Where each line stands."""
        return _grouped(
            (line, place)
            for path, there in self.present.items()
            for one in there.sections
            for place in (Place(path, one.name),)
            for line in set(one.lines)
        )


def lines_of(print_: Fingerprint) -> set[int]:
    """The checksums of all lines of a note."""
    return {line for section in print_.sections for line in section.lines}


def clear_winner(counts: Counter[Place], total: int) -> tuple[Place, float] | None:
    """The place with at least ``HALF`` of ``total``, ``LEAD`` ahead of all others, and its share."""
    ranked = counts.most_common(2)
    if not ranked:
        return None
    place, count = ranked[0]
    behind = ranked[1][1] if len(ranked) > 1 else 0
    clear = count >= HALF * total and count - behind >= LEAD * total
    return (place, count / total) if clear else None


def _grouped(pairs: Iterable[tuple[_K, _V]]) -> dict[_K, list[_V]]:
    found: defaultdict[_K, list[_V]] = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return found
