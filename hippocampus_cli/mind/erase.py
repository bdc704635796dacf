"""Remove what was said from an episode: the right to be forgotten, and secrets.

The text beside the record is emptied; the record, its hash and the chain stay, and the act is listed without what it
took. What ``hippo forget`` takes out of texts is listed the same way.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from hippocampus_cli.mind.append import write_file
from hippocampus_cli.mind.episodes import REDACTED, Episode, EpisodeStore, digest
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


def changed(root: Path) -> set[tuple[str, int]]:
    """Where records and texts are not as they were written, or as a redaction left them: paths and lines."""
    return {one[:2] for one in EpisodeStore(root).verify()}


def list_forgotten(root: Path, before: set[tuple[str, int]], now: datetime, timeout: float) -> None:
    """List the records and the texts that forgetting changed, but those that were others ``before``."""
    with locked(root, timeout):
        for one in EpisodeStore(root).verify():
            if one.left and one[:2] not in before:
                # a text by its episode, a record by its line
                place = f"{Path(one.path).stem}:{one.line}"
                _list(root, place.removesuffix(":1"), one.left, now)


def list_redaction(root: Path, episode: Episode, left: bytes, now: datetime) -> None:
    """Record that ``left`` remains of a text; the caller holds the lock."""
    _list(root, episode.id, digest(left), now)


def _list(root: Path, id: str, left: str, now: datetime) -> None:
    row = encoded({"id": id, "at": now.isoformat(timespec="seconds"), "left": left})
    write_file(root, REDACTED, (read_or_none(root, REDACTED) or b"") + row)
