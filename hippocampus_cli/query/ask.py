"""A question's way, from request to answer: :func:`ask` reads as its list of steps (INDEX §4.3, §6).

Each step is a function of a :class:`Snapshot` and of what the steps before it returned. Nothing is written.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from types import MappingProxyType

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Source
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.query.entry_match import MATCHED, EntryMatch, IndexWords, gone, silent
from hippocampus_cli.query.passages import Passages, find_passages
from hippocampus_cli.query.place_dates import PlaceDates
from hippocampus_cli.query.places import Lead, NoteReader, Place, Pointers
from hippocampus_cli.query.request import Request
from hippocampus_cli.query.results import Result, Suppressed
from hippocampus_cli.query.selection import select
from hippocampus_cli.query.series import fold_series
from hippocampus_cli.search.confidence import NONE_TO, UNSURE_TO
from hippocampus_cli.search.filters import Filter
from hippocampus_cli.search.hits import Pointed
from hippocampus_cli.search.library import Library
from hippocampus_cli.search.query_parser import Query, parse, says_nothing
from hippocampus_cli.search.question import corrections_of
from hippocampus_cli.text.dates import names_a_day
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.text.terms import terms, terms_of
from hippocampus_cli.text.tokenizer import words_of
from hippocampus_cli.workspace.note import Section
from hippocampus_cli.workspace.own_files import OUTDATED
from hippocampus_cli.workspace.resolve import Resolved, Status

_FOLLOWED = 20  # matching entries whose pointers are followed
_DESCRIBED = 100  # entries that lead search somewhere though they match too little to answer
_ALONE = 0.75  # of a full match, for a section that search did not find
_AFTER = (
    0.99  # of the last place's score: where search has as many of the words, the index comes after
)
_INDEX_KNOWS = 0.8  # of an entry's match, as a confidence
_WHOLE = 1 << 40  # a line after every note's last
_CLOSEST = 100  # characters of the line of what comes nearest
_LEADS = frozenset((Status.OK, Status.ABSOLUTE, Status.MISSING_SECTION))


class Snapshot(NamedTuple):
    """One moment of a workspace to ask questions of: its notes, its index, where entries point, and the clock."""

    library: Library
    words: IndexWords
    pointers: Pointers
    clock: DecayClock

    @property
    def hierarchy(self) -> Hierarchy:
        """The index as it was read."""
        return self.words.index


class Answer(NamedTuple):
    """The places with their results, and what else the question brought to light; ``query`` is the question as it
    was searched for, ``refused`` are notes with a place in the answer that could not be read, ``undated`` says that
    the first place is of none of the days asked for."""

    query: Query
    places: tuple[Place, ...] = ()
    results: tuple[Result, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    confidence: float = 0.0
    missing: tuple[str, ...] = ()
    closest: str = ""
    corrections: Mapping[str, str] = MappingProxyType({})
    refused: tuple[str, ...] = ()
    undated: bool = False
    first: float = 0.0
    notices: tuple[str, ...] = ()

    @property
    def route(self) -> str:
        """Who found the first result: ``index``, ``search``, ``both`` or ``none``."""
        if not self.results:
            return "none"
        first = self.places[0]
        if first.lead and first.search:
            return "both"
        return "index" if first.lead else "search"


class _Target(NamedTuple):
    """Where an entry leads: to a section, or to the whole file."""

    lead: Lead
    path: str
    section: Section | None


def ask(snapshot: Snapshot, request: Request) -> Answer:
    """The answer to a request; nothing is written.

    The steps: parse, follow the entries that match, search, fuse, judge, fold what says the same, select.
    """
    today, library = snapshot.clock.now.date(), snapshot.library
    queries = [parse(text, today) for text in request.wordings]
    matches = matching_entries(snapshot, queries, request)
    targets, suppressed = follow_entries(snapshot, matches, request)
    pointed = pointed_at([*targets, *follow_described(snapshot, matches, targets, request)])
    found = find_passages(
        library, snapshot.pointers, queries, request.limit, request.where, pointed
    )
    ranked = fuse(snapshot, found.places, targets, request.mode)
    ranked = [place for place in ranked if is_permitted(snapshot, place, request)]
    confidence = judge(found, ranked, request)
    notes = NoteReader(library)
    dates = PlaceDates(library, notes, snapshot.clock.now)
    likely = ranked if confidence > NONE_TO else ()
    places = fold_series(likely, notes.text_of, dates.day, _outdated(snapshot))
    rows = select(snapshot, places, notes, dates, request, found.terms)
    gone_first = bool(places) and places[0].path in notes.refused
    undated = bool(rows) and _is_undated(queries[0], rows[0][1])
    others = request.by_entry and ranked[:1] != found.places[:1]
    unquoted = not found.places and '"' in queries[0].text
    if undated or gone_first or others or unquoted or says_nothing(queries[0]):
        confidence = min(confidence, UNSURE_TO)
    return Answer(
        queries[0],
        tuple(place for place, _ in rows),
        tuple(result for _, result in rows),
        suppressed,
        confidence,
        found.missing,
        "" if rows else _closest(ranked, notes),
        found.corrections,
        tuple(notes.refused),
        undated,
        min(confidence, found.confidence.first),
        found.notices,
    )


def follow_entries(
    snapshot: Snapshot, matches: Sequence[EntryMatch], request: Request
) -> tuple[list[_Target], tuple[Suppressed, ...]]:
    """Where the entries that match well enough lead; and those that are silent, or are broken."""
    bands = snapshot.library.config.bands
    passing = snapshot.library.store.paths_meeting(request.where) if request.where else None
    suppressed: list[Suppressed] = []
    targets: list[_Target] = []
    for match in (match for match in matches[:_FOLLOWED] if match.score >= MATCHED):
        located, strength = match.located, snapshot.clock.strength(match.located.entry)
        if faded := list(silent(located, strength, bands)):
            suppressed += faded
        elif _meets(located, request):
            resolved = list(snapshot.pointers.follow(located))
            if passing is None:
                suppressed += gone(located, strength, resolved)
            leads = [to for to in resolved if to.status in _LEADS]
            leads = [to for to in leads if passing is None or to.path in passing]
            targets += _targets(snapshot, match, strength, leads)
    return targets, tuple(suppressed)


def follow_described(
    snapshot: Snapshot,
    matches: Sequence[EntryMatch],
    targets: Sequence[_Target],
    request: Request,
) -> Iterator[_Target]:
    """Where other entries lead that somebody described: one word of a question is enough for search to look there."""
    known = {target.lead.entry.key for target in targets}
    also = (match for match in matches if match.located.entry.also)
    others = (match for match in also if match.located.key not in known)
    for match in islice(others, _DESCRIBED if request.mode == "hybrid" else 0):
        leads = [to for to in snapshot.pointers.follow(match.located) if to.status is Status.OK]
        yield from _targets(snapshot, match, snapshot.clock.strength(match.located.entry), leads)


def pointed_at(targets: Sequence[_Target]) -> dict[str, list[Pointed]]:
    """The lines that these entries point at, by their note."""
    found: dict[str, list[Pointed]] = {}
    for lead, path, section in targets:
        entry = lead.entry.entry
        if section is None and entry.src is Source.AUTO and not entry.also:
            continue  # it says what the note's own title and headings say, and that of all of its passages
        words = " ".join((entry.topic, *entry.tags, *entry.also, entry.summary))
        end = (section.end if entry.also else section.tree_end) if section else _WHOLE
        lines = (section.start if section else 1, end)
        found.setdefault(path, []).append(Pointed(*lines, words, lead.strength, entry.hits))
    return found


def _of_days(snapshot: Snapshot, query: Query) -> frozenset[str]:
    """The notes of the days that a question asks for."""
    wheres = (Filter(since=first, until=last) for first, last in query.days)
    meeting = map(snapshot.library.store.paths_meeting, wheres)
    return frozenset().union(*meeting)


def matching_entries(
    snapshot: Snapshot, queries: Sequence[Query], request: Request
) -> list[EntryMatch]:
    """The entries that match one of the wordings, best first, each once."""
    if request.mode == "search":
        return []
    of_days = _of_days(snapshot, queries[0]) if request.mode == "index" else frozenset()

    def correct(words: Sequence[str]) -> dict[str, str]:
        return snapshot.library.store.healing(partial(corrections_of, words=words))

    best: dict[str, EntryMatch] = {}
    for query in queries:
        for match in snapshot.words.match(query, correct, of_days):
            other = best.setdefault(match.located.key, match)
            if match.score > other.score:
                best[match.located.key] = match
    return sorted(best.values(), key=lambda one: (-one.score, one.located.key))


def _targets(
    snapshot: Snapshot, match: EntryMatch, strength: float, leads: Sequence[Resolved[Section]]
) -> Iterator[_Target]:
    weak = strength < snapshot.library.config.query.threshold
    for to in leads:
        loose = to.status is Status.MISSING_SECTION
        lead = Lead(match.located, match.score, strength, weak, loose)
        yield _Target(lead, to.path, to.section)


def _with_text(section: Section, sections: Sequence[Section]) -> Section:
    """The section, or the first one below it where it is a heading alone."""
    below = (one for one in sections if section.start <= one.start <= section.tree_end)
    return next((one for one in below if one.end >= one.start + one.heading_lines), section)


def fuse(
    snapshot: Snapshot, places: Sequence[Place], targets: Sequence[_Target], mode: str
) -> list[Place]:
    """The places that search found, with the entries that lead there, and behind them those that only entries lead
    to; in mode ``index`` those of entries, in the index's own order."""
    found = {(place.path, place.start): place for place in places}
    least = min((place.search for place in places), default=1.0)
    for target in targets:
        key = _best_inside(found, target)
        if key:
            found[key] = found[key].led_by(target.lead)
        elif place := _place_of(snapshot, target):
            score = min(_ALONE * place.worth, _AFTER * least)
            found.setdefault((place.path, place.start), place._replace(score=score))
    ranked = list(found.values())
    if mode == "index":
        led = (place for place in found.values() if place.lead)
        ranked = [place._replace(score=place.worth, search=0.0) for place in led]
    return sorted(ranked, key=lambda place: (-place.score, place.path, place.start))


def _place_of(snapshot: Snapshot, target: _Target) -> Place | None:
    """What an entry leads to as a place; ``None`` where the note has no text."""
    sections = snapshot.pointers.sections_of(target.path) or ()
    section = target.section or next(iter(sections), None)
    if section is None:
        return None
    section = _with_text(section, sections)
    place = Place(target.path, section, section.start + section.heading_lines, section.end)
    return place.led_by(target.lead)


def _best_inside(found: Mapping[tuple[str, int], Place], target: _Target) -> tuple[str, int] | None:
    """The best of the places inside what an entry leads to."""
    section = target.section
    inside = [
        key
        for key, place in found.items()
        if place.path == target.path
        and (section is None or (section.start <= place.end and place.start <= section.tree_end))
    ]
    return max(inside, key=lambda key: found[key].search, default=None)


def is_permitted(snapshot: Snapshot, place: Place, request: Request) -> bool:
    """Whether an entry with the tags and priorities asked for points at a place; always where none are."""
    if not request.by_entry or (place.lead and _meets(place.lead.entry, request)):
        return True
    covering = snapshot.pointers.covering(place.path, place.section)
    return any(_meets(one.located, request) for one in covering)


def _meets(located: Located, request: Request) -> bool:
    entry = located.entry
    if request.priorities and entry.pri.value not in request.priorities:
        return False
    return not request.tags or bool(request.tags & {tag.casefold() for tag in entry.tags})


def judge(found: Passages, ranked: Sequence[Place], request: Request) -> float:
    """How likely the places answer: by search, or, where only the index speaks, by what it knows on purpose."""
    if request.mode != "index" and found.places:
        return found.confidence.prompt if request.unasked else found.confidence.any
    return _INDEX_KNOWS * max((place.worth for place in ranked), default=0.0)


def _outdated(snapshot: Snapshot) -> Callable[[str], str] | None:
    """Who said that a text is outdated; ``None``, and nothing is loaded, where nobody said so of any."""
    root = snapshot.pointers.root
    if not os.path.lexists(root / OUTDATED):
        return None
    from hippocampus_cli.query.outdated import Marks

    return Marks(root).reason


def _is_undated(query: Query, first: Result) -> bool:
    """Whether the place that is shown first is of none of the days asked for, and does not have their words."""
    if not query.days:
        return False
    there = frozenset(terms(f"{first.section or ''} {first.text}"))
    named = any(
        names_a_day(reading.words) and there.issuperset(terms(reading.words))
        for reading in query.readings
    )
    day = first.date
    return not named and not (day and any(since <= day <= until for since, until in query.days))


def _closest(ranked: Sequence[Place], notes: NoteReader) -> str:
    """A line of what comes nearest where nothing is shown."""
    for place in ranked[:1]:
        text = shorten(" ".join(safe_line(notes.text_of(place)).split()), _CLOSEST)
        return f"{safe_line(place.path)}:{place.start}: {text}"
    return ""


def nearest_topics(index: Hierarchy, text: str, most: int = 3) -> tuple[str, ...]:
    """The topics of the index that read most like ``text``."""
    from rapidfuzz import fuzz, process

    from hippocampus_cli.entries.select import is_like

    topics = list(dict.fromkeys(located.entry.topic for located in index.entries))
    found = process.extract(
        text[:200].lower(),
        topics,
        scorer=fuzz.WRatio,
        processor=str.lower,
        limit=4 * most,
        score_cutoff=50,
    )
    return tuple(topic for topic, _, _ in found if is_like(text[:200], topic))[:most]


def spelled_out(answer: Answer) -> dict[str, list[str]]:
    """What each misspelt word was taken for, as it is spelled in the results: search works on stems, and nobody typed
    ``applic``."""
    met: dict[str, str] = {}
    for result in answer.results if answer.corrections else ():
        for word in words_of(f"{result.section or ''} {result.text}"):
            met.setdefault(terms_of(word)[0] if terms_of(word) else "", word.lower())
    return {word.lower(): [met.get(term, term)] for word, term in answer.corrections.items()}
