"""Taking what was said out of an episode: the right to be forgotten, and the secret that got in.

The text beside the record is emptied; the record, its hash and the chain stay, and the act is listed without what it
took.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

from hippocampus_cli.mind.episodes import REDACTED, Episode, EpisodeStore
from hippocampus_cli.mind.errors import EpisodeNotFound, EpisodesDamaged
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import ensure_folder
from hippocampus_cli.workspace.regular import read_regular


def redact(root: Path, id: str, now: datetime, timeout: float) -> Episode:
    """Empty the text of an episode. Raises :class:`EpisodeNotFound`; one that is empty already stays so."""
    with locked(root, timeout):
        store = EpisodeStore(root)
        episode = store.find(id)
        if episode is None:
            raise EpisodeNotFound(id=id)
        if (
            id not in store.redacted()
        ):  # listed first: killed here, it is emptied by the next attempt
            _list(root, id, episode.text_sha256, now)
        path = episode.text_path
        replace_bytes(ensure_folder(root, path), b"", path)
        return episode


def _list(root: Path, id: str, sha256: str, now: datetime) -> None:
    file = ensure_folder(root, REDACTED)
    try:
        before = read_regular(file) if file.exists() else b""
    except OSError as error:
        raise EpisodesDamaged(path=REDACTED, reason=str(error)) from error
    line = json.dumps({"id": id, "at": now.isoformat(timespec="seconds"), "sha256": sha256})
    replace_bytes(file, before + line.encode() + b"\n", REDACTED)
