"""What texts mean: the vectors of the passages, compared with those of a question and its other wordings.

An embedder that cannot be had, or does not answer, never fails a search: words alone answer then, and
:attr:`Meaning.notices` says what to do. Only what an embedder is configured for imports numpy.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.embedding.digests import embedded
from hippocampus_cli.embedding.embedder import CircuitBreaker, Clock, hurried
from hippocampus_cli.errors import FileUnwritable, HippoError, words_only
from hippocampus_cli.search.candidates import Place, add_places
from hippocampus_cli.search.features import Wording
from hippocampus_cli.workspace.own_files import VECTORS, cache_path, ensure_folder

if TYPE_CHECKING:
    from typing import TypeAlias

    from hippocampus_cli.config.settings import Embedding
    from hippocampus_cli.embedding.embedder import Embedder, Opener, Vectors
    from hippocampus_cli.embedding.vectors import VectorCache
    from hippocampus_cli.search.postgres.vectors import PostgresVectors
    from hippocampus_cli.search.tables import Tables
    from hippocampus_cli.workspace.note import Note

    VectorStore: TypeAlias = VectorCache | PostgresVectors

NEAREST = 100
"""Passages that are candidates as their vectors are the nearest."""


class Meaning:
    """The vectors of one workspace's passages, and the embedder that made them. ``close`` when done.

    ``read`` gives a note by its path, or raises :class:`FileUnreadable`, :class:`OutsideWorkspace`. What failed is
    tried again once a minute has passed by ``clock``. ``shared`` gives the vectors of many machines, where there are
    such; else they are in a file of the workspace.
    """

    def __init__(
        self,
        root: Path,
        settings: Embedding,
        opener: Opener,
        read: Callable[[str], Note],
        clock: Clock = time.monotonic,
        shared: Callable[[Embedder], VectorStore | None] = lambda embedder: None,
    ) -> None:
        self.notices: list[str] = []
        self._root = root
        self._settings = settings
        self._opener = opener
        self._shared = shared
        self.read = read
        self._opened: tuple[Embedder, VectorStore] | None = None
        self._pause = CircuitBreaker(clock)

    def close(self) -> None:
        """Let go of the vectors."""
        if self._opened is not None:
            self._opened[1].close()
            self._opened = None

    def open(self) -> tuple[Embedder, VectorStore]:
        """The embedder and its vectors. Raises what opening it raises."""
        if self._opened is None:
            embedder = self._opener(self._settings)
            if embedder is None:
                raise ValueError("no embedder is configured")
            self._opened = embedder, self._shared(embedder) or self._own(embedder)
        return self._opened

    def _own(self, embedder: Embedder) -> VectorStore:
        from hippocampus_cli.embedding.vectors import VectorCache

        return VectorCache(cache_path(self._root, VECTORS), embedder)

    def require_kept(self) -> None:
        """Raises :class:`FileUnwritable` where vectors are lost with this process."""
        _, cache = self.open()
        if cache.problem:
            ensure_folder(self._root, VECTORS)
            raise FileUnwritable(path=VECTORS, reason=cache.problem)

    def compared(
        self,
        db: Tables,
        wordings: Sequence[Wording],
        pool: dict[int, None],
        places: dict[int, Place],
        permitted: frozenset[int] | None,
    ) -> list[Wording]:
        """The wordings with the cosines of their vectors; ``pool`` and ``places`` take in what is nearest to them. As
        they are, and with a notice, where there is nothing to compare."""
        vectors = self._asked([wording.standing.question.text for wording in wordings])
        if vectors is None:
            return list(wordings)
        _, cache = self.open()
        for vector in vectors:
            # an index takes twice as long to find twice as many
            digests = cache.near(vector, NEAREST if permitted is None else 2 * NEAREST)
            rows = sorted(db.passages_with(digests), key=lambda row: digests.index(row[0]))
            near = [row[1] for row in rows if permitted is None or row[1] in permitted]
            pool |= dict.fromkeys(near[:NEAREST])
        add_places(db, places, pool)
        kept = cache.cosines({places[passage].digest for passage in pool}, vectors)
        known = [passage for passage in pool if places[passage].digest in kept]
        return [
            wording._replace(cosines={p: kept[places[p].digest][number] for p in known})
            for number, wording in enumerate(wordings)
        ]

    def take_notices(self) -> tuple[str, ...]:
        """What a person should know, once."""
        notices, self.notices = tuple(self.notices), []
        return notices

    def _asked(self, texts: Sequence[str]) -> Vectors | None:
        """The vectors of the wordings; ``None`` where there is nothing to compare them with, and words answer for a
        minute: a server that is down is not waited for at every question. A failure that lasts is told once."""
        if self._pause.holds:
            return None
        try:
            embedder, cache = self.open()
            with hurried(embedder, self._settings.question_seconds):
                if cache.ready:
                    vectors = embedder.embed([embedded(text) for text in texts])
                    self._pause.end()
                    return vectors
                lacking = "the notes have no vectors yet"
                if former := cache.former_model:
                    lacking = f"the vectors are those of {former}, not of {embedder.name}"
            notice = f"only words were compared: {lacking} (run hippo embed)"
        except HippoError as error:
            notice = words_only(error)
        if self._pause.begin(notice):
            self.notices.append(notice)
        return None
