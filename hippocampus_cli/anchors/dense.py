"""How alike anchors, chunks and messages are by an embedder's vectors, beside their words. Needs numpy."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli.anchors.build import EXPANSIONS, quantile
from hippocampus_cli.anchors.extract import Anchor
from hippocampus_cli.anchors.lookup_database import LookupDatabase
from hippocampus_cli.anchors.similarity import ByWords, Scored
from hippocampus_cli.embedding.digests import digest_of
from hippocampus_cli.embedding.embedder import CircuitBreaker, Clock, hurried
from hippocampus_cli.errors import AnchorsDamaged, HippoError, words_only
from hippocampus_cli.workspace.own_files import ANCHOR_EMBEDS

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Embedder, Vectors
    from hippocampus_cli.embedding.vectors import VectorCache


_BLOCK = 256  # anchors compared with every chunk at once
_STORED = "float16"  # a chunk's vector in the twin: cosines are off by less than 0.001


class Vectoriser(NamedTuple):
    """An embedder's name, and what gives one row of length 1 a text: itself, or a cache before it.

    Within ``hurried`` it takes no longer than somebody waits for the answer to a question. ``forget_others`` lets
    a cache forget all texts but those that it is given, and ``close`` lets go of its file.
    """

    name: str
    vectors: Callable[[Sequence[str]], Vectors]
    hurried: Callable[[], AbstractContextManager[None]] = nullcontext
    forget_others: Callable[[Iterable[str]], object] = lambda _: None
    close: Callable[[], object] = lambda: None

    @classmethod
    def of(cls, embedder: Embedder, seconds: float, cache: VectorCache | None = None) -> Vectoriser:
        """An embedder, its vectors from a ``cache`` where there is one; a question waits for ``seconds``."""
        waiting = partial(hurried, embedder, seconds)
        if cache is None:
            return cls(embedder.name, embedder.embed, waiting)
        forget = partial(_forget_others, cache)
        return cls(embedder.name, cache.vectors, waiting, forget, cache.close)


class ByVectors:
    """The likeness of an embedder: half the cosine of what is meant, half the likeness of the words.

    Each finds what the other misses: a vector of a long chunk says little of a name in it, and words say nothing
    of what is put otherwise. ``anchors`` and ``chunks`` have a row for each, ``words`` compares the same chunks.
    """

    def __init__(self, name: str, anchors: Vectors, chunks: Vectors, words: ByWords) -> None:
        self._name = name
        self._anchors = anchors
        self._chunks = chunks
        self._words = words

    @property
    def name(self) -> str:
        return self._name

    @property
    def above(self) -> float:
        return 0.05  # a long chunk that means the same is not much more like it than its neighbours

    def best(
        self, anchors: Sequence[Anchor], most: int, least: float
    ) -> Iterator[Sequence[Scored]]:
        """As of every likeness; ``anchors`` are those of the rows."""
        for start in range(0, len(anchors), _BLOCK):
            end = start + _BLOCK
            cosines = (self._anchors[start:end] @ self._chunks.T).clip(0.0, 1.0)
            for anchor, row in zip(anchors[start:end], cosines, strict=True):
                yield _best_of(self._with_words(anchor, row), most, least)

    def sample(
        self, anchors: Sequence[Anchor], pairs: Sequence[tuple[int, int]]
    ) -> Sequence[float]:
        numbers, chunks = [one for one, _ in pairs], [one for _, one in pairs]
        cosines = (self._anchors[numbers] * self._chunks[chunks]).sum(axis=1).clip(0.0, 1.0)
        words = self._words.sample(anchors, pairs)
        halves = zip(cosines, words, strict=True)
        return [round((float(cosine) + word) / 2, 4) for cosine, word in halves]

    def _with_words(self, anchor: Anchor, cosines: Vectors) -> Vectors:
        scores: Vectors = cosines.copy()
        scores /= 2.0
        for chunk, score in self._words.scores(anchor).items():
            scores[chunk] += score / 2
        return scores.round(4)


def expansion_threshold(anchors: Vectors, messages: Vectors) -> float:
    """The likeness from which an anchor belongs to a message: on average ``EXPANSIONS`` of them do."""
    if not len(anchors) or not len(messages):
        return 1.0
    scores = (messages @ anchors.T).clip(0.0, 1.0)
    share = max(0.5, 1.0 - EXPANSIONS / len(anchors))
    return round(float(quantile(scores.ravel().tolist(), share)), 4)


def packed(texts: Sequence[str], vectors: Vectors) -> bytes:
    """``hippocampus-embeds.npz``: ``anchor_texts`` and ``anchor_embeds``."""
    import numpy as np

    buffer = io.BytesIO()
    np.savez(buffer, anchor_texts=np.array(texts, dtype=np.str_), anchor_embeds=vectors)
    return buffer.getvalue()


def unpacked(data: bytes) -> tuple[list[str], Vectors]:
    """What :func:`packed` made. Raises :class:`ValueError` for anything else."""
    import zipfile
    import zlib

    import numpy as np

    foreign = (TypeError, AttributeError)  # an array that is in no archive
    damaged = (OSError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            texts = [str(one) for one in arrays["anchor_texts"]]
            found = arrays["anchor_embeds"]
    except (*foreign, *damaged) as error:
        raise ValueError(str(error)) from error
    if found.dtype.kind != "f" or found.ndim != 2 or len(found) != len(texts):
        raise ValueError("not a vector for each anchor")
    vectors: Vectors = found.astype(np.float32)
    if not np.isfinite(vectors).all():
        raise ValueError("a vector is not finite")
    return texts, vectors


def other_length(kept: int, embedder: str, given: int) -> str:
    """Why vectors cannot be compared with those that an embedder gives now."""
    return f"its vectors have {kept} dimensions, those of {embedder} {given}"


def blobs(vectors: Vectors) -> list[bytes]:
    """Each row as the twin keeps it."""
    return [row.tobytes() for row in vectors.astype(_STORED)]


def rows(stored: Sequence[bytes]) -> Vectors:
    """What :func:`blobs` were made of, but for rounding. All are of one length."""
    import numpy as np

    found: Vectors = np.frombuffer(b"".join(stored), dtype=_STORED).astype(np.float32)
    return found.reshape(len(stored), -1)


def _forget_others(cache: VectorCache, texts: Iterable[str]) -> None:
    cache.prune(map(digest_of, texts))


def _best_of(row: Vectors, most: int, least: float) -> Sequence[Scored]:
    import numpy as np

    found = np.flatnonzero(row >= np.float32(least))
    if len(found) > most:
        bound = np.partition(row[found], len(found) - most)[len(found) - most]
        found = found[row[found] >= bound]
    order = np.lexsort((found, -row[found]))[:most]
    return [Scored(int(at), round(float(row[at]), 4)) for at in found[order]]


class Meaning:
    """The vectors of an index that was built with an embedder, which is at hand."""

    def __init__(
        self,
        twin: LookupDatabase,
        embeds: bytes,
        vectoriser: Vectoriser,
        threshold: float,
        clock: Clock = time.monotonic,
    ) -> None:
        """``embeds`` is the file of the anchors' vectors; an embedder that failed is asked again a minute later by
        ``clock``. Raises :class:`ValueError` where the file is damaged."""
        self._pause = CircuitBreaker(clock)
        self._twin = twin
        self._vectoriser = vectoriser
        self._threshold = threshold
        self._texts, self._anchors = unpacked(embeds)
        self.problem = ""
        """Why messages are not compared by meaning at present: the embedder did not answer one."""

    def near(self, message: str) -> Iterator[tuple[str, float]]:
        """The anchors that mean what ``message`` means, each with how like it is."""
        vector = self._of(message) if self._texts else None
        if vector is None:
            return
        likeness = self._cosines(self._anchors, vector)
        for number in (likeness >= self._threshold).nonzero()[0]:
            yield self._texts[number], float(likeness[number])

    def likeness(self, message: str, chunks: Sequence[int]) -> dict[int, float] | None:
        """How like ``message`` these chunks are; ``None`` where a vector is not to be had."""
        stored: list[bytes] = []
        for chunk in chunks:
            query = "SELECT vector FROM chunks WHERE id = ?"
            row = self._twin.connection.execute(query, (chunk,)).fetchone()
            if row is None or row[0] is None:
                return None
            stored.append(row[0])
        if not stored:
            return {}
        vector = self._of(message)
        if vector is None:
            return None
        found = self._cosines(rows(stored), vector)
        return {chunk: round(float(one), 4) for chunk, one in zip(chunks, found, strict=True)}

    def _cosines(self, vectors: Vectors, message: Vectors) -> Vectors:
        """How like ``message`` each is, 0 to 1. Raises :class:`AnchorsDamaged` where that cannot be told."""
        if vectors.shape[1] != len(message):
            reason = other_length(vectors.shape[1], self._vectoriser.name, len(message))
            raise AnchorsDamaged(path=ANCHOR_EMBEDS, reason=reason)
        cosines: Vectors = (vectors @ message).clip(0.0, 1.0)
        return cosines

    def _of(self, message: str) -> Vectors | None:
        """Its vector, shape ``(dimensions,)``. A server that does not answer is left alone for a minute."""
        if self._pause.holds:
            return None
        try:
            with self._vectoriser.hurried():
                vector: Vectors = self._vectoriser.vectors([message])[0]
                self.problem = ""
                return vector
        except HippoError as error:
            self._pause.begin()
            self.problem = words_only(error)
            return None
