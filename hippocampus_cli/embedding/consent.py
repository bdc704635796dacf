"""Whether the user said that a workspace may send its texts to a server, as its own settings file asks.

Kept in the user's own folder, never in a workspace: a file that one was handed cannot speak for oneself. It is said
of one folder and of the very settings that were shown: another server or model is asked about again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.errors import UsageError
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.regular import writing
from hippocampus_cli.workspace.state import read_state
from hippocampus_cli.workspace.user_folders import hippo_folder

if TYPE_CHECKING:
    from hippocampus_cli.config.settings import Embedding

_FILE = "allowed.json"
_LEADING = attrgetter("embedder", "model", "url", "key_variable")
"""The settings that say where texts go."""

Allows = Callable[["Embedding"], bool]


def user_folder(environ: Mapping[str, str]) -> Path:
    """Where it is kept what the user allowed."""
    return hippo_folder("config", environ, Path("~").expanduser())


def allow_network(
    root: Path, settings: Embedding, environ: Mapping[str, str], allowed: bool
) -> str | None:
    """Remember whether the settings file of the workspace at ``root`` may have texts sent to the server it names.

    Returns the server, ``None`` where it names none. Raises :class:`UsageError` for leave where nothing is sent.
    """
    from hippocampus_cli.embedding.servers import DIALECTS  # needs numpy

    dialect = DIALECTS.get(settings.embedder)
    if dialect is None and allowed:
        reason = f"the embedder here is {settings.embedder}, which sends nothing to a server"
        raise UsageError(reason=reason, advice="choose another one first: embedding.embedder")
    allow(user_folder(environ), root, settings if allowed else None)
    return None if dialect is None else settings.url or dialect.url


def is_allowed(folder: Path, root: Path, settings: Embedding) -> bool:
    """Whether the user allowed the workspace at ``root`` these settings. ``folder`` is the user's."""
    return _read(folder).get(os.path.realpath(root)) == _digest(settings)


def allow(folder: Path, root: Path, settings: Embedding | None) -> None:
    """Remember that the user allows the workspace these settings; ``None`` revokes what was allowed.

    Raises :class:`FileUnwritable`.
    """
    allowed = _read(folder)
    allowed.pop(place := os.path.realpath(root), None)
    if settings is not None:
        allowed[place] = _digest(settings)
    path = folder / _FILE
    with writing(str(path)):
        folder.mkdir(parents=True, exist_ok=True)
        replace_bytes(path, json.dumps(allowed, indent=1).encode(), str(path))


def _read(folder: Path) -> dict[str, str]:
    allowed = read_state(folder, _FILE)
    return allowed if isinstance(allowed, dict) else {}


def _digest(settings: Embedding) -> str:
    return hashlib.sha256(json.dumps(_LEADING(settings)).encode()).hexdigest()
