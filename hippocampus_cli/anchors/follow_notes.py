"""Following the notes: whoever notices that they changed brings what is derived from them up to date the same way.

The text cache always, vectors and anchors where somebody has made them. All three are a convenience here: whatever is
wrong with them never fails what was done to the notes, and is told in a sentence.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.errors import HippoError
from hippocampus_cli.workspace.own_files import ANCHORS, VECTORS

if TYPE_CHECKING:
    from hippocampus_cli.anchors.dense import Vectoriser
    from hippocampus_cli.anchors.store import AnchorStore
    from hippocampus_cli.config import Config
    from hippocampus_cli.embedding.embedder import Opener
    from hippocampus_cli.search.library import Library


def follow_notes(
    library: Library, anchors: Callable[[], AnchorStore], now: datetime, *, anew: bool = False
) -> tuple[str, ...]:
    """Bring text, anchors and vectors up to date with the notes; what a person should know where one could not be.

    ``anew``: anchors that were updated since they were built are built anew (ANCHOR, nightly rebuild).
    """
    from hippocampus_cli.search.embed import keep_vectors

    library.refresh()
    return (*_follow_anchors(library, anchors, now, anew), *keep_vectors(library))


def follow_notes_at(
    root: Path,
    config: Config,
    now: datetime,
    opener: Opener | None = None,
    *,
    anew: bool = False,
) -> tuple[str, ...]:
    """The same for a caller that has nothing open. ``opener`` opens the embedder of the settings.

    Where there are neither anchors nor vectors nothing is read: the next query brings the text up to date.
    """
    embeds = opener is not None and config.embedding.embedder != "none"
    if not _exists(root, ANCHORS) and not (embeds and _exists(root, VECTORS)):
        return ()
    from hippocampus_cli.search.library import Library

    with closing(Library(root, config, opener=opener)) as library:
        keeper = open_anchors(root, config, opener)
        with closing(keeper):
            return follow_notes(library, lambda: keeper, now, anew=anew)


def open_anchors(root: Path, config: Config, opener: Opener | None) -> AnchorStore:
    """The anchors at ``root``, with the embedder of the settings where it can be had."""
    from hippocampus_cli.anchors.store import AnchorStore

    return AnchorStore(root, config, vectoriser_at_hand(root, config, opener))


def vectoriser_at_hand(root: Path, config: Config, opener: Opener | None) -> Vectoriser | None:
    """What compares by meaning; ``None`` where it cannot be had: only anchors that were built with it need it."""
    from hippocampus_cli.anchors.store import vectoriser_for

    try:
        return vectoriser_for(root, config.embedding, opener)
    except HippoError:
        return None


def _follow_anchors(
    library: Library, anchors: Callable[[], AnchorStore], now: datetime, anew: bool
) -> tuple[str, ...]:
    if not _exists(library.root, ANCHORS):
        return ()
    try:
        keeper = anchors()
        if not keeper.exists:
            return ()
        notices = keeper.follow(library.found.files, now).notices
        if anew and keeper.status().facts.updated_at:
            keeper.build(now)
        return notices
    except HippoError as error:
        return (f"the anchors are behind: {error.message} (hippo anchors build makes them anew)",)


def _exists(root: Path, name: str) -> bool:
    return os.path.lexists(root / name)
