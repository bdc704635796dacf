"""Remove what was said from an episode: the right to be forgotten, and secrets.

The text beside the record is emptied; the record, its hash and the chain stay, and the act is listed without what it
took. What ``hippo forget`` takes out of texts is listed the same way.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from hippocampus_cli.mind.append import write_file
from hippocampus_cli.mind.episodes import REDACTED, Episode, EpisodeStore, digest
from hippocampus_cli.workspace.commit import read_or_none
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.regular import read_regular


def redact(root: Path, id: str, now: datetime, timeout: float) -> Episode:
    """Empty the text of an episode. Raises :class:`EpisodeNotFound`; an empty one stays empty."""
    with locked(root, timeout):
        store = EpisodeStore(root)
        episode = store.get(id)
        # Listed first: after a kill between the two, the next attempt empties it.
        if store.redacted.get(id) != digest(b""):
            list_redaction(root, episode, b"", now)
        write_file(root, episode.text_path, b"")
        return episode


def intact(root: Path) -> list[Episode]:
    """The episodes whose records and texts are as they were written, or as a redaction left them."""
    store = EpisodeStore(root)
    changed = {(one.path, one.line) for one in store.verify()}
    return [
        one for one in store.all() if changed.isdisjoint(((one.file, one.line), (one.text_path, 1)))
    ]


def list_forgotten(root: Path, before: Sequence[Episode], now: datetime, timeout: float) -> None:
    """List the records and the texts that forgetting changed: they were intact ``before``."""
    with locked(root, timeout):
        records = {(episode.file, episode.line): episode for episode in before}
        for one in EpisodeStore(root).verify():
            if one.left and (one.path, one.line) in records:
                record = records[one.path, one.line].sha256
                _list(root, f"{one.path}:{one.line}", record, one.left, now)
        whole = {one.id for one in intact(root)}
        for episode in before:
            if episode.id not in whole and (root / episode.text_path).is_file():
                list_redaction(root, episode, read_regular(root / episode.text_path), now)


def list_redaction(root: Path, episode: Episode, left: bytes, now: datetime) -> None:
    """Record that ``left`` remains of a text; the caller holds the lock."""
    _list(root, episode.id, episode.text_sha256, digest(left), now)


def _list(root: Path, id: str, sha256: str, left: str, now: datetime) -> None:
    row = {"id": id, "at": now.isoformat(timespec="seconds"), "sha256": sha256, "left": left}
    before = read_or_none(root, REDACTED) or b""
    write_file(root, REDACTED, before + json.dumps(row).encode() + b"\n")
