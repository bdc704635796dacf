"""Messages by what they mean: the anchors and the chunks nearest to one. Needs numpy."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hippocampus_cli.anchors.dense import Vectoriser, other_length, rows, unpacked
from hippocampus_cli.anchors.twin import Twin
from hippocampus_cli.embedding.pause import Clock, Pause
from hippocampus_cli.errors import AnchorsDamaged, HippoError
from hippocampus_cli.errors.meaning import words_only
from hippocampus_cli.workspace.own_files import ANCHOR_EMBEDS

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Vectors


class Meaning:
    """The vectors of an index that was built with an embedder, which is at hand."""

    def __init__(
        self,
        twin: Twin,
        embeds: bytes,
        vectoriser: Vectoriser,
        threshold: float,
        clock: Clock = time.monotonic,
    ) -> None:
        """``embeds`` is the file of the anchors' vectors; an embedder that failed is asked again a minute later by
        ``clock``. Raises :class:`ValueError` where the file is damaged."""
        self._pause = Pause(clock)
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
