"""What is shown of the places that answer: what says the same once, each with its day, its lines within the budget.

Copies are one place. Near-identical places of several days are a series, of which the newest is shown. Nothing is
superseded for being older: only what a person struck through is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, datetime

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.query.places import NoteReader, Place
from hippocampus_cli.search.library import Library
from hippocampus_cli.text.dates import day_at_start
from hippocampus_cli.text.tokenizer import forms, words_of
from hippocampus_cli.workspace.note import Note

EACH = 120
"""Tokens of a place; code and tables, of which a part says little, may have twice as many."""
FEWEST = 40
"""Tokens that are kept for each place to come."""
_STRUCK = pattern(r"[\s\-*+>\[\]x]*~~[^~]+~~[\s.;,]*")
_SIGNS = ".,;:!?*_`~|()[]-+>#"
_SHARED = 0.8  # of the words of the longer of two texts of a series
_FEWEST_WORDS = 3
_LONGEST = 1_500  # characters that are compared
_COMPARED = 20  # places
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
        self._known: dict[tuple[str, int], Dated] = {}

    def of(self, place: Place) -> Dated:
        """The day of a place: of its line, of a heading above it, of the file's name, else of its last change."""
        key = place.path, place.start
        if key not in self._known:
            self._known[key] = self._look_up(place)
        return self._known[key]

    def _look_up(self, place: Place) -> Dated:
        section = place.section
        lines = ((line, "line") for line in self._notes.text_of(place).split("\n")[:1])
        titles = ((title, "heading") for title in (section.title, *reversed(section.parents)))
        for text, by in (*lines, *titles):
            if day := day_at_start(text, self._now.date()):
                return Dated(day, by)
        if named := self._library.cache.days_of([place.path]).get(place.path):
            return Dated(named, "name")
        files = self._library.found.files
        changed = next((file.mtime_ns for file in files if file.path == place.path), None)
        return Dated(None) if changed is None else Dated(_day_of(changed, self._now), "changed")


def newest_note(library: Library, now: datetime) -> date | None:
    """The day of the newest note that is not of a day to come: by its name, else by its last change."""
    query = "SELECT max(last_day) FROM files WHERE last_day <= ?"
    today = now.date().toordinal()
    last = library.cache.healing(lambda db: db.execute(query, (today,)).fetchone()[0])
    if last is not None:
        return date.fromordinal(last)
    changed = max((file.mtime_ns for file in library.found.files), default=None)
    return None if changed is None else _day_of(changed, now)


def _day_of(nanoseconds: int, now: datetime) -> date:
    """The local day of a moment, today at the latest: clocks of other machines may be ahead."""
    return min(now, datetime.fromtimestamp(nanoseconds // _NANOSECONDS, now.tzinfo)).date()


class _Said(NamedTuple):
    """A place with its words, in their order, and its day."""

    place: Place
    words: tuple[str, ...]
    day: date


def fold_series(
    places: Sequence[Place], text_of: Callable[[Place], str], day_of: Callable[[Place], date | None]
) -> list[Place]:
    """``places``, best first, copies and older ones of a series in the newest; what is struck through is last."""
    groups: list[list[_Said]] = []
    for place in places[:_COMPARED]:
        text = text_of(place)
        place = place._replace(superseded="struck through" if is_struck(text) else "")
        words = (word.strip(_SIGNS) for word in text[:_LONGEST].lower().split())
        said = _Said(place, tuple(filter(None, words)), day_of(place) or date.min)
        group = next((group for group in groups if _belongs(said, group[0])), None)
        if group is None:
            groups.append([said])
        else:
            group.append(said)
    folded = [*map(_head, groups), *places[_COMPARED:]]
    return sorted(folded, key=lambda place: bool(place.superseded))


def is_struck(text: str) -> bool:
    """Whether every line of a text is struck through."""
    lines = [line for line in text.splitlines() if line.strip()]
    return bool(lines) and all(map(_STRUCK.fullmatch, lines))


def _belongs(said: _Said, first: _Said) -> bool:
    """Whether two places are copies, or of one series: of other days, with all words but one or most of them."""
    if said.words == first.words:
        return bool(said.words)
    if said.day == first.day or date.min in (said.day, first.day):
        return False
    one, other = set(said.words), set(first.words)
    shared, longer = len(one & other), max(len(one), len(other))
    return shared >= _FEWEST_WORDS and (shared >= longer - 1 or shared >= _SHARED * longer)


def _head(group: Sequence[_Said]) -> Place:
    """The newest place of a group, where the best of them stands, with the others."""
    best, newest = group[0].place, max(group, key=lambda said: said.day)
    others = [said for said in group if said is not newest]
    older = sorted(others, key=lambda said: said.day, reverse=True)
    return newest.place._replace(
        score=best.score,
        search=best.search,
        coverage=max(said.place.coverage for said in group),
        lead=newest.place.lead or best.lead,
        copies=tuple(said.place for said in others if said.words == newest.words),
        earlier=tuple(said.place for said in older if said.words != newest.words),
    )


class Excerpt(NamedTuple):
    """Lines of a note from ``start`` to ``end``. ``cut``: the section has more."""

    start: int
    end: int
    text: str
    cut: bool


def excerpt(
    note: Note, place: Place, room: int, each: int, stems: AbstractSet[str]
) -> Excerpt | None:
    """A place as it is shown: its whole section where ``each`` place may be so long, else as many of its lines as
    ``room`` holds (tokens), or part of a line, around a word with one of the ``stems``. ``None`` without any text."""
    section = place.section
    whole = _trimmed(note, section.start + section.heading_lines, section.end)
    lines = _trimmed(note, place.start, place.end)
    if not whole or not lines:
        return None
    if tokens(note.text_of(*whole)) <= min(room, each):
        return Excerpt(*whole, note.text_of(*whole), cut=False)
    start, end = lines
    line = note.lines[start - 1]
    is_block = note.blocks.kinds[start - 1] == Kind.CODE or line.lstrip().startswith("|")
    most = min(room, 2 * each if is_block else each)
    while end > start and tokens(note.text_of(start, end)) > most:
        end -= 1
    text = _shortened(note.text_of(start, end), most, stems)
    return Excerpt(start, end, text, cut=(start, end) != whole or text.endswith("…"))


def _trimmed(note: Note, start: int, end: int) -> tuple[int, int] | None:
    """The lines without blank ones around them."""
    lines = [line for line in range(start, end + 1) if note.lines[line - 1].strip()]
    return (lines[0], lines[-1]) if lines else None


def _shortened(text: str, room: int, stems: AbstractSet[str]) -> str:
    """A text that is too long, around the first word with one of ``stems``, its beginning without one."""
    if tokens(text) <= room:
        return text
    starts = {stem[0] for stem in stems}
    words = (word for word in words_of(text) if word[0].lower() in starts)
    found = next((word for word in words if not stems.isdisjoint(forms(word))), "")
    middle, characters, shown = max(0, text.find(found)), 4 * room, text
    while tokens(shown) > room and characters > 1:
        begin = max(0, middle - characters // 2)
        part = text[begin : begin + characters - 2].strip()
        shown = f"{'…' if begin else ''}{part}…"
        characters = characters * 3 // 4
    return shown


def select(
    places: Sequence[Place], notes: NoteReader, limit: int, room: int, stems: AbstractSet[str]
) -> Iterator[tuple[Place, Excerpt]]:
    """The places of which something fits the ``room`` (tokens), best first, each with what is shown of it."""
    shown: set[tuple[str, int]] = set()
    each, count = max(EACH, room // limit), 0
    for place in places:
        note = notes.get(place.path)
        if note is None or (place.path, place.start) in shown:
            continue
        own = min(room, max(FEWEST, room - FEWEST * (limit - count - 1)))
        part = excerpt(note, place, own, each, stems)
        if part and part.text and (place.path, part.start) not in shown:
            yield place, part
            shown |= {(place.path, line) for line in range(part.start, part.end + 1)}
            count, room = count + 1, room - tokens(part.text)
            if count == limit or room <= 0:
                return
