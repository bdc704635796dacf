"""A question put to a workspace: asked, answered, and what was used written back (INDEX §4.3, §6)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.config import Config
from hippocampus_cli.errors import (
    EmbeddingFailed,
    FileUnreadable,
    FileUnwritable,
    HippoError,
    IndexNotFound,
    IndexRefused,
    IndexShrunk,
    UsageError,
    words_only,
)
from hippocampus_cli.index.decay import DecayClock, clock_for
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Source
from hippocampus_cli.index.parse import parse
from hippocampus_cli.query.ask import Answer, Snapshot, ask, nearest_topics, snapshot, spelled_out
from hippocampus_cli.query.confidence import NOTHING, word_for
from hippocampus_cli.query.entry_match import IndexWords
from hippocampus_cli.query.fusion import Candidate, Places
from hippocampus_cli.query.request import Request, parse_request, text_asked
from hippocampus_cli.query.results import BeliefShown, QueryResult, Result, Written, without_beliefs
from hippocampus_cli.search.hits import Boosts
from hippocampus_cli.search.library import Library
from hippocampus_cli.workspace.own_files import ANCHOR_INDEX, BELIEFS, FORGOTTEN
from hippocampus_cli.workspace.sections import pointer_name
from hippocampus_cli.workspace.store import IndexStore
from hippocampus_cli.workspace.version_control import checkout_stamp

if TYPE_CHECKING:
    from hippocampus_cli.anchors.store import AnchorStore
    from hippocampus_cli.index.edit import Draft

HYBRID = "hybrid"
_NAMED = 3  # of the notes that could not be read
MODES = ("index", "search", HYBRID)
Beliefs = Callable[[str, datetime, bool], Sequence[BeliefShown]]
"""What is held about words at a moment, marked for review where the third says so."""


class Inquirer:
    """Asks questions of one workspace, and keeps the words of its index from one to the next."""

    def __init__(
        self,
        root: Path,
        config: Config,
        store: IndexStore,
        library: Library,
        anchors: Callable[[], AnchorStore] | None = None,
        beliefs: Beliefs | None = None,
    ) -> None:
        """``anchors`` opens the anchors of the workspace, where there are any; ``beliefs`` reads what is held."""
        self.root = root
        self._anchors = anchors
        self._beliefs = beliefs
        self.config = config
        self.store = store
        self.library = library
        self._words = IndexWords(Hierarchy(parse("")))

    def find(
        self, text: str, now: datetime, *, limit: int, tokens: int | None = None
    ) -> QueryResult:
        """The answer to ``text`` alone, which counts as no retrieval: nothing is written back."""
        settings = self.config.query
        request = Request(text, settings.mode, limit, tokens or settings.tokens)
        return self.ask(request, False, now)

    def ask(
        self, request: Request, write: bool, now: datetime, *, later: bool = False
    ) -> QueryResult:
        """The answer; with ``write`` what was used is written back, by upkeep if ``later``. Raises as
        :meth:`Workspace.query`."""
        started = time.perf_counter()
        request = request._replace(text=text_asked(request.text))
        _check(request)
        request, conditions, odd = parse_request(asked := request, now.date())
        _check_words(request)
        at, unindexed = self._opened(request, now)
        boosts, warnings = self._boosts(request)
        answer = ask(at, request, boosts)
        written, notices = (
            self._write_back(answer, at, now, started, later=later, indexed=not unindexed)
            if write
            else ([], [])
        )
        held, unread = self._held(request.text, now, write)
        return QueryResult(
            query=asked.text,
            mode=request.mode,
            route=answer.route,
            results=tuple(answer.results),
            suppressed=tuple(answer.suppressed),
            written=tuple(written),
            tokens=sum(result.tokens for result in answer.results),
            full_scan_tokens=self.library.tokens,
            elapsed_ms=round((time.perf_counter() - started) * 1000, 2),
            corrections=spelled_out(answer),
            notices=(
                *odd,
                *unindexed,
                *self._of_forgotten(answer),
                *_of_days(answer),
                *self._of_meaning(),
                *warnings,
                *self._unread(answer),
                *notices,
                *unread,
            ),
            confidence=round(answer.confidence, 3) if answer.results else 0.0,
            sure=word_for(answer.confidence) if answer.results else NOTHING,
            nearest=() if answer.results else nearest_topics(at.hierarchy, request.text),
            days=answer.query.readings,
            conditions=conditions,
            beliefs=held,
        )

    def _of_forgotten(self, answer: Answer) -> list[str]:
        """Why nothing was found that may stand in a note after all; nothing is loaded where nothing was forgotten."""
        if answer.results or not os.path.lexists(self.root / FORGOTTEN):
            return []
        from hippocampus_cli.redaction.redactor import FORGOTTEN_SIGN
        from hippocampus_cli.workspace.redaction import redactor_for

        if FORGOTTEN_SIGN not in redactor_for(self.root).redact(answer.query.text):
            return []
        return [
            "words of the question were forgotten (hippo forget --list): no question finds them"
        ]

    def _held(
        self, words: str, now: datetime, write: bool
    ) -> tuple[tuple[BeliefShown, ...], list[str]]:
        """What is held about it, marked for review with ``write``, and why that could not be read; nothing is loaded
        where there are no beliefs."""
        if self._beliefs is None or not os.path.lexists(self.root / BELIEFS):
            return (), []
        try:
            return tuple(self._beliefs(words, now, write)), []
        except HippoError as error:
            return (), [without_beliefs(error)]

    def _boosts(self, request: Request) -> tuple[Boosts | None, list[str]]:
        """Where anchors lead, if any were built and the query is one for everything that is known; and a notice
        where they are of no use."""
        wanted = request.mode == HYBRID and self.config.anchors.use_in_query
        if not wanted or self._anchors is None or not os.path.lexists(self.root / ANCHOR_INDEX):
            return None, []
        try:
            keeper = self._anchors()
            return keeper.boosts(request.text), self._told_of(keeper.problem)
        except EmbeddingFailed as error:
            return None, self._told_of(words_only(error))
        except HippoError as error:
            return None, [f"asked without the anchors: {error.message} ({error.advice})"]

    def _unread(self, answer: Answer) -> list[str]:
        """That some notes were not searched, or could not be shown."""
        unread = sorted({*self.library.unread(), *answer.refused})
        if not unread:
            return []
        named = ", ".join(unread[:_NAMED]) + (", …" if len(unread) > _NAMED else "")
        notes = "1 note" if len(unread) == 1 else f"{len(unread):,} notes"
        return [f"{notes} could not be read: {named} (hippo status says why)"]

    def _told_of(self, problem: str) -> list[str]:
        """``problem`` is why anchors got no vector: the search need not wait for the same embedder in its turn."""
        if not problem:
            return []
        if self.library.meaning is None:
            return [problem]
        self.library.meaning.give_up(problem)
        return []

    def _of_meaning(self) -> list[str]:
        """What a person should know of the embedder, once."""
        if self.library.meaning is None:
            return []
        notices, self.library.meaning.notices = self.library.meaning.notices, []
        return notices

    def _opened(self, request: Request, now: datetime) -> tuple[Snapshot, list[str]]:
        """The workspace now; and where no index can be read, that only the text is searched."""
        try:
            return self._snapshot(self.store.read(), now), []
        except (IndexNotFound, FileUnreadable) as error:
            if request.mode == "index":
                raise
            told = [f"{error.message}: only the text was searched ({error.advice})"]
            is_told = request.mode == HYBRID or error.code != IndexNotFound.code
            return self._snapshot(Hierarchy(parse("")), now), told if is_told else []

    def _snapshot(self, index: Hierarchy, now: datetime) -> Snapshot:
        self.library.refresh()
        words = self._index_words(index)
        return snapshot(self.library, words, self._clock(words.index, now))

    def _clock(self, index: Hierarchy, now: datetime) -> DecayClock:
        if not self.config.decay.learn:
            return clock_for(index, now, self.config.decay)
        from hippocampus_cli.workspace.learned_decay import clock_at

        return clock_at(self.root, index, now, self.config.decay)

    def _index_words(self, index: Hierarchy) -> IndexWords:
        """The words of the index, kept from call to call while its files stay the same."""
        if self._words.index != index:
            self._words = IndexWords(index)
        return self._words

    def _write_back(
        self,
        answer: Answer,
        at: Snapshot,
        now: datetime,
        started: float,
        *,
        later: bool,
        indexed: bool,
    ) -> tuple[list[Written], list[str]]:
        from hippocampus_cli.query import write_back
        from hippocampus_cli.workspace.journal import record
        from hippocampus_cli.workspace.redaction import redactor_for

        asked = redactor_for(self.root).redact(answer.query.text)
        answer.query = answer.query._replace(text=asked)
        written: list[Written] = []
        notices: list[str] = []
        missed: list[str] = []
        hits: dict[str, int] = {}
        if indexed and self.store.exists():
            used = write_back.uses(answer, at.places, self.config, self._draft(at))

            change = write_back.change_of(used, now, self.config.decay)
            try:
                if later:
                    missed = [one.key for one in used if one.key]
                elif used:
                    creates = any(one.key is None for one in used)
                    index, written = self.store.change(change, archive=creates)
                    hits = _hits(index, written)
                else:
                    self.store.require_whole(at.hierarchy)
            except HippoError as error:
                missed = [one.key for one in used if one.key]  # daily upkeep makes up for them
                notices.append(_of_refusal(error))
        if self.config.query.journal:
            if missed:  # upkeep goes by the moment of writing: it may have run while this waited
                now += timedelta(seconds=time.perf_counter() - started)
            event = _event(answer, written, missed, at.places)
            if hits:
                event |= {"hits": hits, "checkout": checkout_stamp(self.root)}
            record(self.root, now, event)
        return written, notices

    def _draft(self, at: Snapshot) -> Callable[[Candidate], Draft | None]:
        """Drafts an entry for a section that search found and the index did not (decision D15)."""

        def draft(one: Candidate) -> Draft | None:
            from hippocampus_cli.entries.draft import Drafter
            from hippocampus_cli.entries.passages import section_passage
            from hippocampus_cli.index.pointers import can_be_named
            from hippocampus_cli.workspace.kinds import date_of, kind_of

            note = self.library.source(one.path)
            today = at.clock.now.date()
            section = next((s for s in note.sections if s.ordinal == one.section.ordinal), None)
            if section is None:
                return None
            day = date_of(note.path) or today
            passage = section_passage(note, kind_of(note.path), day, section)
            drafter = Drafter(
                at.clock, tags=self.config.bootstrap.tags, tokens=self.config.index.entry_tokens
            )
            made = drafter.draft(passage, ids=at.hierarchy.ids, src=Source.RETRIEVAL)
            if not can_be_named(made.pointers[0]):
                return None
            base = at.clock.rates.initial
            return made.replaced(created=today, accessed=today, strength=base, base=base, hits=1)

        return draft


def _of_refusal(error: HippoError) -> str:
    """Why what was used is not written back, and where the index itself is the reason, what to do."""
    if isinstance(error, FileUnwritable):
        return f"not written back: {error.facts.get('reason', error.message)}"
    if isinstance(error, IndexShrunk):
        return f"not written back: {error.message} ({error.advice})"
    where = f"{error.where}: " if isinstance(error, IndexRefused) and error.line else ""
    return f"not written back: {where}{error.message}"


def _of_days(answer: Answer) -> list[str]:
    """Which days there are none of, and that the first place is of none of those asked for."""
    none = [f"there is no {one!r}: searched as words" for one in answer.query.no_days]
    if not (answer.results and answer.undated):
        return none
    asked = ", ".join(reading.words for reading in answer.query.readings)
    return [*none, f"the first place is not of the days asked for ({asked})"]


def _event(
    answer: Answer, written: list[Written], missed: list[str], places: Places
) -> dict[str, object]:
    event: dict[str, object] = {
        "query": answer.query.text[:500],
        "route": answer.route,
        "results": [
            [one.path, _answering(place, one, places), one.entry]
            for place, one in zip(answer.candidates, answer.results, strict=True)
        ],
        "used": [one.entry for one in written if one.change != "tagged"],
    }
    return {**event, "missed": missed} if missed else event


def _hits(index: Hierarchy, written: list[Written]) -> dict[str, int]:
    """How many hits each entry has now that was used: upkeep sees by that if somebody overwrites them."""
    found = {
        one.entry: index.find(one.entry) for one in written if one.change in ("hit", "created")
    }
    return {key: one.entry.hits for key, one in found.items() if one}


def _answering(place: Candidate, shown: Result, places: Places) -> str | None:
    """The name of the section that answers: what is shown may begin in another one before it."""
    if place.section.start <= shown.start_line <= place.section.end:
        return shown.section
    return pointer_name(places.sections_of(place.path) or (), place.section)


def _check(request: Request) -> None:
    if not request.text:
        raise UsageError(
            reason="the query is empty", advice='ask for something: hippo query "deploy command"'
        )
    if request.mode not in MODES:
        raise UsageError(
            reason=f"unknown mode {request.mode!r}", advice=f"use one of {', '.join(MODES)}"
        )
    if any(not isinstance(most, int) or most < 1 for most in (request.limit, request.tokens)):
        raise UsageError(
            reason="limit and tokens must be whole numbers from 1 up",
            advice="leave them out for the defaults",
        )


def _check_words(request: Request) -> None:
    if not request.text:
        raise UsageError(
            reason="the query has conditions and no words",
            advice="say what to look for too; hippo list --tag TAG shows all entries with a tag",
        )
