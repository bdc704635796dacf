"""The day of a place: of its line, of a heading above it, of the file's name, else of the file's last change."""

from __future__ import annotations

from datetime import date, datetime

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.query.places import NoteReader, Place
from hippocampus_cli.search.library import Library
from hippocampus_cli.text.dates import day_at_start

_NANOSECONDS = 1_000_000_000


class Dated(NamedTuple):
    """A day, and what says so: ``line``, ``heading``, ``name`` or ``changed``."""

    day: date | None
    by: str = ""


class PlaceDates:
    """The days of the places of one answer, each looked up once."""

    def __init__(self, library: Library, notes: NoteReader, now: datetime) -> None:
        self._library = library
        self._notes = notes
        self._now = now
        self._known: dict[tuple[str, int, int], Dated] = {}

    def of(self, place: Place) -> Dated:
        """The day of a place."""
        key = place.path, place.start, place.end
        if key not in self._known:
            self._known[key] = self._look_up(place)
        return self._known[key]

    def day(self, place: Place) -> date | None:
        """The day of a place, whatever says so."""
        return self.of(place).day

    def _look_up(self, place: Place) -> Dated:
        today = self._now.date()
        for line in self._notes.text_of(place).splitlines():
            if day := day_at_start(line, today):
                return Dated(day, "line")
        for title in (place.section.title, *reversed(place.section.parents)):
            if day := day_at_start(title, today):
                return Dated(day, "heading")
        named, changed = self._library.store.dates_of(place.path)
        if named:
            return Dated(named, "name")
        return Dated(None) if changed is None else Dated(_day_of(changed, self._now), "changed")


def newest_note(library: Library, now: datetime) -> date | None:
    """The day of the newest note that is not of a day to come: by its name, else by its last change."""
    if day := library.store.newest_day(now.date()):
        return day
    changed = max((file.mtime_ns for file in library.found.files), default=None)
    return None if changed is None else _day_of(changed, now)


def _day_of(nanoseconds: int, now: datetime) -> date:
    """The local day of a moment, today at the latest: clocks of other machines may be ahead."""
    return min(now, datetime.fromtimestamp(nanoseconds // _NANOSECONDS, now.tzinfo)).date()
