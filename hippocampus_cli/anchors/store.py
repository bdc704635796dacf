"""The anchors of one workspace on disk: built, kept up to date with the notes, looked up."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from hippocampus_cli.anchors import files, lookup_database
from hippocampus_cli.anchors.lookup_database import LookupDatabase, OpenDatabase
from hippocampus_cli.anchors.notebook import Notebook
from hippocampus_cli.errors import (
    AnchorsDamaged,
    AnchorsNotFound,
    AnchorsOfAnother,
    HippoError,
    UsageError,
)
from hippocampus_cli.search.hits import Boost
from hippocampus_cli.workspace.database import remove
from hippocampus_cli.workspace.file_table import FileStat, changes
from hippocampus_cli.workspace.own_files import ANCHOR_EMBEDS, CACHE, VECTORS, cache_path

if TYPE_CHECKING:
    from hippocampus_cli.anchors.build import Progress
    from hippocampus_cli.anchors.dense import Meaning, Vectoriser
    from hippocampus_cli.anchors.index import AnchorIndexed, Facts
    from hippocampus_cli.anchors.lookup import AnchorHit, AnchorIndex
    from hippocampus_cli.anchors.update import Updated
    from hippocampus_cli.config import Config
    from hippocampus_cli.config.settings import Embedding
    from hippocampus_cli.embedding.embedder import Opener


_FORMER_VECTORS = f"{CACHE}/anchor-vectors.db"


def vectoriser_for(root: Path, settings: Embedding, opener: Opener | None) -> Vectoriser | None:
    """What compares by meaning in the workspace at ``root``; ``None`` where no embedder is configured.

    Raises what opening the embedder raises.
    """
    if opener is None or settings.embedder == "none":
        return None
    embedder = opener(settings)
    if embedder is None:
        return None
    from hippocampus_cli.anchors.dense import Vectoriser
    from hippocampus_cli.embedding.vectors import VectorCache

    cache = VectorCache(cache_path(root, VECTORS), embedder, "anchor_vectors")
    with suppress(OSError):
        remove(root / _FORMER_VECTORS)
    return Vectoriser.of(embedder, settings.question_seconds, cache)


_T = TypeVar("_T")
_ROUNDS = 3  # of a lookup, where what it would show turns out to be changed each time


class BuildDone(NamedTuple):
    """A build: ``changed`` says whether the index is (or with a check: would be) other than before."""

    changed: bool
    anchors: int
    multi_word: int
    chunks: int
    files: int
    entries: int
    facts: Facts


class Looked(NamedTuple):
    """What a lookup found, the files it had to bring up to date first, and what a person should know."""

    hits: tuple[AnchorHit, ...]
    updated: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


class Standing(NamedTuple):
    """How the index stands against the notes: files that are other than it knows, new to it, or gone."""

    anchors: int
    multi_word: int
    chunks: int
    files: int
    bytes: int
    facts: Facts
    changed: tuple[str, ...]
    new: tuple[str, ...]
    gone: tuple[str, ...]


class AnchorStore:
    """The anchors of one workspace. Not for two threads at once. ``close`` when done."""

    def __init__(
        self,
        root: Path,
        config: Config,
        vectoriser: Vectoriser | None = None,
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        """``vectoriser`` is an embedder to compare by; ``clock`` gives nanoseconds since the epoch."""
        self.root = root
        self.config = config
        self._clock = clock
        self.book = Notebook(root, config, vectoriser, clock)
        self._held = OpenDatabase(root)
        self._index: tuple[str | None, LookupDatabase, AnchorIndex] | None = None

    @property
    def exists(self) -> bool:
        """Whether anchors were ever built here."""
        return files.exists(self.root)

    def close(self) -> None:
        """Let go of the files."""
        self._held.close()
        if self.book.vectoriser is not None:
            self.book.vectoriser.close()
        self._index = None

    def build(
        self, now: datetime, *, check: bool = False, progress: Progress | None = None
    ) -> BuildDone:
        """Build the index from all notes; with ``check`` only say whether that would change it.

        Raises :class:`FileUnreadable`, :class:`FileUnwritable`, :class:`Busy`; then nothing was changed.
        """
        from hippocampus_cli.anchors import build

        built = build.built(self.book, now, progress)
        changed = build.differs(self.root, built)
        if not check:
            self._held.healed(lambda twin: build.put(self.root, twin, built, self._timeout))
            self._index = None
            if self.book.vectoriser is not None:
                self.book.vectoriser.forget_others(built.compared)
        return _done(built.whole, changed)

    def update(self, paths: Iterable[str], now: datetime) -> Updated:
        """Bring these files up to date; one that is gone, or is no note any more, leaves the index.

        Nothing is written where nothing changed. Raises :class:`AnchorsNotFound`, :class:`AnchorsDamaged`,
        :class:`AnchorsForeign` where the embedder of the index is not at hand, :class:`FileUnwritable`,
        :class:`Busy`; then nothing was changed. Damaged files are built again first where that gives the same.
        """
        from hippocampus_cli.anchors import update

        self._require()
        wanted = sorted(set(paths))
        done, notices = self._whole(
            lambda twin: update.renewed(self.book, twin, wanted, now, self._timeout), now
        )
        return done._replace(notices=notices)

    def follow(self, found: Iterable[FileStat], now: datetime) -> Updated:
        """The same for whatever is new, changed or gone among ``found``, all the files of a scan."""
        self._require()
        stats = self.book.stats(found)
        diff, notices = self._whole(
            lambda twin: changes(self._stepped(twin).connection, sorted(stats.values())), now
        )
        done = self.update((one.path for files in diff for one in files), now)
        return done._replace(notices=(*notices, *done.notices))

    def lookup(
        self,
        text: str,
        now: datetime,
        *,
        project: str | None = None,
        expand_pronouns: bool = True,
        rerank: bool = True,
        nightly_only: bool = False,
    ) -> Looked:
        """The chunks that ``text`` leads to, verified against the files; see :meth:`AnchorIndex.lookup`.

        A changed file is brought up to date first, or where that cannot be, its hits are marked as stale. An embedder
        that does not answer soon leaves the words alone to decide, with a notice. Raises
        :class:`UsageError` for an empty text, :class:`AnchorsNotFound`, :class:`AnchorsDamaged`.
        """
        if not text.strip():
            advice = 'say something: hippo anchors lookup "how do we deploy it"'
            raise UsageError(reason="there is nothing to look up", advice=advice)
        self._require()
        done: list[str] = []
        notices: list[str] = []
        for left in range(_ROUNDS, -1, -1):
            hits, built = self._whole(
                lambda twin: self._lookup(twin).lookup(
                    text, project, expand_pronouns, rerank, nightly_only
                ),
                now,
            )
            notices += built
            stirred = self._stirred(dict.fromkeys(one.path for one in hits))
            if not stirred:
                break
            if problem := self.problem:  # new text would wait for the embedder again, and longer
                return self._stale(hits, stirred, done, problem)
            try:
                notices += self.update(stirred, now).notices
            except HippoError as error:
                return self._stale(hits, stirred, done, error.message)
            done.extend(stirred)
            if not left:
                why = "another program keeps writing to it"
                return self._stale(hits, stirred, done, why)
        return Looked(hits, tuple(done), (*notices, *self._notices()))

    def boosts(self, text: str) -> Mapping[str, list[Boost]]:
        """Where the anchors of ``text`` lead among the notes that are as the index knows them.

        For a query, which reads and changes no index: what was changed since is left out. All that an embedder is
        asked for has the time of a question. Raises :class:`AnchorsNotFound`, :class:`AnchorsDamaged`,
        :class:`EmbeddingFailed`.
        """
        self._require()
        vectoriser = self.book.vectoriser
        with vectoriser.hurried() if vectoriser else nullcontext():
            hits = self._held.healed(lambda twin: self._lookup(twin).leads(text))
        found: dict[str, list[Boost]] = {}
        for one in hits:
            found.setdefault(one.path, []).append(Boost(one.start_line, one.end_line, one.score))
        for path in self._stirred(found):
            del found[path]
        return found

    def index(self) -> AnchorIndex:
        """The index itself, up to date with its files but not with the notes: for many lookups in a row.

        Raises as :meth:`lookup`.
        """
        self._require()
        return self._held.healed(self._lookup)

    def status(self) -> Standing:
        """How the index stands. Nothing is changed. Raises as :meth:`lookup`."""
        self._require()
        stats = self.book.stats(self.book.scan().files)
        twin = self._held.healed(self._stepped)
        known = twin.seen()
        size = sum(len(one) for one in files.read(self.root) if one)
        return Standing(
            *twin.counts(),
            size,
            lookup_database.facts_of(twin),
            tuple(self._stirred(path for path in stats if path in known)),
            tuple(path for path in stats if path not in known),
            tuple(sorted(known.keys() - stats.keys())),
        )

    def _whole(
        self, work: Callable[[LookupDatabase], _T], now: datetime
    ) -> tuple[_T, tuple[str, ...]]:
        """``work`` on the twin, and what to say where the files were damaged and had to be built again before.

        They are made of the notes alone. Not where the vectors themselves are damaged, or no embedder is at hand for
        anchors that were built with one: then a build costs more than a moment, and is to be asked for.
        """
        try:
            return self._held.healed(work), ()
        except AnchorsDamaged as error:
            if isinstance(error, AnchorsOfAnother) or error.path == ANCHOR_EMBEDS:
                raise
            vectors = files.has_vectors(self.root)
            if vectors and self.book.vectoriser is None:
                raise
            try:
                self._build_again(now, self.book.vectoriser if vectors else None)
            except HippoError:  # a read-only medium, say: what is wrong is still the damage
                raise error from None
            return self._held.healed(work), (f"{error.message}; built again from the notes",)

    def _build_again(self, now: datetime, vectoriser: Vectoriser | None) -> None:
        from hippocampus_cli.anchors import build

        book = Notebook(self.root, self.config, vectoriser, self._clock)
        built = build.built(book, now, None)
        self._held.healed(lambda twin: build.put(self.root, twin, built, self._timeout))
        self._index = None

    @property
    def _timeout(self) -> float:
        return self.config.lock.timeout_seconds

    def _require(self) -> None:
        if not self.exists:
            raise AnchorsNotFound

    def _stepped(self, twin: LookupDatabase) -> LookupDatabase:
        lookup_database.catch_up(self.root, twin, self.book, self._timeout)
        return twin

    def _lookup(self, twin: LookupDatabase) -> AnchorIndex:
        """The index over ``twin``, kept for as long as that is the twin of the same files."""

        self._stepped(twin)
        version = lookup_database.version_of(twin)
        if self._index is None or self._index[0] != version or self._index[1] is not twin:
            self._index = version, twin, _index_over(self.book, twin)
        return self._index[2]

    def _stirred(self, paths: Iterable[str]) -> list[str]:
        """Those of ``paths`` whose text is other than the twin knows, or that are gone."""
        from hippocampus_cli.anchors.update import stirred

        return self._held.healed(lambda twin: stirred(self.book, twin, paths))

    def _stale(
        self,
        hits: Sequence[AnchorHit],
        stirred: Sequence[str],
        done: Sequence[str],
        why: str,
    ) -> Looked:
        """The hits as they are, those of changed files marked, those of files that are gone left out."""
        kept = tuple(
            one._replace(stale=True) if one.path in stirred else one
            for one in hits
            if one.path not in stirred or (self.root / one.path).is_file()
        )
        others = [one for one in self._notices() if one != why]
        return Looked(kept, tuple(done), (f"not updated: {why}", *others))

    @property
    def problem(self) -> str:
        """Why messages are compared by words alone, though the embedder is at hand; else empty."""
        return self._index[2].problem if self._index else ""

    def _notices(self) -> tuple[str, ...]:
        if problem := self.problem:
            return (problem,)
        name = self._held.healed(lookup_database.facts_of).embedder
        if name == "none" or self.book.makes_vectors(name):
            return ()
        return (
            f"the anchors were built with {name}, which is not available: only words are compared",
        )


def _index_over(book: Notebook, twin: LookupDatabase) -> AnchorIndex:
    """The index over a twin that is up to date. Raises :class:`AnchorsDamaged`, ``UsageError`` for a pattern."""
    from hippocampus_cli.anchors.lookup import AnchorIndex, Bounds

    settings, facts = book.config.anchors, lookup_database.facts_of(twin)
    allowed = None
    if settings.allow:
        from hippocampus_cli.workspace.ignore import matcher

        allowed = matcher(settings.allow)
    bounds = Bounds(settings.max_chunks, settings.per_file, allowed, settings.deny)
    return AnchorIndex(twin, facts.average, bounds, _meaning(book, twin, facts))


def _meaning(book: Notebook, twin: LookupDatabase, facts: Facts) -> Meaning | None:
    if book.vectoriser is None or not book.makes_vectors(facts.embedder):
        return None
    from hippocampus_cli.anchors.dense import Meaning

    embeds = files.read(book.root).embeds
    try:
        return Meaning(twin, embeds or b"", book.vectoriser, facts.sem_theta)
    except ValueError as error:
        reason = "it does not hold the anchors' vectors"
        raise AnchorsDamaged(path=ANCHOR_EMBEDS, reason=reason) from error


def _done(index: AnchorIndexed, changed: bool) -> BuildDone:
    entries = sum(map(len, index.lists.values()))
    counts = (len(index.anchors), index.multi_word, index.chunks, len(index.files))
    return BuildDone(changed, *counts, entries, index.facts)
