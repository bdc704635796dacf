"""A question's way, from request to answer, in one module: :func:`ask` reads as its list of steps (INDEX §4.3, §6).

Each step is a function of a :class:`Snapshot` and of what the steps before it returned. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.query.confidence import SHOWN_FROM, UNSURE_TO, confidence_of, tokens_for
from hippocampus_cli.query.entry_match import EntryMatch, IndexWords, gone, silent
from hippocampus_cli.query.fusion import (
    LEADS,
    MATCHED,
    Candidate,
    EntryTarget,
    NoteReader,
    Places,
    by_index,
    from_search,
    fuse,
    joined,
)
from hippocampus_cli.query.request import Request, read_query
from hippocampus_cli.query.results import Result, Suppressed
from hippocampus_cli.query.selection import Budget, results, shown
from hippocampus_cli.query.snippets import told_once
from hippocampus_cli.query.superseding import current_first, marked, superseding_of, what_is_said
from hippocampus_cli.search.answer_type import lacks_value
from hippocampus_cli.search.filters import Filter
from hippocampus_cli.search.hits import Boosts, SearchHits, SectionHit
from hippocampus_cli.search.library import Library
from hippocampus_cli.search.query_parser import MOST_TYPED, Query, says_nothing
from hippocampus_cli.text.tokenizer import spellings
from hippocampus_cli.workspace.note import Section
from hippocampus_cli.workspace.own_files import JOURNAL
from hippocampus_cli.workspace.resolve import Resolved, Status

SEARCHED = 20  # sections that search offers for fusing
COMPARED = (
    14  # places that are compared with each other; 20 found no more on the fixture, and cost more
)
BARELY = 0.1  # share of the query below which a place is not even shown beside others,
HARDLY = 0.02  # and this where there are no others
_REDIRECTED = 20  # matching entries whose pointers are followed

_Followed = tuple[EntryMatch, float, Resolved[Section]]  # an entry's match, its strength, a pointer


class Answer:
    """The best candidates with their results, and what else the query brought to light."""

    def __init__(self, query: Query) -> None:
        self.query = query
        self.found = SearchHits()
        self.matches: tuple[EntryMatch, ...] = ()
        self.candidates: list[Candidate] = []
        self.confidence = 0.0
        self.results: list[Result] = []
        self.suppressed: list[Suppressed] = []
        self.refused: list[str] = []  # notes with a place in the answer that could not be read
        self.undated = False  # the first place that is shown is of none of the days asked for

    @property
    def wanted(self) -> frozenset[str]:
        """The stems that were looked for, and those that misspelt ones were taken for."""
        near = (stem for stems in self.found.corrections.values() for stem in stems)
        return self.query.stems.union(near)

    @property
    def route(self) -> str:
        """Who found the first result: ``index``, ``search``, ``both`` or ``none``."""
        if not self.results:
            return "none"
        first = self.candidates[0]
        if first.match and first.search:
            return "both"
        return "index" if first.match else "search"


class Snapshot(NamedTuple):
    """One moment of a workspace to ask questions of: its notes, its index, where entries point, and the clock."""

    library: Library
    words: IndexWords
    places: Places
    clock: DecayClock

    @property
    def hierarchy(self) -> Hierarchy:
        """The index as it was read."""
        return self.words.index


def snapshot(library: Library, words: IndexWords, clock: DecayClock) -> Snapshot:
    """A workspace as it is now."""
    return Snapshot(library, words, Places(words.index, library.cache, library.root), clock)


def ask(at: Snapshot, request: Request, boosts: Boosts | None = None) -> Answer:
    """The answer to a request; nothing is written. ``boosts`` are what anchors say to search.

    The steps: parse, match the entries, search, follow the entries' pointers, fuse, put first what answered
    such questions before, judge, select, mark retractions.
    """
    today = at.clock.now.date()
    query = read_query(request.text, today, at.library)
    answer = Answer(query)
    answer.matches = match_entries(at, query, request.mode)
    answer.found = search_text(at, query, max(SEARCHED, request.limit * 3), request.where, boosts)
    targets, answer.suppressed = follow_entries(at, answer, request)
    ranked = fuse_candidates(request.mode, answer.found.hits, targets)
    if request.mode == "hybrid":
        ranked = first_answered_before(at, query, ranked)
    answer.confidence = confidence_of(
        answer.found if request.mode != "index" else SearchHits(),
        max((one.worth for one in targets), default=0.0),
    )
    answer.candidates = permitted(at, _worth_showing(ranked, answer.confidence), request)
    notes = NoteReader(at.library)
    said = what_is_said(answer.candidates[:COMPARED], notes, today)
    later = superseding_of(said, query, today)
    # Who asks for days (how were deploys done in February) asks for what held then: nothing is moved.
    answer.candidates, said = current_first(answer.candidates, said, None if query.days else later)
    unlike = told_once(answer.candidates, [one.text for one in said])
    answer.refused = notes.refused
    best_is_gone = any(one.path in answer.refused for one in answer.candidates[:1])
    if says_nothing(query) or query.no_days or best_is_gone:
        answer.confidence = min(answer.confidence, UNSURE_TO)
    room = tokens_for(answer.confidence, request.tokens)
    budget = Budget(room, at.library.config.query.long_section_tokens)
    rows = shown(joined(unlike, request.limit), notes, budget, answer.wanted)
    answer.candidates = [row.candidate for row in rows]
    answer.undated = is_undated(at, answer)
    if answer.undated:
        answer.confidence = min(answer.confidence, UNSURE_TO)
    made = results(rows, at.library, at.places, at.clock)
    answer.results = list(marked(made, answer.candidates, said, later))
    if answer.results and lacks_value(query.text, answer.results[0].text):
        answer.confidence = min(answer.confidence, UNSURE_TO)
    return answer


def match_entries(at: Snapshot, query: Query, mode: str) -> tuple[EntryMatch, ...]:
    """The entries of the index that have words of the query, best first; none where only the text is searched."""
    if mode == "search":
        return ()
    matches = at.words.match(query, at.library.config.query.fuzzy_cutoff)
    if mode != "index":
        return matches
    from hippocampus_cli.query.entry_match import with_days

    return with_days(matches, at.hierarchy, query, at.library)


def search_text(
    at: Snapshot, query: Query, most: int, where: Filter, boosts: Boosts | None = None
) -> SearchHits:
    """The best sections by words, and by meaning where an embedder is configured."""
    return at.library.cache.search(query, most, where, meaning=at.library.meaning, boosts=boosts)


def follow_entries(
    at: Snapshot, answer: Answer, request: Request
) -> tuple[list[EntryTarget], list[Suppressed]]:
    """Where the entries that match lead; and those that are silent, or are broken."""
    bands = at.library.config.bands
    matches = [match for match in answer.matches if match.score >= MATCHED]
    passing = at.library.cache.paths_meeting(request.where) if request.where else None
    suppressed: list[Suppressed] = []
    followed: list[_Followed] = []
    for match in matches[:_REDIRECTED]:
        strength = at.clock.strength(match.located.entry)
        if kept := silent(match.located, strength, bands):
            suppressed.append(kept)
            continue
        if not _meets(match.located, request):
            continue
        resolved = list(at.places.follow(match.located))
        if passing is None and (lost := gone(match.located, strength, resolved)):
            suppressed.append(lost)
        followed += [
            (match, strength, target)
            for target in resolved
            if target.status in LEADS or target.status is Status.MISSING_SECTION
            if passing is None or target.path in passing
        ]
    return list(_targets(at, answer, followed)), suppressed


def _targets(at: Snapshot, answer: Answer, followed: Sequence[_Followed]) -> Iterator[EntryTarget]:
    """The sections that these pointers lead to, each with its entry's strength."""
    best = _best_in(at, {one.path for _, _, one in followed if one.section is None}, answer)
    for match, strength, target in followed:
        section = target.section or best.get(target.path)
        if section:
            yield EntryTarget(
                entry=match.located,
                match=match.score,
                strength=strength,
                path=target.path,
                section=section,
                whole=target.section is None,
                weak=strength < at.library.config.query.threshold,
                loose=target.status is Status.MISSING_SECTION,
            )


def _best_in(at: Snapshot, paths: set[str], answer: Answer) -> dict[str, Section]:
    """For each file the section that answers best; its first one where none has a word of the query."""
    best: dict[str, Section] = {}
    for hit in answer.found.hits:
        best.setdefault(hit.path, hit.section)
    missing = frozenset(paths - set(best))
    if missing:
        for hit in search_text(at, answer.query, len(missing) * 5, Filter(files=missing)).hits:
            best.setdefault(hit.path, hit.section)
    for path in paths - set(best):
        if sections := at.library.cache.sections_of(path):
            best[path] = sections[0]
    return best


def fuse_candidates(
    mode: str, hits: Sequence[SectionHit], targets: Sequence[EntryTarget]
) -> list[Candidate]:
    """The candidates of index and search together, best first; of one of them where the mode says so."""
    if mode == "search":
        found = from_search(hits)
        for one in found:
            one.score = one.search
        return found
    if mode == "index":
        return by_index(targets, {(hit.path, hit.section.ordinal): hit for hit in hits})
    return fuse(hits, targets)


def first_answered_before(
    at: Snapshot, query: Query, candidates: list[Candidate]
) -> list[Candidate]:
    """The candidates anew in order: those first that answered such questions before, where any were written down."""
    if not (at.library.root / JOURNAL).is_dir():
        return candidates
    from hippocampus_cli.query.earlier_questions import answered_before

    return answered_before(candidates, at.places, query.stems, at.clock.now)


def permitted(at: Snapshot, candidates: list[Candidate], request: Request) -> list[Candidate]:
    """The candidates that an entry with the tags and priorities asked for points at; all where none are."""
    if not request.by_entry:
        return candidates
    return [one for one in candidates if _is_permitted(at, one, request)]


def _is_permitted(at: Snapshot, candidate: Candidate, request: Request) -> bool:
    if candidate.entry and _meets(candidate.entry, request):
        return True
    for covering in at.places.covering(candidate.path, candidate.section):
        if _meets(covering.located, request):
            candidate.entry = covering.located
            return True
    return False


def is_undated(at: Snapshot, answer: Answer) -> bool:
    """Whether the place that is shown first is of none of the days asked for. It need not be search's first, nor
    one of its hits."""
    if not (answer.query.days and answer.candidates):
        return False
    first = answer.candidates[0]
    ordinals = {one.ordinal for one in (first.section, *first.also)}
    hits = [hit for hit in answer.found.hits if hit.path == first.path]
    if not ordinals.issubset(hit.section.ordinal for hit in hits):
        most = len(at.library.cache.sections_of(first.path) or ())
        hits += search_text(at, answer.query, most, Filter(files=frozenset((first.path,)))).hits
    return not any(hit.dated for hit in hits if hit.section.ordinal in ordinals)


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


def _worth_showing(ranked: list[Candidate], confidence: float) -> list[Candidate]:
    """The candidates that may answer; none where it is likely that nothing does."""
    if confidence < SHOWN_FROM:
        return []
    worth = [one for one in ranked if one.match >= MATCHED or one.coverage >= BARELY]
    return worth or [one for one in ranked if one.coverage >= HARDLY]


def _meets(located: Located, request: Request) -> bool:
    entry = located.entry
    if request.priorities and entry.pri.value not in request.priorities:
        return False
    return not request.tags or bool(request.tags & {tag.casefold() for tag in entry.tags})


def spelled_out(answer: Answer) -> dict[str, list[str]]:
    """What each misspelt word, as it was typed, was taken for, as it is spelled in the results.

    Search works on stems, and nobody typed ``applic``.
    """
    if not answer.found.corrections:
        return {}
    typed = spellings(answer.query.text[:MOST_TYPED])
    met: dict[str, str] = {}
    for result in answer.results:
        met = spellings(f"{result.section or ''} {result.text}") | met
    return {
        typed.get(stem, stem): [met.get(other, other) for other in others]
        for stem, others in answer.found.corrections.items()
    }
