"""The only way to write the episodic store: append.

Texts are written first, then all records of a session in one replacement of the month's file: a kill between
the two leaves texts that no record names (the next attempt writes them again), and whole records or none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.markdown.lines import encode
from hippocampus_cli.markdown.safe import bytes_spelled
from hippocampus_cli.mind.episodes import (
    EPISODES,
    HEAD,
    Episode,
    EpisodeStore,
    Statement,
    body_of,
    digest,
    months,
    render,
    text_of,
    title_of,
)
from hippocampus_cli.mind.errors import EpisodesDamaged
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.commit import read_or_none
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import ensure_folder

USER = "user"


class EpisodeDraft(NamedTuple):
    """An episode before it has its place in the chain; the fields as in :class:`Episode`."""

    session: str
    source: str
    source_sha256: str
    encoder: str
    statements: tuple[Statement, ...]

    @property
    def range(self) -> str:
        """The first and the last message."""
        return f"{self.statements[0].source}..{self.statements[-1].source}"

    @property
    def id(self) -> str:
        """Its id, made from session and range, so that an episode is not written twice."""
        return f"ep-{digest(f'{self.session}|{self.range}|{self.source_sha256}')[:12]}"


Drafts = Callable[[list[Episode]], Iterable[EpisodeDraft]]


def append(root: Path, drafts: Drafts, now: datetime, timeout: float) -> list[Episode]:
    """Append what ``drafts`` makes of the existing episodes; returns the new ones.

    An episode that exists is left out. Raises :class:`EpisodesDamaged` if the last record is not as it was
    written.
    """
    with locked(root, timeout):
        store = EpisodeStore(root)
        there = store.all()
        known = {episode.id for episode in there}
        new = [draft for draft in drafts(there) if draft.id not in known]
        if not new:
            return []
        last = months(root)[-1:]
        for path in last:
            for wrong in store.parsed(path)[1]:
                raise EpisodesDamaged(path=path, line=wrong.line, reason=wrong.what)
        # The files are in the order of the chain: a clock that goes back appends to the last.
        path = max([f"{EPISODES}/{now:%Y-%m}.md", *last])
        data = read_or_none(root, path) or title_of(Path(path).stem).encode()
        made: list[Episode] = []
        prev = store.head()
        for draft in new:
            episode, text = _recorded(draft, path, prev, now)
            write_file(root, episode.text_path, text)
            made.append(episode)
            prev = episode.sha256
        write_file(root, path, data + "".join(map(render, made)).encode("utf-8", "surrogateescape"))
        write_file(root, HEAD, f"{prev}\n".encode())
        return made


def _recorded(draft: EpisodeDraft, path: str, prev: str, now: datetime) -> tuple[Episode, bytes]:
    """The record of a draft, which follows the one with the hash ``prev``, and the text beside it."""
    present = now.isoformat(timespec="seconds")
    moments = [said.moment for said in draft.statements if said.moment] or [present]
    text = encode(bytes_spelled(text_of(moments[0], draft.session, draft.statements)))
    episode = Episode(
        id=draft.id,
        at=moments[0],
        until=moments[-1],
        recorded=present,
        who=USER,
        session=draft.session,
        origin="+".join(sorted({said.origin for said in draft.statements})),
        source=draft.source,
        range=draft.range,
        source_sha256=draft.source_sha256,
        encoder=draft.encoder,
        text_sha256=digest(text),
        prev=prev,
        file=path,
    )
    return episode._replace(sha256=digest(body_of(episode))), text


def write_file(root: Path, path: str, data: bytes) -> None:
    """Replace a file of the store, which must be as it was read."""
    file = ensure_folder(root, path)
    replace_bytes(file, data, path, read_or_none(root, path))
