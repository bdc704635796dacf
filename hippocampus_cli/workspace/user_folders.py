"""hippo's folders in the user's own: of what can be made again, of settings, of data that belongs to no workspace.

A relative XDG folder counts for nothing, as XDG asks.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

_MAC = "Library/Application Support/hippo"
_LOCAL = "LOCALAPPDATA", "AppData/Local"
# On a Mac; the variable and the place on Windows, and the folder in it; the same elsewhere.
_PLACES = {
    "cache": ("Library/Caches/hippo", *_LOCAL, "hippo", "XDG_CACHE_HOME", ".cache"),
    "config": (_MAC, "APPDATA", "AppData/Roaming", "hippo", "XDG_CONFIG_HOME", ".config"),
    "data": (f"{_MAC}/data", *_LOCAL, "hippo/data", "XDG_DATA_HOME", ".local/share"),
}


def hippo_folder(
    kind: Literal["cache", "config", "data"],
    environ: Mapping[str, str],
    home: Path,
    platform: str = sys.platform,
) -> Path:
    """Where models and other downloads are, what the user allowed, or copies that belong to no workspace."""
    mac, windows, usual, inside, variable, xdg = _PLACES[kind]
    if platform == "darwin":
        return home / mac
    if platform == "win32":
        return Path(environ.get(windows) or home / usual) / inside
    given = environ.get(variable, "")
    return (Path(given) if given.startswith("/") else home / xdg) / "hippo"
