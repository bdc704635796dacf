"""What texts mean: the vectors of the notes' units, compared with the vector of a question.

An embedder that cannot be had, or does not answer, never fails a search: words alone answer then, and
:attr:`Meaning.notices` says what to do. Only what an embedder is configured for imports numpy.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.embedding.digests import BYTES, digest_of, embedded, split
from hippocampus_cli.embedding.embedder import CircuitBreaker, Clock, hurried
from hippocampus_cli.errors import (
    FileUnreadable,
    FileUnwritable,
    HippoError,
    OutsideWorkspace,
    words_only,
)
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search import ranking_weights
from hippocampus_cli.search.schema import unit_spans
from hippocampus_cli.workspace.database import Connection
from hippocampus_cli.workspace.own_files import VECTORS, ensure_folder

if TYPE_CHECKING:
    from hippocampus_cli.config.settings import Embedding
    from hippocampus_cli.embedding.binary_vectors import BinaryVectors
    from hippocampus_cli.embedding.embedder import Embedder, Ids, Opener, Vectors
    from hippocampus_cli.embedding.vectors import VectorCache
    from hippocampus_cli.workspace.note import Note

LOCAL = "use-multilingual"  # the embedder that asks nobody: a query may embed some units with it
_SAMPLE = 256  # units that say how near any text is to a question
_FEW = 8  # units that are too few to say so
_USUAL_MEAN, _USUAL_SPREAD = 0.04, 0.055  # of use-multilingual
_LEAST_SPREAD = 0.03
_NEAR = 512  # texts that may be the nearest to the question, of which those are chosen


class Piece(NamedTuple):
    """A section whose units are compared: its id, its note's path, its title, its units and digests as stored."""

    id: int
    path: str
    title: str
    units: bytes
    digests: bytes


class Meaning:
    """The vectors of one workspace's units, and the embedder that asks for them. ``close`` when done.

    ``read`` gives a note by its path, or raises :class:`FileUnreadable`, :class:`OutsideWorkspace`. What failed is
    tried again once a minute has passed by ``clock``.
    """

    def __init__(
        self,
        root: Path,
        settings: Embedding,
        opener: Opener,
        read: Callable[[str], Note],
        clock: Clock = time.monotonic,
    ) -> None:
        self.notices: list[str] = []
        self._root = root
        self._settings = settings
        self._opener = opener
        self._read = read
        self._embedder: Embedder | None = None
        self._cache: VectorCache | None = None
        self._unwritable: FileUnwritable | None = None
        self._clock = clock
        self._pause = CircuitBreaker(clock)
        self._sample: tuple[BinaryVectors | None, Vectors] | None = None

    def close(self) -> None:
        """Let go of the vectors."""
        if self._cache is not None:
            self._cache.close()
            self._cache = None

    def open(self) -> tuple[Embedder, VectorCache]:
        """The embedder and its vectors. Raises what opening it raises."""
        if self._embedder is None:
            self._embedder = self._opener(self._settings)
        if self._embedder is None:
            raise ValueError("no embedder is configured")
        if self._cache is None:
            from hippocampus_cli.embedding.vectors import VectorCache

            path: Path | None = None
            try:
                path = ensure_folder(self._root, VECTORS)
            except FileUnwritable as error:  # what is worked out serves this process
                self._unwritable = error
            self._cache = VectorCache(path, self._embedder)
        return self._embedder, self._cache

    def require_kept(self) -> None:
        """Raises :class:`FileUnwritable` where vectors are lost with this process."""
        _, cache = self.open()
        if self._unwritable is not None:
            raise self._unwritable
        if cache.problem:
            raise FileUnwritable(path=VECTORS, reason=cache.problem)

    def asked(self, text: str) -> Asked | None:
        """``text`` as a question; ``None``, and a notice, where there is nothing to compare it with."""
        if self._pause.holds:
            return None
        try:
            embedder, cache = self.open()
            with hurried(embedder, self._settings.question_seconds):
                signs = cache.signs
                if signs is None or not len(signs.ids):
                    self.give_up(_no_vectors(cache, embedder.name))
                    return None
                vector = embedder.embed([embedded(text)])[0]
        except HippoError as error:
            self.give_up(words_only(error))
            return None
        self._pause.end()
        return Asked(self, cache, vector)

    def embedded_now(
        self, pieces: Sequence[Piece], wanted: set[bytes], most: int
    ) -> Iterator[tuple[bytes, str]]:
        """The texts of ``most`` units of ``pieces`` at most whose digests are ``wanted``, and still true."""
        left = set(wanted)
        for piece in pieces:
            digests = split(piece.digests)
            if left.isdisjoint(digests):
                continue
            for digest, text in self.texts(piece.path, [(piece.title, piece.units, piece.digests)]):
                if digest in left:
                    left.discard(digest)
                    yield digest, text
                    most -= 1
                    if not most:
                        return

    def texts(
        self, path: str, sections: Sequence[tuple[str, bytes, bytes]]
    ) -> Iterator[tuple[bytes, str]]:
        """The units of these sections of a note, as far as they are what they were: digest and text."""
        try:
            note = self._read(path)
        except (FileUnreadable, OutsideWorkspace):
            return
        for title, units, digests in sections:
            spans = unit_spans(units)
            for start, end, digest in zip(spans.starts, spans.ends, split(digests), strict=True):
                text = embedded(note.text_of(start, end), title)
                if digest_of(text) == digest:
                    yield digest, text

    def fresh(self, pieces: Sequence[Piece], wanted: set[bytes]) -> None:
        """Embed some of what is ``wanted`` at once, if that asks nobody."""
        if self._settings.embedder != LOCAL or not wanted:
            return
        _, cache = self.open()
        for _ in cache.fill(self.embedded_now(pieces, wanted, ranking_weights.MOST_EMBEDDED)):
            pass

    def sample(self, cache: VectorCache) -> Vectors:
        """Some of all vectors, the same ones until the signs are others."""
        import numpy as np

        signs = cache.signs
        if self._sample is None or self._sample[0] is not signs:
            found = cache.by_id(signs.some(_SAMPLE).tolist()) if signs else {}
            rows = np.stack(list(found.values())) if found else np.empty((0, 0), np.float32)
            self._sample = signs, rows
        return self._sample[1]

    def give_up(self, notice: str) -> None:
        """Answer from words for a minute: a server that is down is not waited for at every question.

        A failure that lasts is told once.
        """
        if not self._pause.holds and self._pause.begin(notice):
            self.notices.append(notice)


class Asked:
    """A question with its vector. Likeness is counted in spreads of what any text has, above what it has on
    average: so 0 is nothing, and 4 a lot, whatever the model."""

    def __init__(self, meaning: Meaning, cache: VectorCache, vector: Vectors) -> None:
        self._meaning = meaning
        self._cache = cache
        self._vector = vector
        self._mean, self._spread = self._usual()

    def near(self, db: sqlite3.Connection, most: int) -> list[int]:
        """The ids of sections that hold the units most like the question, the nearest first."""
        import numpy as np

        signs = self._cache.signs
        ids = signs.near(self._vector, _NEAR).tolist() if signs is not None else []
        found = self._cache.by_id(ids)
        ids = list(found)
        sections: list[int] = []
        cosines = np.stack(list(found.values())) @ self._vector if found else np.empty(0)
        known, homes = self._homes(db)
        for at in np.argsort(-cosines, kind="stable"):
            first = np.searchsorted(known, ids[at], side="left")
            last = np.searchsorted(known, ids[at], side="right")
            sections.extend(int(one) for one in homes[first:last])
            if len(sections) >= 3 * most:  # some sections stand there several times
                break
        return list(dict.fromkeys(sections))[:most]

    def likeness(self, pieces: Sequence[Piece]) -> Mapping[int, Sequence[float]]:
        """How like the question each unit of ``pieces`` is, by the section's id; an unknown one counts as average."""
        import numpy as np

        digests = [split(piece.digests) for piece in pieces]
        wanted = {one for each in digests for one in each}
        found = self._cache.kept(wanted)
        if missing := wanted - found.keys():
            with contextlib.suppress(HippoError):
                self._meaning.fresh(pieces, missing)
                found |= self._cache.kept(missing)
        rows = np.stack(list(found.values())) if found else np.empty((0, len(self._vector)))
        scores = ((rows @ self._vector - self._mean) / self._spread).tolist()
        known = dict(zip(found, scores, strict=True))
        usual = sum(scores) / len(scores) if scores else 0.0
        return {
            piece.id: [known.get(one, usual) for one in each] or [usual]
            for piece, each in zip(pieces, digests, strict=True)
        }

    def _usual(self) -> tuple[float, float]:
        """The average cosine of this question and any unit, and its spread."""
        sample = self._meaning.sample(self._cache)
        if len(sample) < _FEW:
            return _USUAL_MEAN, _USUAL_SPREAD
        cosines = sample @ self._vector
        return float(cosines.mean()), max(float(cosines.std()), _LEAST_SPREAD)

    def _homes(self, db: sqlite3.Connection) -> tuple[Ids, Ids]:
        """The ids of all units' vectors, sorted, and the section in which each stands."""
        import numpy as np

        kept = db.kept() if isinstance(db, Connection) else {}
        key = ("homes", id(self._cache))
        if key not in kept:
            rows = db.execute("SELECT id, digests FROM sections WHERE digests != x''").fetchall()
            ids = self._cache.ids(b"".join([digests for _, digests in rows]))
            counts = [len(digests) // BYTES for _, digests in rows]
            homes = np.repeat(np.array([one for one, _ in rows], np.int64), counts)
            order = np.argsort(ids, kind="stable")
            kept[key] = ids[order], homes[order]
        found: tuple[Ids, Ids] = kept[key]
        return found


def _no_vectors(cache: VectorCache, name: str) -> str:
    former = cache.former_model
    if former:
        return f"only words were compared: the vectors are those of {former}, not of {name} (run hippo embed)"
    return "only words were compared: the notes have no vectors yet (run hippo embed)"
