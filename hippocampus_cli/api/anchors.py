"""The anchors of a workspace (ANCHOR) and the vectors of its notes, as methods."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from hippocampus_cli.api.arguments import Question
from hippocampus_cli.api.opened import LEFT, Opened, present
from hippocampus_cli.errors import EmbedderUnset

if TYPE_CHECKING:
    from hippocampus_cli.anchors.dense import Vectoriser
    from hippocampus_cli.anchors.store import AnchorStore, BuildDone, Looked, Standing
    from hippocampus_cli.anchors.update import Updated
    from hippocampus_cli.embedding.embedder import Embedder
    from hippocampus_cli.search.embed import Embedded


class Anchoring(Opened):
    """What a :class:`Workspace` does with anchors: words of the notes that lead straight to where they are spoken of.

    ``embedder`` compares by meaning: the one of the settings, unless another is set before the first call. Without
    one, words alone are compared.
    """

    embedder: Embedder | None = None
    _anchors: AnchorStore | None = None

    def anchors_build(
        self,
        *,
        check: bool = False,
        now: datetime | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> BuildDone:
        """Build the anchor index from all notes; ``check`` only says whether that would change it.

        Raises :class:`FileUnreadable`, :class:`FileUnwritable`, :class:`Busy`, and what opening the embedder of the
        settings raises; then nothing was changed.
        """
        if (
            vectoriser := self._vectoriser()
        ):  # anchors without it would be others than were asked for
            vectoriser.close()
        return self.anchors.build(now or present(), check=check, progress=progress)

    def anchors_update(self, *paths: str, now: datetime | None = None) -> Updated:
        """Bring notes in step, by their paths from the root; one that is gone leaves the index.

        Nothing is written where nothing changed. Raises :class:`AnchorsNotFound`, :class:`AnchorsDamaged`,
        :class:`AnchorsForeign`, :class:`FileUnwritable`, :class:`Busy`; then nothing was changed.
        """
        return self.anchors.update(paths, now or present())

    def anchors_lookup(
        self,
        text: Question,
        *,
        project: str | None = None,
        expand_pronouns: bool = True,
        rerank: bool = True,
        nightly_only: bool = False,
        now: datetime | None = None,
    ) -> Looked:
        """The chunks that the anchors of ``text`` lead to, best first, none of which is out of date.

        ``project`` is what ``it`` and ``our`` stand for, by default the setting. The switches leave out the
        project, the ranking by the whole message, and what updates brought. Raises :class:`UsageError` for an
        empty text, :class:`AnchorsNotFound`, :class:`AnchorsDamaged`.
        """
        return self.anchors.lookup(
            text,
            now or present(),
            project=project,
            expand_pronouns=expand_pronouns,
            rerank=rerank,
            nightly_only=nightly_only,
        )

    def anchors_status(self) -> Standing:
        """What the anchor index holds, and which notes it is behind. Nothing is changed.

        Raises :class:`AnchorsNotFound`, :class:`AnchorsDamaged`.
        """
        return self.anchors.status()

    @property
    def anchors(self) -> AnchorStore:
        """The anchors themselves, with :meth:`AnchorStore.index` for many lookups in a row."""
        if self._anchors is None:
            from hippocampus_cli.anchors.store import AnchorStore

            self._anchors = AnchorStore(self.root, self.config, self._at_hand())
        return self._anchors

    def _close(self) -> None:
        super()._close()
        if self._anchors is not None:
            self._anchors.close()
            self._anchors = None

    def _begin_anew(self) -> None:
        """In a child process, after a fork: leave the parent's files alone, and open them again when needed."""
        super()._begin_anew()
        LEFT.append(self._anchors)
        self._anchors = None

    def _vectoriser(self) -> Vectoriser | None:
        if self.embedder is None:
            from hippocampus_cli.anchors.store import vectoriser_for

            return vectoriser_for(self.root, self.config.embedding, self._opener)
        from hippocampus_cli.anchors.dense import Vectoriser

        return Vectoriser.of(self.embedder, self.config.embedding.question_seconds)

    def _at_hand(self) -> Vectoriser | None:
        """The same, ``None`` where it cannot be had: only anchors that were built with it need it."""
        from hippocampus_cli.errors import HippoError

        try:
            return self._vectoriser()
        except HippoError:
            return None


class EmbeddingNotes(Opened):
    """What a :class:`Workspace` does so that questions find what means the same in other words."""

    def embed(self, progress: Callable[[int, int], None] | None = None) -> Embedded:
        """Work out the vectors of what is new in the notes, and forget those of what is gone.

        What was done is kept when it is interrupted; ``progress`` is told how many of how many texts are. Raises
        :class:`EmbedderUnset` where no embedder is configured, :class:`ExtraMissing`, :class:`EmbedderUnavailable`,
        :class:`EmbeddingFailed`, :class:`FileUnwritable` where the vectors cannot be kept.
        """
        from hippocampus_cli.search.embed import embed_notes

        if self.library.meaning is None:
            raise EmbedderUnset
        self.library.refresh()
        return embed_notes(self.library, self.library.meaning, progress)
