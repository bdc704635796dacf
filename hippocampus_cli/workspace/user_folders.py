"""hippo's folders in the user's own, as XDG has them on every system: of what can be made again, of settings, of data
that belongs to no workspace.

A relative XDG folder counts for nothing, as XDG asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

_PLACES = {
    "cache": ("XDG_CACHE_HOME", ".cache"),
    "config": ("XDG_CONFIG_HOME", ".config"),
    "data": ("XDG_DATA_HOME", ".local/share"),
}


def hippo_folder(
    kind: Literal["cache", "config", "data"], environ: Mapping[str, str], home: Path
) -> Path:
    """Where models and other downloads are, what the user allowed, or copies that belong to no workspace."""
    variable, usual = _PLACES[kind]
    given = environ.get(variable, "")
    return (Path(given) if given.startswith("/") else home / usual) / "hippo"
