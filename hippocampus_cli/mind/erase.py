"""Remove what was said from an episode: the right to be forgotten, and secrets.

The text beside the record is emptied; the record, its hash and the chain stay, and the act is listed without what it
took. What ``hippo forget`` takes out of texts is listed the same way.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from hippocampus_cli.mind.append import write_file
from hippocampus_cli.mind.episodes import (
    REDACTED,
    Episode,
    EpisodeStore,
    digest,
    months,
    parse,
)
from hippocampus_cli.workspace.commit import read_or_none
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.state import encoded


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


def list_forgotten(root: Path, path: str, before: bytes, after: bytes, now: datetime) -> None:
    """List what forgetting is about to leave of a text or of the records in a file, but not of those that are not as
    they were written. The caller holds the lock, and writes the file only now: whoever is killed lists it again."""
    store, month = EpisodeStore(root), f"{Path(path).parent}.md"
    if path in months(root):
        known = {wrong.left for wrong in parse(path, before)[1]}
        for wrong in parse(path, after)[1]:
            if wrong.left and wrong.left not in known:
                _list(root, f"{Path(path).stem}:{wrong.line}", wrong.left, now)
    elif month in months(root):
        for episode in store.parsed(month)[0]:
            whole = digest(before) in (episode.text_sha256, store.redacted.get(episode.id))
            if episode.text_path == path and whole:
                list_redaction(root, episode, after, now)


def list_redaction(root: Path, episode: Episode, left: bytes, now: datetime) -> None:
    """Record that ``left`` remains of a text; the caller holds the lock."""
    _list(root, episode.id, digest(left), now)


def _list(root: Path, id: str, left: str, now: datetime) -> None:
    row = encoded({"id": id, "at": now.isoformat(timespec="seconds"), "left": left})
    write_file(root, REDACTED, (read_or_none(root, REDACTED) or b"") + row)
