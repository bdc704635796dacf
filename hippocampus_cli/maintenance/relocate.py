"""Where a pointer leads now whose note or section is gone (INDEX §10.1): one ladder, the surest trace first.

The fingerprints tell what the notes were at the last upkeep and what they are now. The same text, or the place that
most of the lines went to, is followed where it is certain; nothing is guessed from a name. Pure.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property
from itertools import takewhile
from operator import eq
from typing import NamedTuple

from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.workspace.fingerprints import (
    Changed,
    Fingerprint,
    Fingerprints,
    SectionPrint,
    checksum,
)
from hippocampus_cli.workspace.note import Note, Section, fold
from hippocampus_cli.workspace.paths import is_absolute, normal
from hippocampus_cli.workspace.sections import names_of

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
_NUMBER = re.compile(r"(?<!\s)\s+#\d+$")


def path_of(pointer: Pointer) -> str | None:
    """The path of a pointer from the workspace's root; ``None`` where it is none of upkeep's business."""
    return None if is_absolute(pointer.path) else normal(pointer.path.replace("\\", "/"))


def paths_of(entries: Iterable[Located]) -> Iterator[str]:
    """The paths that entries point at, each as often as they do."""
    pointers = (each for located in entries for each in located.entry.pointers)
    return filter(None, map(path_of, pointers))


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
            return self.path.rpartition("/")[2].casefold()
        return fold(_NUMBER.sub("", self.name).rpartition(" > ")[2])


class Destination(NamedTuple):
    """Where a pointer leads now, and why it is certain."""

    pointer: Pointer
    reason: str


class Text(NamedTuple):
    """A note or a section of it as it was."""

    place: Place
    print_: Fingerprint | SectionPrint

    @property
    def key(self) -> tuple[object, ...]:
        """What tells whether another text is the same."""
        return self.print_[-2:]

    @property
    def lines(self) -> frozenset[int]:
        """The checksums of its lines."""
        print_ = self.print_
        return frozenset(lines_of(print_) if isinstance(print_, Fingerprint) else print_.lines)


class Traces(Frozen):
    """``known`` are the fingerprints as of the last upkeep, ``changed`` those that are other now; ``paths`` are
    the notes there are, ``note`` reads one.

    What takes a look at every note is worked out when it is first asked for, and only of the texts that stood in what
    changed: the lines of 100,000 notes would take a gigabyte. Notes are seldom read.
    """

    known: Fingerprints
    changed: Changed
    paths: Collection[str]
    note: Callable[[str], Note | None]

    def leads(self, path: str, section: str | None) -> bool:
        """Whether there is a note at ``path`` that has a section of exactly this pointer name."""
        if section is None:
            return bool(self.changed.get(path, path in self.paths))
        there = self.present(path)
        return there is not None and section in [one.name for one in there.sections]

    def present(self, path: str) -> Fingerprint | None:
        """The note at ``path`` as of now."""
        return self.changed[path] if path in self.changed else self.known.get(path)

    def meant(self, path: str, section: str | None) -> Text | None:
        """What a pointer meant, as it was known: ``Deploy`` may be ``Tools > deploy``."""
        was = self.known.get(path)
        if was is None or section is None:
            return Text(Place(path), was) if was else None
        wanted = fold(section)
        named = {fold(part.name): part for part in reversed(was.sections) if part.name}
        alike = (
            part
            for name, part in reversed(named.items())
            if name.endswith(f" > {wanted}") or wanted.endswith(f" > {name}")
        )
        part = named.get(wanted) or next(alike, None)
        return Text(Place(path, part.name), part) if part else None

    def copies(self, text: Text, beside: Collection[Pointer]) -> list[Place]:
        """Where a text stands now in what changed, and in the notes that ``beside`` leads to; a section without lines
        stands nowhere."""
        if text.place.name and not text.lines:
            return []
        same = {pointer.path for pointer in beside} - self.changed.keys()
        parts = (part for path in same for part in _texts_of(path, self.known.get(path)))
        there = [part.place for part in parts if part.key == text.key]
        return there + self._places.get(text.key, [])

    def says_enough(self, place: Place) -> bool:
        """Whether the text at a place is long enough to be known again by itself."""
        note = self.note(place.path)
        if note is None:
            return False
        text = note.text
        if place.name:
            section = names_of(note.sections).find(place.name)
            if section is None:
                return False
            text = note.text_of(section.start + section.heading_lines, section.end)
        return len("".join(text.split())) >= ENOUGH

    def where_most(self, text: Text) -> tuple[Place, int, int] | None:
        """The one section (or note) that holds most lines of a section (or note), how many of them, and of how many.

        What is in several notes belongs to none of them and does not count.
        """
        if text.lines.isdisjoint(self.new_lines):  # nearly always, and no other note is looked at
            return None
        counts: Counter[Place] = Counter()
        total = 0
        for line in text.lines:
            standing = self._standing.get(line, ())
            within = {Place(one.path) for one in standing}
            if len(within) < 2:
                total += 1
                counts.update(standing if text.place.name else within)
        (place, count), (_, behind) = (*counts.most_common(2), *[(Place(""), 0)] * 2)[:2]
        clear = count and count >= HALF * total and count - behind >= LEAD * total
        return (place, count, total) if clear else None

    def part_with(self, path: str, text: Text) -> str:
        """The pointer name of the smallest section that has every line which a note has of a text, also those that
        stand elsewhere too; empty where only the note as a whole does."""
        note, print_ = self.note(path), self.present(path)
        there = lines_of(print_) if print_ else set()
        if note is None or len(there - text.lines) < FEWEST_LINES:
            return ""
        wanted = text.lines & there

        def holds(section: Section) -> bool:
            lines = note.lines[section.start : section.tree_end]
            return wanted <= {checksum(line.strip()) for line in lines}

        around = [each for each in note.sections if each.parents and holds(each)]
        smallest = min(around, key=lambda section: section.tree_end - section.start, default=None)
        return names_of(note.sections).pointer_name(smallest) or "" if smallest else ""

    def was_once(self, text: Text) -> bool:
        """Whether this text was in one place alone."""
        return len(self._known_places[text.key]) == 1

    @cached_property
    def _places(self) -> dict[tuple[object, ...], list[Place]]:
        """Where each text stands in what changed."""
        return self._by_key(self.changed.items())

    @cached_property
    def _known_places(self) -> dict[tuple[object, ...], list[Place]]:
        return self._by_key(self.known.items())

    @cached_property
    def new_lines(self) -> set[int]:
        """The lines of the notes that changed."""
        return set().union(*map(lines_of, filter(None, self.changed.values())))

    @cached_property
    def _standing(self) -> dict[int, list[Place]]:
        """Where each line stands."""
        wanted = {line for text in self._sought for line in text.lines}
        standing: dict[int, list[Place]] = defaultdict(list)
        for path in self.paths:
            there = self.present(path)
            for section in there.sections if there else ():
                for line in wanted.intersection(section.lines):
                    standing[line].append(Place(path, section.name))
        return standing

    def _by_key(
        self, prints: Iterable[tuple[str, Fingerprint | None]]
    ) -> dict[tuple[object, ...], list[Place]]:
        """Where each text stands that a lost pointer may have meant."""
        places: dict[tuple[object, ...], list[Place]] = {text.key: [] for text in self._sought}
        for path, print_ in prints:
            for text in _texts_of(path, print_):
                if text.key in places:
                    places[text.key].append(text.place)
        return places

    @cached_property
    def _sought(self) -> list[Text]:
        """The texts of the notes that were changed or are gone, as they were known."""
        return [text for path in self.changed for text in _texts_of(path, self.known.get(path))]


def _texts_of(path: str, print_: Fingerprint | None) -> Iterator[Text]:
    """A note, if there is one, and its sections."""
    if print_:
        yield Text(Place(path), print_)
        yield from (
            Text(Place(path, section.name), section) for section in print_.sections if section.name
        )


def relocated(
    pointer: Pointer, path: str, traces: Traces, others: Collection[Pointer]
) -> Destination | None:
    """Where ``pointer`` surely leads now; ``path`` is the note that it names, from the workspace's root, and
    ``others`` are the targets of the living pointers beside it."""
    return next(filter(None, _Lost(pointer, path, traces, others).rungs()), None)


class _Lost(Frozen):
    """A pointer that leads nowhere, and what is known of what it meant."""

    pointer: Pointer
    path: str
    traces: Traces
    others: Collection[Pointer]

    def rungs(self) -> Iterator[Destination | None]:
        """Where it leads, the surest first: what it meant, then the note around it where that is gone too."""
        if self.path not in self.traces.changed:  # nothing was taken out of it
            return
        meant = [self._meant]
        if not self.traces.present(self.path) and self.pointer.section:
            meant = [self.traces.meant(self.path, None), *meant]
        texts = [text for text in meant if text]
        yield from map(self._same_text, texts)
        yield from map(self._most_lines, reversed(texts))

    @cached_property
    def _meant(self) -> Text | None:
        return self.traces.meant(self.path, self.pointer.section)

    def _same_text(self, text: Text) -> Destination | None:
        """The text in another place: one that the entry points at anyway, or that has it only since the last upkeep
        before others."""
        places = self.traces.copies(text, self.others)
        beside = [place for place in places if target(place.pointer) in self.others]
        new = [place for place in places if self._is_new(place, text)]
        named = [place for place in new if place.heading == text.place.heading]
        ranked = sorted(
            beside or named or new, key=lambda place: (-parts_shared(place.path, self.path), place)
        )
        if not ranked:
            return None
        place, shared = ranked[0], [parts_shared(one.path, self.path) for one in ranked[:2]]
        alone = len(ranked) == 1 or shared[0] > shared[1]
        near = bool(named) and shared[0] > 0
        once = place.path == self.path or not text.place.name or self.traces.was_once(text)
        known = near or (once and self.traces.says_enough(place))
        if not beside and not (alone and known):
            return None
        return self._to(place, text, "same text")

    def _most_lines(self, text: Text) -> Destination | None:
        """The new place that most of the lines went to, where little is missing."""
        most = self.traces.where_most(text)
        if most is None or bool(most[0].name) != bool(text.place.name):
            return None
        place, count, total = most
        if place.path == self.path:
            certain = count >= FEWEST_SHARED and self._is_new_name(place.name)
        else:
            complete = count == total if self.pointer.section else count >= NEARLY_ALL * total
            named = not text.place.name or place.heading == text.place.heading
            new = place.path not in self.traces.known
            certain = total >= FEWEST_LINES and complete and named and new
            if not self.pointer.section and certain:  # a day in the file of its month
                place = place._replace(name=self.traces.part_with(place.path, text))
        return self._to(place, text, f"{count / total:.0%} of its lines") if certain else None

    def _to(self, place: Place, text: Text, why: str) -> Destination | None:
        """A place for a text; of a note in another place the section that is pointed at, if it is there."""
        section = self.pointer.section
        if place.path == self.path:
            return Destination(
                Pointer(self.pointer.path, place.name),
                f"renamed: {section!r} -> {place.name!r} ({why})",
            )
        name = place.name
        if section and not text.place.name:
            name = self._meant.place.name if self._meant else section
            if not self.traces.leads(place.path, name):
                return None
        whose = f"§{text.place.name} of {self.path}" if text.place.name else self.path
        return Destination(Pointer(place.path, name or None), f"{why} as in {whose}")

    def _is_new(self, place: Place, text: Text) -> bool:
        was = _texts_of(place.path, self.traces.known.get(place.path))
        return (place, text.key) not in [(one.place, one.key) for one in was]

    def _is_new_name(self, name: str) -> bool:
        """Whether a section of the note has its name only since the one that was meant lost its own."""
        before = self.traces.known[self.path].sections if self._meant else ()
        return name not in [one.name for one in before]


def parts_shared(one: str, other: str) -> int:
    """How many parts two paths have in common, counted from the file's name upwards."""
    return sum(
        takewhile(bool, map(eq, *(path.casefold().split("/")[::-1] for path in (one, other))))
    )


def lines_of(print_: Fingerprint) -> set[int]:
    """The checksums of all lines of a note."""
    return {line for section in print_.sections for line in section.lines}
