"""A build (ANCHOR, ``build-index.py``): all notes read, the whole index worked out, its files and database replaced.

Scores of words and of any two embedders lie on different scales, so ANCHOR's threshold of 0.80 fits one model only.
Here pairs of an anchor and a chunk that does not name it are drawn at random, and the threshold is the score that all
but a few of them stay below. A chunk in a list names its anchor, or is as like it as hardly any other.
"""

from __future__ import annotations

import contextlib
import random
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli.anchors import files, lookup_database
from hippocampus_cli.anchors.chunks import (
    Chunk,
    Corpus,
    Size,
    TokenizedChunk,
    average_length,
    chunks_of,
    worded,
)
from hippocampus_cli.anchors.extract import (
    INDEX,
    Anchor,
    Gathered,
    Term,
    named,
    terms_of,
    vocabulary,
    weighed,
)
from hippocampus_cli.anchors.index import AnchorIndexed, Entry, Facts, FileRecord, entry_of, hash_of
from hippocampus_cli.anchors.lookup_database import FileText, LookupDatabase
from hippocampus_cli.anchors.notebook import Notebook
from hippocampus_cli.anchors.similarity import NONE, ByWords, Likeness
from hippocampus_cli.errors import HippoError
from hippocampus_cli.workspace.database import transaction
from hippocampus_cli.workspace.file_table import Seen
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import ANCHORS_LOCK
from hippocampus_cli.workspace.store import IndexStore

if TYPE_CHECKING:
    from hippocampus_cli.anchors.dense import Vectoriser
    from hippocampus_cli.config.settings import Anchors as Settings
    from hippocampus_cli.embedding.embedder import Vectors
    from hippocampus_cli.workspace.note import Note


EXPANSIONS = 5
"""The anchors by meaning that a message has on average."""
MESSAGES = 100
"""Beginnings of chunks that stand for messages, to see how like anchors messages are."""
_ANCHORS, _CHUNKS = 200, 100  # the size of the draw: 20,000 pairs at most
_SEED = 20_260_415
_FLOOR = 0.02  # where such pairs share nothing at all, some score above 0 is still asked for


class Calibration(NamedTuple):
    """``theta`` is the least score in a list; ``pairs`` were drawn, ``mean`` is their average score."""

    theta: float
    pairs: int
    mean: float


def calibrated(
    likeness: Likeness, anchors: Sequence[Anchor], words: Sequence[TokenizedChunk]
) -> Calibration:
    """The threshold of a build over chunks with these stems; the same for the same notes."""
    pairs = _pairs(anchors, [one.stems for one in words])
    if not pairs:
        return Calibration(_FLOOR, 0, 0.0)
    scores = likeness.sample(anchors, pairs)
    theta = max(_FLOOR, quantile(scores, 1.0 - likeness.above))
    return Calibration(round(theta, 4), len(pairs), round(sum(scores) / len(scores), 4))


def quantile(values: Sequence[float], share: float) -> float:
    """The value that ``share`` of ``values`` do not exceed; 0 without any."""
    ordered = sorted(values)
    if not ordered:
        return 0.0
    return ordered[min(len(ordered) - 1, max(0, round(share * (len(ordered) - 1))))]


def _pairs(anchors: Sequence[Anchor], stems: Sequence[frozenset[str]]) -> list[tuple[int, int]]:
    """Anchors with chunks that do not hold all of their stems, by their numbers."""
    if not stems:
        return []
    dice = random.Random(_SEED)
    some = sorted(dice.sample(range(len(anchors)), min(_ANCHORS, len(anchors))))
    drawn = ((one, dice.randrange(len(stems))) for one in some for _ in range(_CHUNKS))
    return [(one, chunk) for one, chunk in drawn if not stems[chunk].issuperset(anchors[one].own)]


Progress = Callable[[int, int], object]


class ReadNote(NamedTuple):
    """A note, and how its file looked when it was read."""

    note: Note
    seen: Seen


class Built(NamedTuple):
    """A whole index, its vectors' file where there is an embedder, and the texts that its twin is filled with.

    ``compared`` are the texts whose vectors the next build asks for, if it is of the same notes.
    """

    whole: AnchorIndexed
    embeds: bytes | None
    texts: dict[str, FileText]
    compared: Sequence[str] = ()


class _Gathering(NamedTuple):
    """The notes taken apart."""

    files: dict[str, FileRecord]
    seen: dict[str, Seen]
    chunks: list[Chunk]
    words: list[TokenizedChunk]
    terms: Gathered


def build(
    notes: Iterable[ReadNote],
    names: Iterable[Term],
    settings: Settings,
    vectoriser: Vectoriser | None,
    built_at: str,
    progress: Progress | None = None,
) -> Built:
    """The index of ``notes``; ``names`` are anchors that come from elsewhere.

    The same for the same notes, whatever was built before. ``progress`` is told how much of the comparing is done.
    """
    taken = _taken_apart(notes, names, Size(settings.chunk_tokens, settings.min_tokens))
    average = round(average_length(taken.words), 2)
    corpus = Corpus(taken.words, average)
    terms = vocabulary(taken.terms, corpus, settings.max_anchors, settings.deny)
    steps = _Steps(2 * len(terms), progress)
    anchors = weighed(terms, corpus, steps)
    words = ByWords(corpus)
    meaning = _Meaning.of(anchors, taken.chunks, words, vectoriser) if vectoriser else None
    likeness = meaning.likeness if meaning else words
    found = calibrated(likeness, anchors, taken.words)
    facts = Facts(
        built_at=built_at,
        updated_at=None,
        embedder=likeness.name if meaning else NONE,
        theta=found.theta,
        sem_theta=meaning.threshold() if meaning else 0.0,
        pairs=found.pairs,
        mean=found.mean,
        average=average,
        k=settings.k,
        k_max=settings.k_max,
        chunk_tokens=settings.chunk_tokens,
        min_tokens=settings.min_tokens,
    )
    lists = dict(_lists(anchors, likeness, taken.chunks, facts, steps))
    kept = [anchor for anchor in anchors if anchor.text in lists]
    index = AnchorIndexed(facts, taken.files, {one.text: one for one in kept}, lists)
    embeds, compared = (meaning.file(kept), meaning.compared) if meaning else (None, ())
    return Built(index, embeds, dict(_texts(taken, meaning)), compared)


class _Steps:
    """Counts steps of the work, and tells of every fiftieth."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self._done, self._total, self._progress = 0, total, progress

    def __call__(self) -> None:
        self._done += 1
        if self._progress and self._done % 50 == 0:
            self._progress(self._done, self._total)


class _Meaning(NamedTuple):
    """The vectors of a build, in the order of its anchors and chunks."""

    texts: Sequence[str]
    anchors: Vectors
    chunks: Vectors
    messages: Vectors
    likeness: Likeness
    compared: Sequence[str]

    @classmethod
    def of(
        cls,
        anchors: Sequence[Anchor],
        chunks: Sequence[Chunk],
        words: ByWords,
        vectoriser: Vectoriser,
    ) -> _Meaning:
        from hippocampus_cli.anchors.chunks import spread
        from hippocampus_cli.anchors.dense import ByVectors

        texts = [one.text for one in anchors]
        named = vectoriser.vectors(texts)
        meant = vectoriser.vectors(whole := [one.text for one in chunks])
        some = [chunks[at].preview for at in spread(range(len(chunks)), MESSAGES)]
        messages = vectoriser.vectors(some)
        likeness = ByVectors(vectoriser.name, named, meant, words)
        return cls(texts, named, meant, messages, likeness, [*texts, *whole, *some])

    def threshold(self) -> float:
        from hippocampus_cli.anchors.dense import expansion_threshold

        return expansion_threshold(self.anchors, self.messages)

    def file(self, kept: Sequence[Anchor]) -> bytes:
        from hippocampus_cli.anchors.dense import packed

        numbers = {text: number for number, text in enumerate(self.texts)}
        return packed([one.text for one in kept], self.anchors[[numbers[one.text] for one in kept]])

    def blobs(self) -> list[bytes]:
        from hippocampus_cli.anchors.dense import blobs

        return blobs(self.chunks)


def _taken_apart(notes: Iterable[ReadNote], names: Iterable[Term], size: Size) -> _Gathering:
    taken = _Gathering({}, {}, [], [], Gathered())
    for note, seen in notes:
        chunks = chunks_of(note, size)
        spans = tuple(one.span for one in chunks)
        taken.files[note.path] = FileRecord(hash_of(note.text), spans)
        taken.seen[note.path] = seen
        taken.chunks.extend(chunks)
        taken.words.extend(map(worded, chunks))
        taken.terms.add(terms_of(note), [one.text for one in chunks])
    taken.terms.add(names, ())
    return taken


def _lists(
    anchors: Sequence[Anchor],
    likeness: Likeness,
    chunks: Sequence[Chunk],
    facts: Facts,
    steps: _Steps,
) -> Iterator[tuple[str, tuple[Entry, ...]]]:
    for anchor, best in zip(anchors, likeness.best(anchors, facts.k, facts.theta), strict=True):
        if best:
            yield anchor.text, tuple(entry_of(chunks[one.chunk], one.score) for one in best)
        steps()


def _texts(taken: _Gathering, meaning: _Meaning | None) -> Iterator[tuple[str, FileText]]:
    vectors = meaning.blobs() if meaning else []
    start = 0
    for path, record in taken.files.items():
        end = start + len(record.chunks)
        part = slice(start, end)
        yield path, FileText(taken.seen[path], taken.chunks[part], taken.words[part], vectors[part])
        start = end


def built(book: Notebook, now: datetime, progress: Progress | None) -> Built:
    """The index of the notes as they are. Raises :class:`FileUnreadable` where the folder cannot be listed."""
    stats = book.stats(book.scan().files)
    notes = (ReadNote(*read) for stat in stats.values() if (read := book.read(stat)) is not None)
    settings = book.config.anchors
    return build(
        notes, names(book), settings, book.vectoriser, now.isoformat("T", "seconds"), progress
    )


def names(book: Notebook) -> Iterator[Term]:
    """The topics and tags of the index, where there is one that can be read."""
    try:
        entries = (
            IndexStore(book.root, book.config.lock.timeout_seconds, book.config.upkeep.loss_limit)
            .read()
            .entries
        )
    except HippoError:
        return
    for one in entries:
        for text in (one.entry.topic, *one.entry.tags):
            yield from named(text, INDEX)


def differs(root: Path, new: Built) -> bool:
    """Whether the files on disk say something else, moments apart, or cannot be read."""
    try:
        before = files.parsed(files.read(root))
    except HippoError:
        return True
    return _timeless(before) != _timeless(new.whole)


def put(root: Path, twin: LookupDatabase, new: Built, timeout: float) -> None:
    """Write the files, then fill the twin. Raises :class:`FileUnwritable`, :class:`Busy`.

    A twin that cannot be written is left behind: with the files the build is done, and whoever needs the twin next
    makes it from them, in memory if need be.
    """
    stored = files.stored(new.whole, new.embeds)
    with locked(root, timeout, ANCHORS_LOCK):
        files.write(root, stored)
        with contextlib.suppress(sqlite3.OperationalError), transaction(twin.connection):
            twin.fill(new.whole, new.texts)
            with_vectors = new.embeds is not None
            digest = files.digest_of(stored)
            lookup_database.describe(twin, new.whole, digest, with_vectors=with_vectors)
            lookup_database.seal(root, twin)


def _timeless(index: AnchorIndexed) -> tuple[object, ...]:
    facts = index.facts._replace(built_at="", updated_at=None)
    settled = {path: one._replace(updated=False) for path, one in index.files.items()}
    return facts, settled, dict(index.anchors), dict(index.lists)
