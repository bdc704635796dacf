"""A request as it is meant: conditions among its words, and days that are told by an event of the notes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace, UsageError
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search.filters import Filter
from hippocampus_cli.search.hits import SectionHit
from hippocampus_cli.search.library import Library
from hippocampus_cli.search.query_parser import Query, parse

if TYPE_CHECKING:
    from hippocampus_cli.query.dated_events import Event, Place
    from hippocampus_cli.search.query_parser import Odd

_PLACES = 12  # sections that are read for an event's day
_UNITS = 3  # and of each


class Request(NamedTuple):
    """A query with its conditions; empty ones let everything pass. ``tokens`` bounds all returned text."""

    text: str
    mode: str = "hybrid"
    limit: int = 5
    tokens: int = 2000
    tags: frozenset[str] = frozenset()
    priorities: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    paths: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None

    @property
    def where(self) -> Filter:
        """The conditions that a file has to meet."""
        return Filter(self.paths, self.kinds, self.since, self.until)

    @property
    def by_entry(self) -> bool:
        """Whether only places that certain entries point at may answer."""
        return bool(self.tags or self.priorities)


class ParsedRequest(NamedTuple):
    """A request without the words that were conditions, those words, and what a person should know of others."""

    request: Request
    conditions: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def text_asked(text: str) -> str:
    """``text`` without what is no character: bytes of a command line that were no UTF-8, and halves of pairs."""
    try:
        data = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = text.encode("utf-8", "replace")
    return data.decode("utf-8", "replace").strip()


def parse_request(request: Request, today: date) -> ParsedRequest:
    """``request`` with the conditions of its text (``tag:ship``) beside those it has already.

    A tag, path or kind more lets more pass, as with the command's options; of two days the narrower counts. Raises
    :class:`UsageError` for a condition on a day that the calendar does not have.
    """
    if ":" not in request.text:
        return ParsedRequest(request)
    from hippocampus_cli.search.query_parser import conditions_in, odd_ones
    from hippocampus_cli.workspace.kinds import NoteKind

    kinds = frozenset(NoteKind)
    found, text, written = conditions_in(request.text, today, kinds)
    notices = tuple(map(_searched, odd_ones(request.text, today, kinds)))
    if not written:
        return ParsedRequest(request, notices=notices)
    since = max(filter(None, (request.since, found.since)), default=None)
    until = min(filter(None, (request.until, found.until)), default=None)
    request = request._replace(
        text=text,
        tags=request.tags | found.tags,
        paths=(*request.paths, *found.paths),
        kinds=request.kinds | found.kinds,
        since=since,
        until=until,
    )
    return ParsedRequest(request, written, notices)


def _searched(odd: Odd) -> str:
    """The notice that a condition is none. Raises :class:`UsageError` where it can be nothing else."""
    if odd.is_day:
        advice = 'write it as 2026-05-31, april, 30d or "last week"'
        raise UsageError(
            reason=f"{odd.name}: {odd.value[:40]!r} is not a valid date", advice=advice
        )
    what = "kind of notes" if odd.name == "kind" else "date"
    return f"{odd.written[:60]!r} is not a filter (there is no such {what}); searched as words"


def _no_days(text: str, today: date) -> tuple[str, ...]:
    """The dates in ``text`` that the calendar does not have."""
    if not any(map(str.isdigit, text)):
        return ()
    from hippocampus_cli.dates.expressions import no_days

    return no_days(text, today)


def read_query(text: str, today: date, library: Library) -> Query:
    """``text`` as what search looks for; an event that it counts days from is looked up in the notes."""
    query = _with_event(text, today, library)
    none = _no_days(text, today)
    return query._replace(no_days=none) if none else query


def _with_event(text: str, today: date, library: Library) -> Query:
    query = parse(text, today)
    if not any(joint in text.lower() for joint in ("before", "after", "since")):
        return query
    from hippocampus_cli.query.dated_events import event_day, with_event

    def find(name: str) -> Event | None:
        found = library.cache.search(parse(name, today), _PLACES)
        return event_day(name, list(_places(found.hits, library)), today)

    return with_event(query, today, find)


def _places(hits: tuple[SectionHit, ...], library: Library) -> Iterator[Place]:
    from hippocampus_cli.query.dated_events import Place
    from hippocampus_cli.workspace.kinds import date_of

    best = hits[0].score if hits else 1.0
    for hit in hits:
        try:
            note = library.note(hit.path)
        except (FileUnreadable, OutsideWorkspace):  # gone since it was found
            continue
        named, day = f"{hit.section.title} {hit.path}", date_of(hit.path)
        for unit in hit.units[:_UNITS]:
            text = note.text_of(unit.start, unit.end)
            yield Place(f"{hit.path}:{unit.start}", named, text, day, unit.score / best)
