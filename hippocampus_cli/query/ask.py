"""A question's way: parse, match the index, search the text, fuse, follow, cut to the budget (INDEX §4.3, §6).

A query's way: parse, match the index, search the text, fuse, follow, cut to the budget (INDEX §4.3, §6).

Corrections in words: search works on stems, and nobody typed ``applic``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

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
    Notes,
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
from hippocampus_cli.query.superseding import marked, what_is_said
from hippocampus_cli.search.filters import Filter
from hippocampus_cli.search.hits import Found, Leads, SectionHit
from hippocampus_cli.search.library import Library
from hippocampus_cli.search.query_parser import MOST_TYPED, Query, says_nothing
from hippocampus_cli.search.ranker import search
from hippocampus_cli.text.tokenizer import spellings
from hippocampus_cli.workspace.note import Section
from hippocampus_cli.workspace.resolve import Resolved, Status
from hippocampus_cli.workspace.sections import How

SEARCHED = 20  # sections that search offers for fusing
COMPARED = (
    14  # places that are compared with each other; 20 found no more on the fixture, and cost more
)
BARELY = 0.1  # share of the query below which a place is not even shown beside others
_REDIRECTED = 20  # matching entries whose pointers are followed


class Answer:
    """The best candidates with their results, and what else the query brought to light."""

    def __init__(self, query: Query) -> None:
        self.query = query
        self.found = Found()
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


class Asking:
    """One moment of a workspace to ask questions of: its notes, its index, and the clock."""

    def __init__(self, library: Library, words: IndexWords, clock: DecayClock) -> None:
        self.library = library
        self.words = words
        self.clock = clock

    def ask(self, request: Request, leads: Leads | None = None) -> Answer:
        """The answer to a request; nothing is written. ``leads`` are what anchors say to search."""
        config = self.library.config
        query = read_query(request.text, self.clock.now.date(), self.library)
        answer = Answer(query)
        if request.mode != "search":
            answer.matches = self.words.match(query, config.query.fuzzy_cutoff)
        if request.mode == "index":
            from hippocampus_cli.query.entry_match import with_days

            answer.matches = with_days(answer.matches, self.index, query, self.library)
        most = max(SEARCHED, request.limit * 3)
        answer.found = self._search(query, most, request.where, leads)
        led = list(self._led(answer, request))
        ranked = self._ranked(request.mode, answer.found.hits, led)
        match = max((one.worth for one in led), default=0.0)
        answer.confidence = confidence_of(
            answer.found if request.mode != "index" else Found(), match
        )
        answer.candidates = _worth_showing(ranked, answer.confidence)
        if request.by_entry:
            answer.candidates = [one for one in answer.candidates if self._permitted(one, request)]
        today = self.clock.now.date()
        notes = Notes(self.library)
        said = what_is_said(answer.candidates[:COMPARED], notes, today)
        unlike = told_once(answer.candidates, [one.text for one in said])
        answer.refused = notes.refused
        best_is_gone = any(one.path in answer.refused for one in answer.candidates[:1])
        if says_nothing(query) or query.no_days or best_is_gone:
            answer.confidence = min(answer.confidence, UNSURE_TO)
        room = tokens_for(answer.confidence, request.tokens)
        budget = Budget(room, config.query.long_section_tokens)
        rows = shown(joined(unlike, request.limit), notes, budget, answer.wanted)
        answer.candidates = [row.candidate for row in rows]
        answer.undated = self._undated(answer)
        if answer.undated:
            answer.confidence = min(answer.confidence, UNSURE_TO)
        made = results(rows, self.library, self.places, self.clock)
        answer.results = list(marked(made, answer.candidates, said, query, today))
        return answer

    def _search(self, query: Query, most: int, where: Filter, leads: Leads | None = None) -> Found:
        """The best sections by words, and by meaning where an embedder is configured."""
        library = self.library
        return search(library.cache, query, most, where, meaning=library.meaning, leads=leads)

    def _undated(self, answer: Answer) -> bool:
        """Whether the place that is shown first is of none of the days asked for. It need not be search's first, nor
        one of its hits."""
        if not (answer.query.days and answer.candidates):
            return False
        first = answer.candidates[0]
        at = {one.ordinal for one in (first.section, *first.also)}
        hits = [hit for hit in answer.found.hits if hit.path == first.path]
        if not at.issubset(hit.section.ordinal for hit in hits):
            most = len(self.library.cache.sections_of(first.path) or ())
            only = Filter(files=frozenset((first.path,)))
            hits += self._search(answer.query, most, only).hits
        return not any(hit.dated for hit in hits if hit.section.ordinal in at)

    @cached_property
    def places(self) -> Places:
        """The pointers of the index."""
        return Places(self.words.index, self.library.cache, self.library.root)

    @property
    def index(self) -> Hierarchy:
        return self.words.index

    def nearest(self, text: str, most: int = 3) -> tuple[str, ...]:
        """The topics of the index that read most like ``text``."""
        from rapidfuzz import fuzz, process

        topics = list(dict.fromkeys(located.entry.topic for located in self.index.entries))
        found = process.extract(
            text[:200].lower(),
            topics,
            scorer=fuzz.WRatio,
            processor=str.lower,
            limit=most,
            score_cutoff=50,
        )
        return tuple(topic for topic, _, _ in found)

    def _ranked(
        self, mode: str, hits: Sequence[SectionHit], led: list[EntryTarget]
    ) -> list[Candidate]:
        if mode == "search":
            found = from_search(hits)
            for one in found:
                one.score = one.search
            return found
        if mode == "index":
            return by_index(led, {(hit.path, hit.section.ordinal): hit for hit in hits})
        return fuse(hits, led)

    def _led(self, answer: Answer, request: Request) -> Iterator[EntryTarget]:
        """Where the entries that match lead; silent ones, and those that lead nowhere, are suppressed."""
        bands = self.library.config.bands
        matches = [match for match in answer.matches if match.score >= MATCHED]
        passing = self.library.cache.paths_meeting(request.where) if request.where else None
        heard = []
        for match in matches[:_REDIRECTED]:
            strength = self.clock.strength(match.located.entry)
            if kept := silent(match.located, strength, bands):
                answer.suppressed.append(kept)
                continue
            if not _meets(match.located, request):
                continue
            leads = list(self.places.follow(match.located))
            if passing is None and (lost := gone(match.located, strength, leads)):
                answer.suppressed.append(lost)
            heard.append((match, strength, leads))
        yield from self._follow(heard, answer, passing)

    def _follow(
        self,
        heard: Sequence[tuple[EntryMatch, float, list[Resolved[Section]]]],
        answer: Answer,
        passing: frozenset[str] | None,
    ) -> Iterator[EntryTarget]:
        """The sections that the pointers of these entries lead to, each with its entry's strength."""
        targets = [
            (match, strength, target)
            for match, strength, leads in heard
            for target in leads
            if target.status in LEADS or target.status is Status.MISSING_SECTION
            if passing is None or target.path in passing
        ]
        best = self._best_in({one.path for _, _, one in targets if one.section is None}, answer)
        for match, strength, target in targets:
            section = target.section or best.get(target.path)
            if section:
                yield EntryTarget(
                    entry=match.located,
                    match=match.score,
                    strength=strength,
                    path=target.path,
                    section=section,
                    whole=target.section is None,
                    weak=strength < self.library.config.query.threshold,
                    loose=target.status is Status.MISSING_SECTION or target.how is How.FUZZY,
                )

    def _best_in(self, paths: set[str], answer: Answer) -> dict[str, Section]:
        """For each file the section that answers best; its first one where none has a word of the query."""
        best: dict[str, Section] = {}
        for hit in answer.found.hits:
            best.setdefault(hit.path, hit.section)
        missing = frozenset(paths - set(best))
        if missing:
            most = len(missing) * 5
            for hit in self._search(answer.query, most, Filter(files=missing)).hits:
                best.setdefault(hit.path, hit.section)
        for path in paths - set(best):
            if sections := self.library.cache.sections_of(path):
                best[path] = sections[0]
        return best

    def _permitted(self, candidate: Candidate, request: Request) -> bool:
        if candidate.entry and _meets(candidate.entry, request):
            return True
        for covering in self.places.covering(candidate.path, candidate.section):
            if _meets(covering.located, request):
                candidate.entry, candidate.loose = covering.located, covering.loose
                return True
        return False


def _worth_showing(ranked: list[Candidate], confidence: float) -> list[Candidate]:
    """The candidates that may answer; none where it is likely that nothing does."""
    if confidence < SHOWN_FROM:
        return []
    return [one for one in ranked if one.match >= MATCHED or one.coverage >= BARELY]


def _meets(located: Located, request: Request) -> bool:
    entry = located.entry
    if request.priorities and entry.pri.value not in request.priorities:
        return False
    return not request.tags or bool(request.tags & {tag.casefold() for tag in entry.tags})


def spelled_out(answer: Answer) -> dict[str, list[str]]:
    """What each misspelt word, as it was typed, was taken for, as it is spelled in the results."""
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
