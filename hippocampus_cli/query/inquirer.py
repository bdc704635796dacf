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
from hippocampus_cli.query.fusion import Candidate
from hippocampus_cli.query.request import Request, parse_request, text_asked
from hippocampus_cli.query.results import (
    WAITING,
    BeliefShown,
    QueryResult,
    Result,
    Written,
    without_beliefs,
)
from hippocampus_cli.search.hits import Boosts
from hippocampus_cli.search.library import Library
from hippocampus_cli.workspace.own_files import ANCHOR_INDEX, BELIEFS, FORGOTTEN
from hippocampus_cli.workspace.own_files import WAITING as KEPT_MEMORIES
from hippocampus_cli.workspace.store import IndexStore

if TYPE_CHECKING:
    from hippocampus_cli.anchors.store import AnchorStore
    from hippocampus_cli.index.edit import Draft

HYBRID = "hybrid"
_GLANCE = 0.1  # seconds that a question waits for the lock to note that a memory is in its log
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
        results, confidence = self._with_waiting(answer, request, now, write=write)
        return QueryResult(
            query=asked.text,
            mode=request.mode,
            route=answer.route,
            results=results,
            suppressed=tuple(answer.suppressed),
            written=tuple(written),
            tokens=sum(result.tokens for result in results),
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
            confidence=round(confidence, 3) if results else 0.0,
            sure=word_for(confidence) if results else NOTHING,
            nearest=() if results else nearest_topics(at.hierarchy, request.text),
            days=answer.query.readings,
            conditions=conditions,
            beliefs=held,
        )

    def _with_waiting(
        self, answer: Answer, request: Request, now: datetime, *, write: bool
    ) -> tuple[tuple[Result, ...], float]:
        """The results and the confidence in them, with what waits to be written into its log; nothing is loaded where
        nothing is kept."""
        if not os.path.lexists(self.root / KEPT_MEMORIES):
            return tuple(answer.results), answer.confidence
        from hippocampus_cli.entries.kept import review, settle, to_show
        from hippocampus_cli.query.waiting import LIKELY, with_waiting

        kept = settle(self.root, now, _GLANCE) if write else review(self.root, now)[1]
        shown = to_show(self.root, kept)
        results = with_waiting(answer.results, shown, answer.query, request)
        found = any(one.source == WAITING for one in results)
        return results, max(answer.confidence, LIKELY) if found else answer.confidence

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
        return clock_for(index, now, self.config.decay)

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
        from hippocampus_cli.workspace.redaction import redactor_for

        asked = redactor_for(self.root).redact(answer.query.text)
        answer.query = answer.query._replace(text=asked)
        notices: list[str] = []
        missed: list[str] = []

        noted = (
            write_back.noting(self.root, answer, at.places) if self.config.query.journal else None
        )
        if indexed and (at.hierarchy.entries or self.store.exists()):
            used = write_back.uses(answer, at.places, self.config, self._draft(at))

            change = write_back.change_of(used, now, self.config.decay)
            try:
                if later:
                    missed = [one.key for one in used if one.key]
                elif used:
                    creates = any(one.key is None for one in used)
                    after = noted and noted(now)
                    return self.store.change(change, archive=creates, after=after)[1], notices
                else:
                    self.store.require_whole(at.hierarchy)
            except HippoError as error:
                missed = [one.key for one in used if one.key]  # daily upkeep makes up for them
                notices.append(_of_refusal(error))
        if noted:
            if missed:  # upkeep goes by the moment of writing: it may have run while this waited
                now += timedelta(seconds=time.perf_counter() - started)
            noted(now, missed)(at.hierarchy, [])
        return [], notices

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
