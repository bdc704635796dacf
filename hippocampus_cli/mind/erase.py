"""What was taken out of episodes, listed without any of it: records, hashes and the chain stay."""

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
from hippocampus_cli.workspace.state import encoded


def list_forgotten(
    store: EpisodeStore, path: str, before: bytes, after: bytes, now: datetime
) -> None:
    """List what forgetting is about to leave of a text or of the records in a file, but not of those that are not as
    they were written. The caller holds the lock, and writes the file only now: whoever is killed lists it again."""
    root = store.root
    if path in months(root):
        known = {wrong.left for wrong in parse(path, before)[1]}
        for wrong in parse(path, after)[1]:
            if wrong.left and wrong.left not in known:
                _list(root, f"{Path(path).stem}:{wrong.line}", wrong.left, now)
    episode = store.by_id.get(Path(path).stem)
    if episode is None or episode.text_path != path:
        return
    if digest(before) in (episode.text_sha256, store.redacted.get(episode.id)):
        list_redaction(root, episode, after, now)


def list_redaction(root: Path, episode: Episode, left: bytes, now: datetime) -> None:
    """Record that ``left`` remains of a text; the caller holds the lock."""
    _list(root, episode.id, digest(left), now)


def _list(root: Path, id: str, left: str, now: datetime) -> None:
    row = encoded({"id": id, "at": now.isoformat(timespec="seconds"), "left": left})
    write_file(root, REDACTED, (read_or_none(root, REDACTED) or b"") + row)
