"""Anchors that follow the notes: what other commands do for them, where somebody has built them once."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.errors import HippoError
from hippocampus_cli.workspace.own_files import ANCHORS

if TYPE_CHECKING:
    from hippocampus_cli.anchors.dense import Vectoriser
    from hippocampus_cli.config import Config
    from hippocampus_cli.embedding.embedder import Opener


def behind(error: HippoError) -> str:
    """What a person is told where anchors could not follow."""
    return f"the anchors are behind: {error.message} (hippo anchors build makes them anew)"


def vectoriser_at_hand(root: Path, config: Config, opener: Opener | None) -> Vectoriser | None:
    """What compares by meaning; ``None`` where it cannot be had: only anchors that were built with it need it."""
    from hippocampus_cli.anchors.store import vectoriser_for

    try:
        return vectoriser_for(root, config.embedding, opener)
    except HippoError:
        return None


def keep_up(
    root: Path,
    config: Config,
    paths: Iterable[str],
    now: datetime,
    opener: Opener | None = None,
) -> tuple[str, ...]:
    """Bring these notes in step where anchors were built; what a person should know if that failed.

    ``opener`` opens the embedder of the settings. Anchors are a convenience: whatever is wrong
    with them never fails what was done to the notes.
    """
    if not os.path.lexists(root / ANCHORS):
        return ()
    from hippocampus_cli.anchors.store import AnchorStore

    keeper = AnchorStore(root, config, vectoriser_at_hand(root, config, opener))
    try:
        if keeper.exists:
            return keeper.update(paths, now).notices
    except HippoError as error:
        return (behind(error),)
    finally:
        keeper.close()
    return ()
