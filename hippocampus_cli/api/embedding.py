"""Embedding the notes of a workspace, as a method."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hippocampus_cli.api.opened import Opened
from hippocampus_cli.errors import EmbedderUnset

if TYPE_CHECKING:
    from hippocampus_cli.search.embedding import Embedded


class EmbeddingNotes(Opened):
    """What a :class:`Workspace` does so that questions find what means the same in other words."""

    def embed(self, progress: Callable[[int, int], None] | None = None) -> Embedded:
        """Work out the vectors of what is new in the notes, and forget those of what is gone.

        What was done is kept when it is interrupted; ``progress`` is told how many of how many texts are. Raises
        :class:`EmbedderUnset` where no embedder is configured, :class:`ExtraMissing`, :class:`EmbedderUnavailable`,
        :class:`EmbeddingFailed`, :class:`FileUnwritable` where the vectors cannot be kept.
        """
        from hippocampus_cli.search.embedding import embed_notes

        if self.library.meaning is None:
            raise EmbedderUnset
        self.library.refresh()
        return embed_notes(self.library, self.library.meaning, progress)
