"""A request as it is meant: conditions among its words, and days that are told by an event of the notes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.search.hits import SectionHit
from hippocampus_cli.search.lexical import search
from hippocampus_cli.search.library import Library
from hippocampus_cli.search.parse import Query, parse

if TYPE_CHECKING:
    from hippocampus_cli.retrieval.asking import Request
    from hippocampus_cli.search.events import Event, Place

_PLACES = 12  # sections that are read for an event's day
_UNITS = 3  # and of each


class Meant(NamedTuple):
    """A request without the words that were conditions, and those words."""

    request: Request
    conditions: tuple[str, ...] = ()


def meant(request: Request, today: date) -> Meant:
    """``request`` with the conditions of its text (``tag:ship``) beside those it has already.

    A tag, path or kind more lets more pass, as with the command's options; of two days the narrower counts.
    """
    if ":" not in request.text:
        return Meant(request)
    from hippocampus_cli.search.conditions import conditions_in
    from hippocampus_cli.workspace.kinds import NoteKind

    found, text, written = conditions_in(request.text, today, frozenset(NoteKind))
    if not written:
        return Meant(request)
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
    return Meant(request, written)


def read_query(text: str, today: date, library: Library) -> Query:
    """``text`` as what search looks for; an event that it counts days from is looked up in the notes."""
    query = parse(text, today)
    if not any(joint in text.lower() for joint in ("before", "after", "since")):
        return query
    from hippocampus_cli.search.events import event_day, with_event

    def find(name: str) -> Event | None:
        found = search(library.cache, parse(name, today), _PLACES)
        return event_day(name, list(_places(found.hits, library)), today)

    return with_event(query, today, find)


def _places(hits: tuple[SectionHit, ...], library: Library) -> Iterator[Place]:
    from hippocampus_cli.search.events import Place
    from hippocampus_cli.workspace.dates import date_of

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
