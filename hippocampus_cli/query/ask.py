"""A question's way, from request to answer: :func:`ask` reads as its list of steps (INDEX §4.3, §6).

Each step is a function of a :class:`Snapshot` and of what the steps before it returned. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from math import exp
from operator import itemgetter

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.decay import Band, band
from hippocampus_cli.index.metadata import Source
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.query.entry_match import MATCHED, Weighed
from hippocampus_cli.query.places import EVERYTHING, Lead, Place, Snapshot
from hippocampus_cli.query.request import HYBRID, Query, Request, parse
from hippocampus_cli.query.results import FADED, GONE, Result, Suppressed
from hippocampus_cli.query.selection import select
from hippocampus_cli.query.series import fold_series, newest_first
from hippocampus_cli.search.confidence import NONE_TO, PROMPT_FROM, UNSURE_TO, at_prompt
from hippocampus_cli.search.engine import Found, Hit, Pointed, SearchRequest, answer
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.text.terms import start_of, terms_of
from hippocampus_cli.text.tokenizer import words_of
from hippocampus_cli.workspace.note import Section
from hippocampus_cli.workspace.resolve import Status, follow

_FOLLOWED = 400  # matching entries whose pointers are followed
_DESCRIBED = 10  # entries that lead search somewhere though they match too little to answer
_LOOKED_AT = 20  # places, at least
_TEMPER = 2.0  # what a score has to fall by to be worth a third
_CLOSEST = 100  # characters of the line of what comes nearest
_LEADS = frozenset((Status.OK, Status.ABSOLUTE, Status.MISSING_SECTION))


class Answer(NamedTuple):
    """The places with their results, and what else the question brought to light; ``query`` is the question as it
    was searched for, ``found`` what search said, ``mode`` that of the request; ``further`` are the places that come
    next."""

    query: Query
    found: Found
    places: tuple[Place, ...]
    results: tuple[Result, ...]
    suppressed: tuple[Suppressed, ...]
    confidence: float
    closest: str
    mode: str
    further: tuple[Place, ...]

    @property
    def route(self) -> str:
        """Who found the first result: ``index``, ``search``, ``both`` or ``none``."""
        if not self.places:
            return "none"
        first = self.places[0]
        if first.lead and first.coverage and self.mode == HYBRID:
            return "both"
        return "index" if first.lead else "search"


def ask(snapshot: Snapshot, request: Request) -> Answer:
    """The answer to a request; nothing is written.

    The steps: parse, follow the entries that match, search, judge, fold what says the same, select.
    """
    library, today = snapshot.library, snapshot.clock.now.date()
    said = [parse(text, today) for text in (request.text, *request.phrasings)]
    queries = said
    if said[0].days and request.odds is None:
        queries = [parse(said[0].numbered, today), *said[1:]]
    leads, suppressed = follow_entries(snapshot, queries, request)
    asked = to_search(snapshot, queries, leads, request)
    found = library.store.healing(partial(answer, request=asked, meaning=library.meaning))
    ranked = places_of(snapshot, found.hits, leads, request)
    confidence = judge(found, request)
    # What is not likely enough to be shown need not be read.
    likely = ranked if confidence > (NONE_TO if request.odds is None else PROMPT_FROM) else ()
    starts = tuple({*map(start_of, found.terms)})
    places = newest_first(fold_series(likely, snapshot, starts), snapshot, starts)
    if snapshot.marks:
        places = snapshot.marks.ordered(places, snapshot)
    # What is superseded comes last of what is shown, and says so: in its place stood what nobody looked at yet.
    shown = places[: request.limit]
    places.sort(key=lambda place: (place not in shown, place.superseded != ""))
    rows = select(snapshot, places, request, found.terms)
    says_nothing = not (said[0].telling or said[0].readings)
    if says_nothing or (places and places[0].path in snapshot.refused):
        confidence = min(confidence, UNSURE_TO)
    return Answer(
        said[0],
        found,
        tuple(place for place, _ in rows),
        tuple(result for _, result in rows),
        suppressed,
        confidence if rows else 0.0,
        "" if rows or request.odds is not None else _closest(ranked, snapshot),
        request.mode,
        tuple(places[request.limit : 2 * request.limit]),
    )


def follow_entries(
    snapshot: Snapshot, queries: Sequence[Query], request: Request
) -> tuple[list[Lead], tuple[Suppressed, ...]]:
    """Where the entries lead that match well enough, or that somebody described: one word of a question is enough for
    search to look there; and the entries that have faded too far to be heard (INDEX §6.2, decision D11), or of which
    nothing is left."""
    bands, least = snapshot.library.config.bands, snapshot.library.config.query.threshold
    root, suppressed, leads = snapshot.library.root, list[Suppressed](), list[Lead]()
    for rank, (located, score) in enumerate(matching_entries(snapshot, queries, request)):
        answers = rank < _FOLLOWED and score >= _least(request)
        described = rank < _DESCRIBED and bool(located.entry.also)
        if not (answers or described or request.tags):
            continue
        entry, strength = located.entry, snapshot.clock.strength(located.entry)
        targets = [follow(root, pointer, snapshot.sections_of) for pointer in entry.pointers]
        is_gone = {to.status for to in targets} == {Status.MISSING_FILE}
        if answers and (is_gone or band(strength, bands) is Band.SILENT):
            cause, why = FADED, f"silent: strength {strength:.2f} is below {bands.silent:g}"
            if is_gone:
                cause, why = GONE, f"points at what is gone: {', '.join(map(str, entry.pointers))}"
            if not (is_gone and request.where):  # what is gone meets no condition of a file
                suppressed.append(Suppressed(located.key, round(strength, 4), cause, why))
            continue
        for to in targets:
            if to.status in _LEADS:
                weak, loose = strength < least, to.status is Status.MISSING_SECTION
                section = to.section or EVERYTHING
                leads.append(Lead(located, score, strength, to.path, section, weak, loose))
    return leads, tuple(suppressed)


def _least(request: Request) -> float:
    """The share of the question that an entry must have: a word where nothing else is asked, and the ranking orders
    what entries lead to."""
    return 0.0 if request.mode == "index" else MATCHED


def matching_entries(snapshot: Snapshot, queries: Sequence[Query], request: Request) -> Weighed:
    """The entries that match one of the wordings, best first, each once; all that have the tags asked for."""
    asked = queries if request.mode != "search" else ()
    found = chain.from_iterable(map(snapshot.words.match, asked))
    best = {row[0].key: row for row in sorted(found, key=itemgetter(1))}
    if request.tags:
        best = {
            located.key: best.get(located.key, (located, 0.0))
            for located in snapshot.index.entries
            if request.tags & {tag.casefold() for tag in located.entry.tags}
        }
    return sorted(best.values(), key=lambda match: (-match[1], match[0].key))


def to_search(
    snapshot: Snapshot, queries: Sequence[Query], leads: Sequence[Lead], request: Request
) -> SearchRequest:
    """What search is asked: the wordings, the lines that entries point at, whose words count as theirs, and how often
    notes were used."""
    pointed: dict[str, list[Pointed]] = {}
    for lead in leads:
        entry, section = lead.entry.entry, lead.section
        words = " ".join((entry.topic, *entry.tags, *entry.also, entry.summary))
        # an entry of a whole note says what the note's own title and headings say, and that of all of its passages
        drawn = entry.src in (Source.AUTO, Source.RETRIEVAL)
        whole = section is EVERYTHING and drawn and not (lead.loose or entry.also)
        words = "" if whole or request.mode == "search" else words
        end = section.end if entry.also else section.tree_end
        pointed.setdefault(lead.path, []).append(Pointed(section.start, end, words))
    return SearchRequest(
        text=queries[0].text,
        phrasings=[query.text for query in queries[1:]],
        days=[days for query in queries for days in query.days],
        where=request.where,
        pointed=pointed,
        spared=queries[0].dated,
        limit=max(_LOOKED_AT, request.limit * 3),
        only_pointed=bool(request.tags) or request.mode == "index",
        used={} if request.mode == "search" else snapshot.words.used,
    )


def places_of(
    snapshot: Snapshot, hits: Sequence[Hit], leads: Sequence[Lead], request: Request
) -> list[Place]:
    """The hits as places with scores from 0 to 1, the best place of each lead with it."""
    found: list[Place] = []
    left = [lead for lead in leads if lead.match >= _least(request)]
    for hit in hits:
        passage, sections = hit.place, snapshot.sections_of(hit.place.path) or ()
        start, end = passage.start, passage.end
        own = Section(passage.section, 0, "", (), start, end, end, 0)
        place = Place(
            passage.path,
            next((each for each in sections if each.ordinal == passage.section), own),
            start,
            end,
            hit.coverage,
            exp((hit.score - hits[0].score) / _TEMPER),
            copies=hit.copies,
            day=passage.last_day,
            changed_ns=passage.changed_ns,
        )
        for lead in [lead for lead in left if lead.holds(place)]:
            place = place.led_by(lead)
            left.remove(lead)
        if place.lead or place.coverage or not request.tags:
            found.append(place)
    return sorted(found, key=lambda place: (-place.score, place.path, place.start))


def judge(found: Found, request: Request) -> float:
    """How likely the places answer."""
    if request.odds is None:
        return found.confidence.any
    return at_prompt(found.confidence.prompt, request.odds)


def _closest(ranked: Sequence[Place], snapshot: Snapshot) -> str:
    """A line of what comes nearest where a question is shown nothing; a prompt is told nothing then."""
    for place in ranked[:1]:
        text = shorten(" ".join(safe_line(snapshot.text_of(place)).split()), _CLOSEST)
        return f"{safe_line(place.path)}:{place.start}: {text}"
    return ""


def spelled_out(answer: Answer) -> dict[str, list[str]]:
    """What each misspelt word was taken for, as it is spelled in the results: search works on stems, and nobody typed
    ``applic``."""
    shown = answer.results if answer.found.corrections else ()
    words = words_of(" ".join(f"{result.section or ''} {result.text}" for result in shown))
    met = {term: word.lower() for word in reversed(words) for term in terms_of(word)[:1]}
    return {word.lower(): [met.get(term, term)] for word, term in answer.found.corrections.items()}
