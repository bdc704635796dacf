"""The end of forgetting that was interrupted."""

from __future__ import annotations

import contextlib
from datetime import datetime
from pathlib import Path

from hippocampus_cli.config.settings import Config
from hippocampus_cli.errors import Busy, FileUnreadable, FileUnwritable
from hippocampus_cli.maintenance.forgotten_state import is_finished


def settle(root: Path, config: Config, now: datetime, *, write: bool) -> str:
    """Finish forgetting that was interrupted, where it may be written; what a person should know of it."""
    if is_finished(root):
        return ""
    with contextlib.suppress(Busy, FileUnreadable, FileUnwritable):
        if write:
            from hippocampus_cli.maintenance.forget import finish  # loads much

            finish(root, config, now)
            return "forgetting that was interrupted is finished now"
    return "forgetting was interrupted: hippo maintain finishes it"
