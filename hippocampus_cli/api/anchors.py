"""The anchors of a workspace: words of the notes that lead straight to where they are spoken of (ANCHOR)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from hippocampus_cli.anchors.chunks import PREVIEW as PREVIEW
from hippocampus_cli.api.opened import Opened
from hippocampus_cli.api.turns import PRESENT, in_turn

if TYPE_CHECKING:
    from hippocampus_cli.anchors.lookup import AnchorIndex
    from hippocampus_cli.anchors.store import Standing
    from hippocampus_cli.anchors.update import Updated
    from hippocampus_cli.api import types


@in_turn
class Anchors:
    """What ``workspace.anchors`` can do."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    def build(
        self,
        *,
        check: bool = False,
        now: datetime = PRESENT,
        progress: Callable[[int, int], object] | None = None,
    ) -> types.AnchorsBuilt:
        """Build the anchor index from all notes; ``check`` only says whether that would change it.

        Raises :class:`FileUnreadable`, :class:`FileUnwritable`, :class:`Busy`, and what opening the embedder of the
        settings raises; then nothing was changed.
        """
        vectoriser = self._opened.vectoriser()  # without it anchors would be others than asked for
        if vectoriser is not None:
            vectoriser.close()
        return self._opened.anchors.build(now, check=check, progress=progress)

    def update(self, *paths: str, now: datetime = PRESENT) -> Updated:
        """Bring notes up to date, by their paths from the root; one that is gone leaves the index.

        Nothing is written where nothing changed. Raises :class:`AnchorsNotFound`, :class:`AnchorsDamaged`,
        :class:`AnchorsForeign`, :class:`FileUnwritable`, :class:`Busy`; then nothing was changed.
        """
        return self._opened.anchors.update(paths, now)

    def lookup(
        self,
        text: str,
        *,
        project: str | None = None,
        expand_pronouns: bool = True,
        rerank: bool = True,
        nightly_only: bool = False,
        now: datetime = PRESENT,
    ) -> types.AnchorsFound:
        """The chunks that the anchors of ``text`` lead to, best first, none of which is out of date.

        ``project`` is what ``it`` and ``our`` stand for, by default the setting. The switches leave out the
        project, the ranking by the whole message, and what updates brought. Raises :class:`UsageError` for an
        empty text, :class:`AnchorsNotFound`, :class:`AnchorsDamaged`.
        """
        return self._opened.anchors.lookup(
            text,
            now,
            project=project,
            expand_pronouns=expand_pronouns,
            rerank=rerank,
            nightly_only=nightly_only,
        )

    def status(self) -> Standing:
        """What the anchor index holds, and which notes it is behind. Nothing is changed.

        Raises :class:`AnchorsNotFound`, :class:`AnchorsDamaged`.
        """
        return self._opened.anchors.status()

    def index(self) -> AnchorIndex:
        """The index itself, for many lookups in a row. Raises as :meth:`status`."""
        return self._opened.anchors.index()
