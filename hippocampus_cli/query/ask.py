"""A question's way, from request to answer: :func:`ask` reads as its list of steps (INDEX §4.3, §6).

Each step is a function of a :class:`Snapshot` and of what the steps before it returned. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.decay import Band, DecayClock, band
from hippocampus_cli.index.document import Located
from hippocampus_cli.markdown.lines import split_lines
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.query.confidence import SHOWN_FROM, UNSURE_TO
from hippocampus_cli.query.entry_match import MATCHED, EntryMatch, IndexWords
from hippocampus_cli.query.missing import missing_from
from hippocampus_cli.query.passages import Passages, find_passages
from hippocampus_cli.query.places import Lead, NoteReader, Place, Pointers
from hippocampus_cli.query.request import Request
from hippocampus_cli.query.results import Earlier, Result, Suppressed
from hippocampus_cli.query.selection import Excerpt, PlaceDates, fold_series, select
from hippocampus_cli.search.filters import Filter
from hippocampus_cli.search.hits import Boosts
from hippocampus_cli.search.library import Library
from hippocampus_cli.search.query_parser import MOST_TYPED, Query, parse, says_nothing
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.text.tokenizer import spellings, stem_text
from hippocampus_cli.workspace.note import Section
from hippocampus_cli.workspace.origin import of_lines
from hippocampus_cli.workspace.resolve import Resolved, Status
from hippocampus_cli.workspace.sections import SectionNames

BARELY = 0.1  # share of the question below which a place is not even shown beside others,
HARDLY = 0.02  # and this where there are no others
_FOLLOWED = 20  # matching entries whose pointers are followed
_ALONE = 0.75  # of a full match, for a section that search did not find
_AFTER = (
    0.99  # of the last place's score: where search has as many of the words, the index comes after
)
_INDEX_KNOWS = 0.8  # of an entry's match, as a confidence
_LINE = 100  # characters of an older place, and of what comes nearest where nothing is shown
_LEADS = frozenset((Status.OK, Status.ABSOLUTE, Status.MISSING_SECTION))


class Snapshot(NamedTuple):
    """One moment of a workspace to ask questions of: its notes, its index, where entries point, and the clock."""

    library: Library
    words: IndexWords
    pointers: Pointers
    clock: DecayClock


class Answer(NamedTuple):
    """The places with their results, and what else the question brought to light; ``query`` is the question as it
    was searched for, ``refused`` are notes with a place in the answer that could not be read."""

    query: Query
    places: tuple[Place, ...]
    results: tuple[Result, ...]
    suppressed: tuple[Suppressed, ...]
    confidence: float
    missing: tuple[str, ...]
    closest: str
    corrections: Mapping[str, list[str]] = MappingProxyType({})
    refused: tuple[str, ...] = ()

    @property
    def route(self) -> str:
        """Who found the first result: ``index``, ``search``, ``both`` or ``none``."""
        if not self.places:
            return "none"
        first = self.places[0]
        if first.lead:
            return "both" if first.search else "index"
        return "search"


def ask(snapshot: Snapshot, request: Request, boosts: Boosts | None = None) -> Answer:
    """The answer to a request; nothing is written. ``boosts`` are what anchors say to search.

    The steps: parse, search, follow the entries that match, fuse, judge, fold what says the same, select.
    """
    now = snapshot.clock.now
    queries = [parse(text, now.date()) for text in request.wordings]
    found = find_passages(snapshot.library, queries, request.limit, request.where, boosts)
    matches = best_matches(snapshot, queries, request, found)
    suppressed = tuple(_silent(snapshot, matches))
    ranked = fuse(snapshot, found, matches, request)
    missing = missing_words(snapshot, queries[0], found)
    notes = NoteReader(snapshot.library)
    dates = PlaceDates(snapshot.library, notes, now)
    confidence = judge(found, ranked, request.mode)
    if missing or says_nothing(queries[0]):
        confidence = min(confidence, UNSURE_TO)
    worth = _worth_showing(ranked, confidence)
    places = fold_series(worth, notes.text_of, lambda place: dates.of(place).day)
    stems = frozenset(stem for query in queries for stem in query.stems)
    stems = stems.union(*found.corrections.values())
    rows = list(select(places, notes, request.limit, request.tokens, stems))
    if places and places[0].path in notes.refused:
        confidence = min(confidence, UNSURE_TO)
    results = (result_of(snapshot, *row, notes, dates) for row in rows)
    return Answer(
        query=queries[0],
        places=tuple(place for place, _ in rows),
        results=tuple(one._replace(rank=rank) for rank, one in enumerate(results, 1)),
        suppressed=suppressed,
        confidence=confidence,
        missing=missing,
        closest="" if rows or not ranked else _line_of(ranked[0], notes),
        corrections=found.corrections,
        refused=tuple(notes.refused),
    )


def best_matches(
    snapshot: Snapshot, queries: Sequence[Query], request: Request, found: Passages
) -> list[EntryMatch]:
    """The entries that match one of the wordings well enough, best first, each once; where the index alone is asked,
    those too that lead to notes of the days asked for."""
    if request.mode == "search":
        return []
    days = queries[0].days if request.mode == "index" else ()
    meeting = snapshot.library.cache.paths_meeting
    of_days = frozenset().union(*(meeting(Filter(since=a, until=b)) for a, b in days))
    best: dict[str, EntryMatch] = {}
    for query in queries:
        for match in snapshot.words.match(query, found.known, of_days):
            other = best.get(match.located.key, match)
            if match.score >= max(MATCHED, other.score):
                best[match.located.key] = match
    return sorted(best.values(), key=lambda one: (-one.score, one.located.key))[:_FOLLOWED]


def _silent(snapshot: Snapshot, matches: Sequence[EntryMatch]) -> Iterator[Suppressed]:
    """The entries that have faded too far to be heard (INDEX §6.2, decision D11)."""
    bands = snapshot.library.config.bands
    for match in matches:
        strength = snapshot.clock.strength(match.located.entry)
        if band(strength, bands) is Band.SILENT:
            reason = f"silent: strength {strength:.2f} is below {bands.silent:g}"
            yield Suppressed(match.located.key, round(strength, 4), reason)


def fuse(
    snapshot: Snapshot, found: Passages, matches: Sequence[EntryMatch], request: Request
) -> list[Place]:
    """The places that search and the index found, best first; in mode ``index`` those that entries lead to, in the
    index's own order."""
    fused = {(place.path, place.start): place for place in found.places}
    least = min((place.search for place in found.places), default=1.0)
    covered = max((place.coverage for place in found.places), default=0.0)
    for lead, target in _leads(snapshot, matches, request):
        inside = [key for key, place in fused.items() if _is_inside(place, target)]
        if inside:
            key = max(inside, key=lambda key: fused[key].search)
            fused[key] = fused[key].led_by(lead)
        elif section := _section_of(snapshot, target):
            start = section.start + section.heading_lines
            place = Place(target.path, section, start, section.end).led_by(lead)
            score = _ALONE * place.worth
            score = min(score, _AFTER * least) if lead.match <= covered else score
            fused[place.path, start] = place._replace(score=score)
    places = [place for place in fused.values() if _is_permitted(snapshot, place, request)]
    if request.mode == "index":
        led = (place for place in places if place.lead)
        places = [place._replace(score=place.worth, search=0.0) for place in led]
    return sorted(places, key=lambda place: (-place.score, place.path, place.start))


def _leads(
    snapshot: Snapshot, matches: Sequence[EntryMatch], request: Request
) -> Iterator[tuple[Lead, Resolved[Section]]]:
    """Where the entries lead that match and are not silent."""
    config, cache = snapshot.library.config, snapshot.library.cache
    passing = cache.paths_meeting(request.where) if request.where else None
    for located, score in matches:
        strength = snapshot.clock.strength(located.entry)
        if band(strength, config.bands) is Band.SILENT or not _meets(located, request):
            continue
        for target in snapshot.pointers.follow(located):
            if target.status in _LEADS and (passing is None or target.path in passing):
                weak = strength < config.query.threshold
                loose = target.status is Status.MISSING_SECTION
                yield Lead(located, score, strength, weak, loose), target


def _is_inside(place: Place, target: Resolved[Section]) -> bool:
    """Whether a place stands in what an entry leads to."""
    section = target.section
    within = section is None or section.start <= place.start <= section.tree_end
    return place.path == target.path and within


def _section_of(snapshot: Snapshot, target: Resolved[Section]) -> Section | None:
    """The section that is led to, or the first one below that is no heading alone."""
    sections = snapshot.pointers.sections_of(target.path) or ()
    last = target.section.tree_end if target.section else None
    first = target.section.start if target.section else 0
    below = (one for one in sections if one.start >= first and (last is None or one.start <= last))
    return next((one for one in below if one.end >= one.start + one.heading_lines), None)


def _is_permitted(snapshot: Snapshot, place: Place, request: Request) -> bool:
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


def judge(found: Passages, ranked: Sequence[Place], mode: str) -> float:
    """How likely the places answer: by search, or by what the index knows on purpose."""
    known = _INDEX_KNOWS * max((place.worth for place in ranked), default=0.0)
    return known if mode == "index" else max(known, found.confidence)


def missing_words(snapshot: Snapshot, query: Query, found: Passages) -> tuple[str, ...]:
    """The names, numbers and identifiers of a question that neither a note nor an entry has."""
    statement = "SELECT 1 FROM passages WHERE passages MATCH ? LIMIT 1"

    def knows(word: str) -> bool:
        run = stem_text(word)
        if not run or run in found.corrections or snapshot.words.have(run.split()):
            return True
        rows = snapshot.library.cache.healing(
            lambda db: db.execute(statement, (f'"{run}"',)).fetchall()
        )
        return bool(rows)

    dated = frozenset(word.lower() for one in query.readings for word in one.words.split())
    return tuple(missing_from(query.text, dated, knows))


def _worth_showing(ranked: Sequence[Place], confidence: float) -> list[Place]:
    """The places that may answer; none where it is likely that nothing does."""
    if confidence < SHOWN_FROM:
        return []
    worth = [one for one in ranked if one.match >= MATCHED or one.coverage >= BARELY]
    return worth or [one for one in ranked if one.coverage >= HARDLY]


def result_of(
    snapshot: Snapshot, place: Place, part: Excerpt, notes: NoteReader, dates: PlaceDates
) -> Result:
    """A place as it is given back."""
    pointers, dated = snapshot.pointers, dates.of(place)
    covering = pointers.covering(place.path, place.section)
    entry = place.lead.entry if place.lead else covering[0].located if covering else None
    strength = None if entry is None else snapshot.clock.strength(entry.entry)
    bands = snapshot.library.config.bands
    earlier = ((older, dates.of(older).day) for older in place.earlier)
    return Result(
        rank=0,
        path=place.path,
        section=SectionNames(pointers.sections_of(place.path) or ()).pointer_name(place.section),
        start_line=part.start,
        end_line=part.end,
        text=part.text,
        tokens=tokens(part.text),
        score=round(min(1.0, place.score), 4),
        source="index" if place.match >= MATCHED else "search",
        entry=entry.key if entry else None,
        strength=None if strength is None else round(strength, 4),
        band=None if strength is None else band(strength, bands).value,
        cut=part.cut,
        stale=bool(place.lead and place.lead.loose) and not place.coverage,
        reasons=tuple(place.reasons()),
        superseded=place.superseded,
        copies=tuple(f"{copy.path}:{copy.start}" for copy in place.copies),
        earlier=tuple(Earlier(_line_of(older, notes), day) for older, day in earlier if day),
        origin=of_lines(place.path, split_lines(part.text)),
        date=dated.day,
        dated_by=dated.by,
        passage=(max(place.start, part.start), min(place.end, part.end)),
    )


def _line_of(place: Place, notes: NoteReader) -> str:
    """A place and its text on one line."""
    text = shorten(" ".join(notes.text_of(place).split()), _LINE)
    return f"{place.path}:{place.start}: {text}"


def spelled_out(answer: Answer) -> dict[str, list[str]]:
    """What each misspelt word, as it was typed, was taken for, as it is spelled in the results.

    Search works on stems, and nobody typed ``applic``.
    """
    if not answer.corrections:
        return {}
    typed = spellings(answer.query.text[:MOST_TYPED])
    met: dict[str, str] = {}
    for result in answer.results:
        met = spellings(f"{result.section or ''} {result.text}") | met
    return {
        typed.get(stem, stem): [met.get(other, other) for other in others]
        for stem, others in answer.corrections.items()
    }
