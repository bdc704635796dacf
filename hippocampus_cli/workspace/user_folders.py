"""hippo's folders in the user's own: of what can be made again, of settings, of data that belongs to no workspace.

``platform`` is ``sys.platform``'s word. A relative XDG folder counts for nothing, as XDG asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

Environ = Mapping[str, str]


def cache_folder(environ: Environ, platform: str, home: Path) -> Path:
    """Where models and other downloads are."""
    if platform == "darwin":
        return home / "Library/Caches/hippo"
    if platform == "win32":
        return _windows(environ, "LOCALAPPDATA", home / "AppData/Local")
    return _xdg(environ, "XDG_CACHE_HOME", home / ".cache")


def config_folder(environ: Environ, platform: str, home: Path) -> Path:
    """Where it is kept what the user allowed."""
    if platform == "darwin":
        return home / "Library/Application Support/hippo"
    if platform == "win32":
        return _windows(environ, "APPDATA", home / "AppData/Roaming")
    return _xdg(environ, "XDG_CONFIG_HOME", home / ".config")


def data_folder(environ: Environ, platform: str, home: Path) -> Path:
    """Where copies are kept that belong to no workspace."""
    if platform in ("darwin", "win32"):
        whole = config_folder if platform == "darwin" else cache_folder
        return whole(environ, platform, home) / "data"
    return _xdg(environ, "XDG_DATA_HOME", home / ".local/share")


def _windows(environ: Environ, name: str, usual: Path) -> Path:
    return Path(environ.get(name) or usual) / "hippo"


def _xdg(environ: Environ, name: str, usual: Path) -> Path:
    given = environ.get(name, "")
    return (Path(given) if given.startswith("/") else usual) / "hippo"
