"""Where a pointer leads now whose note or section is gone (INDEX §10.1): one ladder, the surest trace first.

The fingerprints tell what the notes were at the last upkeep and what they are now. The same text, the place that most
of the lines went to, a name like it: the first that is certain is followed, else the first is proposed. Pure.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.workspace import sections
from hippocampus_cli.workspace.fingerprints import Fingerprint, Fingerprints, SectionPrint
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


class Text(NamedTuple):
    """A note or a section of it as it was: its place, what tells whether another text is the same, and the checksums
    of its lines."""

    place: Place
    key: tuple[object, ...]
    lines: frozenset[int]


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

    def meant(self, path: str, section: str | None) -> Text | None:
        """What a pointer meant, as it was known: ``Deploy`` may be ``Tools > deploy``."""
        was = self.known.get(path)
        if was is None or section is None:
            return _text_of(Place(path), was) if was else None
        wanted, named = fold(section), [one for one in was.sections if one.name]
        ways: tuple[Callable[[str], bool], ...] = (
            lambda name: name == section,
            lambda name: fold(name) == wanted,
            lambda name: fold(name).endswith(f" > {wanted}"),
            lambda name: wanted.endswith(f" > {fold(name)}"),
        )
        part = next((one for is_it in ways for one in named if is_it(one.name)), None)
        return _text_of(Place(path, part.name), part) if part else None

    def copies(self, text: Text) -> list[Place]:
        """Where a text stands now; one without lines stands nowhere."""
        return self._places.get(text.key, []) if text.lines or not text.place.name else []

    def is_kept(self, path: str, section: str | None) -> bool:
        """Whether all that a note, or a section of it, said is still said in some note: a copy, or in parts.

        Few lines have to stand together in a section of their own, as they did.
        """
        text = self.meant(path, section)
        if text is None or not text.lines:
            return False
        if len(text.lines) >= FEWEST_LINES:
            return text.lines <= self._standing.keys()
        whole = self.known[path].sections if section is None else ()
        parts = [_text_of(Place(path, one.name), one) for one in whole if one.lines] or [text]
        return all(any(map(self.says_enough, self.copies(part))) for part in parts)

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

    def where_most(self, text: Text) -> tuple[Place, int, int] | None:
        """The one section (or note) that holds most lines of a section (or note), how many of them, and of how many.

        What is in several notes belongs to none of them and does not count.
        """
        counts: Counter[Place] = Counter()
        total = 0
        for line in text.lines:
            standing = self._standing.get(line, ())
            within = {Place(one.path) for one in standing}
            if len(within) < 2:
                total += 1
                counts.update(standing if text.place.name else within)
        (place, count), (_, behind) = (*counts.most_common(2), (Place(""), 0), (Place(""), 0))[:2]
        clear = count and count >= HALF * total and count - behind >= LEAD * total
        return (place, count, total) if clear else None

    def was_once(self, text: Text) -> bool:
        """Whether this text was in one place alone."""
        return self._known_keys[text.key] == 1

    def called(self, path: str) -> list[str]:
        """The notes elsewhere whose file has the same name, upper or lower case."""
        same = (one for one in self.present if file_name(one) == file_name(path))
        return [one for one in same if one != path]

    @cached_property
    def _places(self) -> dict[tuple[object, ...], list[Place]]:
        """Where each text stands."""
        places: dict[tuple[object, ...], list[Place]] = defaultdict(list)
        for path, print_ in self.present.items():
            for text in _texts_of(path, print_):
                places[text.key].append(text.place)
        return places

    @cached_property
    def _known_keys(self) -> Counter[tuple[object, ...]]:
        return Counter(
            text.key for path, was in self.known.items() for text in _texts_of(path, was)
        )

    @cached_property
    def _standing(self) -> dict[int, list[Place]]:
        """Where each line stands."""
        standing: dict[int, list[Place]] = defaultdict(list)
        for path, print_ in self.present.items():
            for section in print_.sections:
                for line in set(section.lines):
                    standing[line].append(Place(path, section.name))
        return standing


def _text_of(place: Place, print_: Fingerprint | SectionPrint) -> Text:
    if isinstance(print_, Fingerprint):
        return Text(place, (print_.text, print_.sections), frozenset(lines_of(print_)))
    return Text(place, print_[1:], frozenset(print_.lines))


def _texts_of(path: str, print_: Fingerprint) -> Iterator[Text]:
    """A note and its sections."""
    yield _text_of(Place(path), print_)
    yield from (
        _text_of(Place(path, section.name), section) for section in print_.sections if section.name
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
        """Where it may lead, the surest first: what it meant, then the note around it where that is gone too."""
        texts = [self._meant] if self._meant else []
        if not self._is_note_there and self.pointer.section:
            texts = [*filter(None, (self.traces.meant(self.path, None),)), *texts]
        yield from map(self._same_text, texts)
        yield from map(self._most_lines, reversed(texts))
        yield self._like_heading() if self._is_note_there else self._same_file_name()

    @cached_property
    def _is_note_there(self) -> bool:
        return self.path in self.traces.present

    @cached_property
    def _meant(self) -> Text | None:
        return self.traces.meant(self.path, self.pointer.section)

    def _same_text(self, text: Text) -> Destination | None:
        """The text in another place, in one that has it only since the last upkeep before others."""
        places = self.traces.copies(text)
        new = [one for one in places if self._is_new(one, text)]
        named = [one for one in new or places if one.heading == text.place.heading]
        ranked = sorted(
            named or new or places, key=lambda one: (-parts_shared(one.path, self.path), one)
        )
        if not ranked:
            return None
        place, shared = ranked[0], [parts_shared(one.path, self.path) for one in ranked[:2]]
        within, enough = place.path == self.path, self.traces.says_enough(place)
        if text.place.name and not (within or enough or named):
            return None
        alone = len(ranked) == 1 or shared[0] > shared[1]
        near = bool(named) and shared[0] > 0
        once = within or not text.place.name or self.traces.was_once(text)
        return self._to(
            place,
            text,
            f"same text{'' if new else ', which was there before'}",
            certain=bool(new) and alone and (near or (enough and once)),
        )

    def _most_lines(self, text: Text) -> Destination | None:
        """The place that most of the lines went to: surely it where it is new and little is missing."""
        found = self.traces.where_most(text)
        if found is None or bool(found[0].name) != bool(text.place.name):
            return None
        place, count, total = found
        why = f"{count / total:.0%} of its lines"
        if place.path == self.path:
            certain = self._is_new_name(place.name)
            return self._to(place, text, why, certain) if count >= FEWEST_SHARED else None
        if total < FEWEST_LINES:
            return None
        complete = count == total if self.pointer.section else count >= NEARLY_ALL * total
        named = not text.place.name or place.heading == text.place.heading
        new = place.path not in self.traces.known
        return self._to(place, text, why, complete and named and new)

    def _same_file_name(self) -> Destination | None:
        """The only other file of that name that has the section; one without a line of it is another note.

        Surely it where it is a new one and all of the lines are there, and nowhere else.
        """
        section = self.pointer.section
        same = [path for path in self.traces.called(self.path) if self.traces.leads(path, section)]
        note = self.traces.meant(self.path, None)
        if len(same) != 1 or (note and not note.lines & lines_of(self.traces.present[same[0]])):
            return None
        place = Place(same[0], section or "")
        found = self.traces.where_most(self._meant) if self._meant else None
        there = found is not None and found[0] == place and found[1] == found[2]
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
        names, lines = (
            SectionNames(note.sections),
            self._meant.lines if self._meant else frozenset(),
        )
        near = [(names.pointer_name(one) or "", score) for one, score in names.near(section)]
        new = [place for place in near if self._is_new_name(place[0])]
        pool = new or near
        if not pool or (len(pool) > 1 and pool[0][1] - pool[1][1] < sections.LEAD):
            return None
        name, score = pool[0]
        # Plan A is not plan B, and a text that had some length left a line at least.
        signs = [sorted(_SHORT.findall(Place("", one).heading)) for one in (section, name)]
        now = next(one for one in self.traces.present[self.path].sections if one.name == name)
        other_text = len(lines) >= FEWEST_LINES and not lines & set(now.lines)
        sure = len(pool) == 1 and score >= ALIKE and signs[0] == signs[1] and not other_text
        why = f"a heading like it{'' if new else ', which was there before'}"
        return self._renamed(name, why, bool(new) and sure)

    def _to(self, place: Place, text: Text, why: str, certain: bool) -> Destination:
        """A place for a text; of a note in another place the section that is pointed at, if it is there."""
        if place.path == self.path:
            return self._renamed(place.name, why, certain)
        there = place.pointer
        if self.pointer.section and not text.place.name:
            there = self._section_in(place.path)
            certain = certain and bool(there.section)
        whose = f"§{text.place.name} of {self.path}" if text.place.name else self.path
        return Destination(
            there, f"{why} as {whose} had" if "text" in why else f"{why} stand there", certain
        )

    def _renamed(self, name: str, why: str, certain: bool) -> Destination:
        reason = f"renamed: {self.pointer.section!r} -> {name!r} ({why})"
        return Destination(Pointer(self.pointer.path, name), reason, certain)

    def _is_new(self, place: Place, text: Text) -> bool:
        before = self.traces.known.get(place.path)
        if before is None:
            return True
        return all(
            one.place != place or one.key != text.key for one in _texts_of(place.path, before)
        )

    def _is_new_name(self, name: str) -> bool:
        """Whether a section of the note has its name only since the one that was meant lost its own."""
        before = self.traces.known[self.path].sections if self._meant else ()
        return name not in [one.name for one in before]

    def _section_in(self, path: str) -> Pointer:
        """The pointed section in the note at ``path``; the note as a whole where it is not there."""
        section = self.pointer.section
        note = self.traces.note(path)
        if section is None or note is None or self.traces.leads(path, section):
            return Pointer(path, section)
        names = SectionNames(note.sections)
        found = names.find(section)
        return Pointer(path, names.pointer_name(found.section) if found else None)


def file_name(path: str) -> str:
    """The name of the file, upper or lower case."""
    return path.rpartition("/")[2].casefold()


def parts_shared(one: str, other: str) -> int:
    """How many parts two paths have in common, counted from the file's name upwards."""
    parts = (reversed(path.casefold().split("/")) for path in (one, other))
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*parts, strict=False)))


def lines_of(print_: Fingerprint) -> set[int]:
    """The checksums of all lines of a note."""
    return {line for section in print_.sections for line in section.lines}
