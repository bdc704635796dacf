"""A question put to a workspace: asked, answered, and what was used written back (INDEX §4.3, §6)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Container, Iterator
from datetime import datetime, timedelta
from functools import partial
from itertools import islice

from hippocampus_cli.errors import (
    FileUnreadable,
    HippoError,
    IndexNotFound,
)
from hippocampus_cli.index.decay import clock_for
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import plain_line
from hippocampus_cli.query.ask import Answer, ask, spelled_out
from hippocampus_cli.query.entry_match import IndexWords
from hippocampus_cli.query.places import Snapshot
from hippocampus_cli.query.request import HYBRID, Request, read_request, unused_tags
from hippocampus_cli.query.results import (
    BeliefShown,
    Earlier,
    QueryResult,
    Written,
    without_beliefs,
)
from hippocampus_cli.query.series import speaking_of
from hippocampus_cli.search.confidence import word_for
from hippocampus_cli.search.library import Library
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.workspace.own_files import BELIEFS, OUTDATED, WAITING
from hippocampus_cli.workspace.store import IndexStore

_GLANCE = 0.1  # seconds that a question waits for the lock to note that a memory is in its log
_EARLIER = 3  # places that may speak of the same
_LONGEST = 500  # characters of a memory that waits


class Inquirer:
    """Asks questions of one workspace, and keeps the words of its index from one to the next."""

    def __init__(
        self,
        store: IndexStore,
        library: Library,
        beliefs: Callable[..., tuple[BeliefShown, ...]],
    ) -> None:
        """``beliefs`` reads what is held in a folder about words, at a moment, with the rate at which it fades."""
        self.root = library.root
        self.config = library.config
        self.store = store
        self.library = library
        self._beliefs = beliefs
        self._words = IndexWords(Hierarchy({}))

    def recall(
        self,
        prompt: str,
        now: datetime,
        *,
        odds: float | None = None,
        limit: int = 3,
        tokens: int = 150,
    ) -> QueryResult | None:
        """What the memory has on a prompt that asks with these ``odds``, by default those of its own
        text; ``None`` where it is not likely to answer. Nothing is written back."""
        if odds is None:
            from hippocampus_cli.search.asking import asks  # no question needs it

            odds = asks(prompt)
        request = Request(prompt, (), self.config.query.mode, limit, tokens, odds=odds)
        found = self.ask(request, False, now)
        return found if found.results else None

    def earlier(self, text: str, own: Container[str], now: datetime) -> tuple[Earlier, ...]:
        """Up to three places that may speak of the same as ``text``, which stands in ``own`` places."""
        try:
            found = self.ask(Request(text, limit=_EARLIER + 1), False, now)
        except HippoError:  # it is written all the same
            return ()
        return tuple(islice(speaking_of(text, found.results, own), _EARLIER))

    def ask(
        self,
        request: Request,
        write: bool,
        now: datetime,
        later: bool = False,
        rival: float = -1,
    ) -> QueryResult:
        """The answer; with ``write`` what was used is written back, by upkeep if ``later``, but nothing where another
        tier has an answer of ``rival`` confidence that is as good. Raises as :meth:`Workspace.query`."""
        started = time.perf_counter()
        asked = read_request(request)
        snapshot = self._opened(asked, now)
        notices, indexed = snapshot.notices, not snapshot.notices
        answer = ask(snapshot, asked)
        notices += unused_tags(asked.tags, snapshot.index)
        notices += answer.found.notices
        notices += self._notices(snapshot)
        written: list[Written] = []
        if write and answer.confidence > rival:
            written = self._write_back(answer, snapshot, started, later, indexed=indexed)
        beliefs = self._held(asked, snapshot)
        return QueryResult(
            query=asked.text,
            mode=asked.mode,
            route=answer.route,
            results=answer.results,
            suppressed=answer.suppressed,
            written=tuple(written),
            tokens=sum(result.tokens for result in answer.results),
            full_scan_tokens=self.library.tokens,
            elapsed_ms=round((time.perf_counter() - started) * 1000, 2),
            corrections=spelled_out(answer),
            notices=tuple(notices),
            confidence=round(answer.confidence, 3),
            sure=word_for(answer.confidence),
            first=round(min(answer.confidence, answer.found.confidence.first), 3),
            missing=answer.found.missing,
            closest=answer.closest,
            today=now.date(),
            newest=snapshot.newest_day(),
            days=answer.query.readings,
            phrasings=asked.phrasings,
            beliefs=beliefs,
            waiting=tuple(self.waiting(now, write=write)),
        )

    def _write_back(
        self, answer: Answer, snapshot: Snapshot, started: float, later: bool, *, indexed: bool
    ) -> list[Written]:
        """What was written; a notice says why something was not. With ``later`` the index stays as it is, and upkeep
        counts what was used; without ``indexed`` there is none. ``started`` is when the question was asked
        (``time.perf_counter``)."""
        from hippocampus_cli.query import write_back

        now, index = snapshot.clock.now, snapshot.index
        event = write_back.event_of(answer, snapshot)
        note = partial(write_back.note, self.root, event) if self.config.query.journal else None
        missed: list[str] = []
        written: list[Written] = []
        if indexed and (index.entries or self.store.exists()):
            used = write_back.uses(answer, snapshot)
            missed = [use.id for use in used if isinstance(use, write_back.Use)]
            try:
                if used and not later:
                    change = partial(write_back.write, used, now, self.config.decay)
                    archive = len(missed) < len(used)  # what is new may only sleep
                    after = note and partial(note, now)
                    _, written = self.store.change(change, archive=archive, after=after, at=now)
                    return written
                self.store.require_whole(index)
            except HippoError as error:
                snapshot.notices.append(write_back.refusal(error))
        if missed:  # daily upkeep makes up for them, from the moment of writing on: it may have run meanwhile
            event["missed"] = missed
            now += timedelta(seconds=time.perf_counter() - started)
        if note:
            note(now, index, written)
        return written

    def waiting(self, now: datetime, *, write: bool = False) -> list[str]:
        """What was remembered and is not in its log, a line each, the newest last; with ``write`` it is noted what is
        there by now. Nothing is loaded where nothing is kept."""
        if not os.path.lexists(self.root / WAITING):
            return []
        from hippocampus_cli.entries.kept import review, settle, to_show

        kept = settle(self.root, now, _GLANCE) if write else review(self.root, now)[1]
        return [
            f"{memory.path} § {memory.heading}: {shorten(plain_line(memory.text), _LONGEST)}"
            for memory in to_show(self.root, kept)
        ]

    def _held(self, asked: Request, snapshot: Snapshot) -> tuple[BeliefShown, ...]:
        """What is held about it; nothing is loaded where there are no beliefs. They have a day, and meet no other
        condition."""
        where = asked.where
        if asked.tags or where.kinds or where.paths or not os.path.lexists(self.root / BELIEFS):
            return ()
        try:
            held = self._beliefs(self.root, asked.text, snapshot.clock.now, self.config.mind.rate)
        except HippoError as error:
            snapshot.notices.append(without_beliefs(error))
            return ()
        return tuple(b for b in held if where.has_days(day := b.since.toordinal(), day))

    def _notices(self, snapshot: Snapshot) -> Iterator[str]:
        """What a person should know of the notes and of the way they were searched."""
        yield from self.library.store.engine.take_notices()
        if self.library.meaning is not None:  # what its embedder has to say, once
            yield from self.library.meaning.take_notices()
        if snapshot.refused:  # it may stand there; what no search reads is said by hippo status
            yield f"could not be read: {', '.join(snapshot.refused)} (hippo check says why)"

    def _opened(self, request: Request, now: datetime) -> Snapshot:
        """The workspace now; where no index can be read, a notice says that only the text is searched."""
        index, lost = Hierarchy({}), ""
        try:
            index = self.store.read()
        except (IndexNotFound, FileUnreadable) as error:
            if request.mode == "index":
                raise
            if request.mode == HYBRID or error.code != IndexNotFound.code:
                lost = f"{error.message}: only the text was searched ({error.advice})"
        self.library.refresh()
        if self._words.index != index:  # kept from call to call while its files stay the same
            self._words = IndexWords(index)
        clock = clock_for(self._words.index, now, self.config.decay)
        snapshot = Snapshot(self.library, self._words, clock)
        snapshot.notices += filter(None, [lost])
        if os.path.lexists(self.root / OUTDATED):
            from hippocampus_cli.query.outdated import Marks

            snapshot.marks = Marks(self.root, request.text)
        return snapshot
