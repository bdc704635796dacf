"""A build: from all notes to the whole index (ANCHOR, ``build-index.py``). Pure but for the embedder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli.anchors.anchor import Anchor, Gathered, vocabulary, weighed
from hippocampus_cli.anchors.calibrating import Calibration, calibrated
from hippocampus_cli.anchors.chunks import Chunk, Size, chunks_of
from hippocampus_cli.anchors.index import AnchorIndexed, Entry, Facts, FileRecord, entry_of, hash_of
from hippocampus_cli.anchors.lexical import ByWords
from hippocampus_cli.anchors.likeness import NONE, Likeness
from hippocampus_cli.anchors.terms import Term, terms_of
from hippocampus_cli.anchors.twin import FileText, Seen
from hippocampus_cli.anchors.wording import Corpus, Worded, average_length, worded

if TYPE_CHECKING:
    from hippocampus_cli.anchors.dense import Vectoriser
    from hippocampus_cli.config.anchors import Anchors as Settings
    from hippocampus_cli.embedding.embedder import Vectors
    from hippocampus_cli.workspace.note import Note

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
    words: list[Worded]
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
    if settings.theta:
        found = Calibration(settings.theta, 0, 0.0)
    facts = Facts(
        built_at=built_at,
        updated_at=None,
        embedder=likeness.name if meaning else NONE,
        theta=found.theta,
        sem_theta=(settings.sem_theta or meaning.threshold()) if meaning else 0.0,
        pairs=found.pairs,
        mean=found.mean,
        average=average,
        k=settings.k,
        k_max=max(settings.k, settings.k_max),
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
        from hippocampus_cli.anchors.calibrating import MESSAGES
        from hippocampus_cli.anchors.dense import ByVectors
        from hippocampus_cli.anchors.wording import spread

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
