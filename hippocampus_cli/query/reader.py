"""Places as they stand in their notes now: their text, and their day, which is that of a line, of a heading above it,
of the file's name, else of the file's last change."""

from __future__ import annotations

from datetime import date, datetime

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.query.places import Place
from hippocampus_cli.search.candidates import Place as Passage
from hippocampus_cli.search.library import Library
from hippocampus_cli.text.dates import day_at_start
from hippocampus_cli.workspace.note import Note

_NANOSECONDS = 1_000_000_000


class Dated(NamedTuple):
    """A day, and what says so: ``line``, ``heading``, ``name`` or ``changed``."""

    day: date
    by: str


class PlaceReader:
    """Reads places of notes for one answer, each note once. ``refused`` are the paths of those that are gone or
    cannot be read any more."""

    def __init__(self, library: Library, now: datetime) -> None:
        self._library = library
        self._now = now
        self._notes: dict[str, Note] = {}
        self.refused: dict[str, None] = {}

    def note(self, path: str) -> Note | None:
        """The note; ``None`` for one that is refused."""
        if path not in self._notes and path not in self.refused:
            try:
                self._notes[path] = self._library.note(path)
            except (FileUnreadable, OutsideWorkspace):
                self.refused[path] = None
        return self._notes.get(path)

    def text_of(self, place: Place | Passage) -> str:
        """The text of a place; empty where its note cannot be read."""
        note = self.note(place.path)
        return note.text_of(place.start, place.end) if note else ""

    def dated(self, place: Place) -> Dated:
        """The day of a place."""
        today = self._now.date()
        for line in self.text_of(place).splitlines():
            if day := day_at_start(line, today):
                return Dated(day, "line")
        for title in (place.section.title, *reversed(place.section.parents)):
            if day := day_at_start(title, today):
                return Dated(day, "heading")
        if place.day:
            return Dated(date.fromordinal(place.day), "name")
        return Dated(_day_of(place.changed_ns, self._now), "changed")


def newest_note(library: Library, now: datetime) -> date | None:
    """The day of the newest note that is not of a day to come: by its name, else by its last change."""
    if day := library.store.newest_day(now.date()):
        return day
    changed = max((file.mtime_ns for file in library.found.files), default=None)
    return None if changed is None else _day_of(changed, now)


def _day_of(nanoseconds: int, now: datetime) -> date:
    """The local day of a moment, today at the latest: clocks of other machines may be ahead."""
    return min(now, datetime.fromtimestamp(nanoseconds // _NANOSECONDS, now.tzinfo)).date()
