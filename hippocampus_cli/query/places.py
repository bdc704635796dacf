"""Places of notes on their way into an answer, how entries of the index lead to them (INDEX §6.1), and what stands
there now.

The day of a place is that of a line, of a heading above it, of the file's name, else of the file's last change.
"""

from __future__ import annotations

from datetime import date, datetime
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import Located
from hippocampus_cli.query.entry_match import IndexWords
from hippocampus_cli.search.candidates import Place as Passage
from hippocampus_cli.search.library import Library
from hippocampus_cli.text.dates import day_at_start
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.sections import find_section, pointer_name

if TYPE_CHECKING:
    from hippocampus_cli.query.outdated import Marks

UNVERIFIED = 0.5  # of what a weak entry's word is worth where search finds nothing there
_NANOSECONDS = 1_000_000_000
_LAST = 1 << 40  # a line after every note's last
EVERYTHING = Section(0, -1, "", (), 1, _LAST, _LAST)
"""The section of an entry that leads to a whole note."""


class Lead(NamedTuple):
    """An entry that matches the query, with its strength, and where it leads: to a section, or to :data:`EVERYTHING`.
    ``weak``: to be believed only where search confirms it (INDEX §6.2); ``loose``: the section that it names is gone,
    and it leads to what is left of the file."""

    entry: Located
    match: float
    strength: float
    path: str
    section: Section
    weak: bool
    loose: bool

    def holds(self, place: Place) -> bool:
        """Whether a place stands where it leads."""
        begins, ends = self.section.start, self.section.tree_end
        return place.path == self.path and begins <= place.end and place.start <= ends


class Place(NamedTuple):
    """Lines ``start`` to ``end`` of a note, in ``section``. ``coverage`` is the share of the query that the text has,
    0 where search did not look, ``score`` compares places of one answer; each 0 to 1. ``lead`` is the entry that
    matches and points here, ``copies`` are places with the same text, ``earlier`` older ones that say nearly the
    same; ``day`` is the last one that its file is of, as an ordinal, and ``changed_ns`` when that changed."""

    path: str
    section: Section
    start: int
    end: int
    coverage: float = 0.0
    score: float = 0.0
    lead: Lead | None = None
    superseded: str = ""
    copies: tuple[Passage, ...] = ()
    earlier: tuple[Place, ...] = ()
    day: int | None = None
    changed_ns: int = 0

    @property
    def match(self) -> float:
        """How well the entry matches, 0 without one."""
        return self.lead.match if self.lead else 0.0

    @property
    def trust(self) -> float:
        """What share of the entry's word counts: all of it where it is strong, or the text has words of the query."""
        return UNVERIFIED if self.lead and self.lead.weak and not self.coverage else 1.0

    def led_by(self, lead: Lead) -> Place:
        """The place with the better of two entries; it counts less where only a weak one leads there."""
        if self.lead and self.lead.match >= lead.match:
            return self
        led = self._replace(lead=lead)
        return led._replace(score=self.score * led.trust)


class Dated(NamedTuple):
    """A day, and what says so: ``line``, ``heading``, ``name`` or ``changed``."""

    day: date
    by: str


class Snapshot:
    """One moment of a workspace to ask one question of: its notes, its index, where entries point, what stands at
    places now, the clock, and what readers said of lines (``None`` for nothing). Each note is read once; ``refused``
    are the paths of those that are gone or cannot be read any more, ``notices`` what a person should know."""

    marks: Marks | None = None

    def __init__(self, library: Library, words: IndexWords, clock: DecayClock) -> None:
        self.library = library
        self.words = words
        self.clock = clock
        self.index = words.index
        self.refused: dict[str, None] = {}
        self.notices: list[str] = []
        self._notes: dict[str, Note] = {}
        self.sections_of = cache(library.store.sections_of)
        """The sections of a note by its path, ``None`` for what is none; read once."""

    def name_of(self, place: Place) -> str | None:
        """The section of a place, as a pointer names it."""
        return pointer_name(self.sections_of(place.path) or (), place.section)

    def nearest(self, place: Place) -> tuple[int, Located | None]:
        """The entry that points at the section of a place, or at what it is in, and how many levels above: 0 by its
        name, most for the whole file."""
        section, sections = place.section, self.sections_of(place.path) or ()
        found: list[tuple[int, Located]] = []
        for located, pointer in self.index.pointers.get(place.path, ()):
            name = pointer.section
            target = EVERYTHING if name is None else find_section(sections, name)
            if target and target.start <= section.start and section.end <= target.tree_end:
                found.append((section.level - target.level, located))
        return min(found, key=itemgetter(0), default=(0, None))

    def note(self, path: str) -> Note | None:
        """The note; ``None`` for one that is refused."""
        if path not in self._notes and path not in self.refused:
            try:
                self._notes[path] = self.library.note(path)
            except (FileUnreadable, OutsideWorkspace):
                self.refused[path] = None
        return self._notes.get(path)

    def text_of(self, place: Place | Passage) -> str:
        """The text of a place; empty where its note cannot be read."""
        note = self.note(place.path)
        return note.text_of(place.start, place.end) if note else ""

    def dated(self, place: Place) -> Dated:
        """The day of a place."""
        today = self.clock.now.date()
        for line in self.text_of(place).splitlines():
            if day := day_at_start(line, today):
                return Dated(day, "line")
        for title in (place.section.title, *reversed(place.section.parents)):
            if day := day_at_start(title, today):
                return Dated(day, "heading")
        if place.day:
            return Dated(date.fromordinal(place.day), "name")
        return Dated(_day_of(place.changed_ns, self.clock.now), "changed")

    def newest_day(self) -> date | None:
        """The day of the newest note that is not of a day to come: by its name, else by its last change."""
        if day := self.library.store.newest_day(self.clock.now.date()):
            return day
        changed = max((file.mtime_ns for file in self.library.found.files), default=None)
        return None if changed is None else _day_of(changed, self.clock.now)


def _day_of(nanoseconds: int, now: datetime) -> date:
    """The local day of a moment, today at the latest: clocks of other machines may be ahead."""
    return min(now, datetime.fromtimestamp(nanoseconds // _NANOSECONDS, now.tzinfo)).date()
