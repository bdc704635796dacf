"""What a command finds around it: the present moment, and the workspace's settings file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from hippocampus_cli.errors import ConfigInvalid


def present(environ: Mapping[str, str]) -> datetime:
    """The present moment with a time zone; ``HIPPO_NOW`` sets it, so that examples can be repeated."""
    given = environ.get("HIPPO_NOW")
    if not given:
        return datetime.now().astimezone()
    try:
        moment = datetime.fromisoformat(given)
        return moment if moment.tzinfo else moment.astimezone()
    except (ValueError, OverflowError, OSError):
        raise ConfigInvalid(
            reason=f"HIPPO_NOW must be an ISO 8601 date and time, not {given[:40]!r}"
        ) from None


def read_settings(root: Path) -> str | None:
    """The text of the workspace's settings file, None where there is none.

    Raises :class:`FileUnreadable`, and :class:`OutsideWorkspace` where it is a link that leads out.
    """
    from hippocampus_cli.config import CONFIG_PATH, LARGEST

    if not os.path.lexists(root / CONFIG_PATH):
        return None
    from hippocampus_cli.workspace.read import read_file

    return read_file(root, CONFIG_PATH, LARGEST).decode("utf-8", "surrogateescape")
