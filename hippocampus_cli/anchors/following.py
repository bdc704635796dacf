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
    from hippocampus_cli.config import Config


def behind(error: HippoError) -> str:
    """What a person is told where anchors could not follow."""
    return f"the anchors are behind: {error.message} (hippo anchors build makes them anew)"


def keep_up(root: Path, config: Config, paths: Iterable[str], now: datetime) -> tuple[str, ...]:
    """Bring these notes in step where anchors were built; what a person should know if that failed.

    Anchors are a convenience: whatever is wrong with them never fails what was done to the notes.
    """
    if not os.path.lexists(root / ANCHORS):
        return ()
    from hippocampus_cli.anchors.keeper import AnchorKeeper

    keeper = AnchorKeeper(root, config)
    try:
        if keeper.exists:
            keeper.update(paths, now)
    except HippoError as error:
        return (behind(error),)
    finally:
        keeper.close()
    return ()
