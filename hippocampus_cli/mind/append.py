"""The only way to write the episodic store: append.

Texts are written first, then all records of a session in one replacement of the month's file: a kill between
the two leaves texts that no record names (the next attempt writes them again), and whole records or none.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.markdown.lines import encode
from hippocampus_cli.markdown.safe import bytes_spelled
from hippocampus_cli.mind.episodes import (
    EPISODES,
    HEAD,
    NOTHING_BEFORE,
    Episode,
    EpisodeStore,
    Statement,
    digest,
    months,
    parse,
    render,
    text_of,
    title_of,
)
from hippocampus_cli.mind.errors import EpisodesDamaged
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import ensure_folder, make_folders
from hippocampus_cli.workspace.regular import read_regular


class EpisodeDraft(NamedTuple):
    """An episode before it has its place in the chain; the fields as in :class:`Episode`."""

    at: str
    until: str
    who: str
    session: str
    source: str
    range: str
    source_sha256: str
    encoder: str
    statements: tuple[Statement, ...]

    @property
    def id(self) -> str:
        """Its id, made from session and range, so that an episode is not written twice."""
        return f"ep-{digest(f'{self.session}|{self.range}|{self.source_sha256}')[:12]}"


Drafts = Callable[[list[Episode]], Sequence[EpisodeDraft]]


def append(root: Path, drafts: Drafts, now: datetime, timeout: float) -> list[Episode]:
    """Append what ``drafts`` makes of the existing episodes; returns the new ones.

    An episode that exists is left out. Raises :class:`EpisodesDamaged` if the last record is not as it was
    written.
    """
    with locked(root, timeout):
        store = EpisodeStore(root)
        there = store.all()
        known = {one.id for one in there}
        new = [one for one in drafts(there) if one.id not in known]
        if not new:
            return []
        path = _file_for(root, now)
        before = _bytes(root, path)
        _refuse_damaged(root, path, before)
        made = _chained(new, path, there, now)
        for draft, episode in zip(new, made, strict=True):
            _write(root, episode.text_path, _text(draft))
        data = before or title_of(Path(path).stem).encode()
        _write(root, path, data + "".join(map(render, made)).encode("utf-8", "surrogateescape"))
        _write(root, HEAD, f"{len(there) + len(made)} {made[-1].sha256}\n".encode())
        return made


def _chained(
    drafts: Sequence[EpisodeDraft], path: str, there: Sequence[Episode], now: datetime
) -> list[Episode]:
    """The episodes of drafts, each with the hash of the one before it."""
    made: list[Episode] = []
    for one in drafts:
        before = made or there
        episode = Episode(
            id=one.id,
            at=one.at,
            until=one.until,
            recorded=now.isoformat(timespec="seconds"),
            who=one.who,
            session=one.session,
            origin="+".join(sorted({said.origin for said in one.statements})),
            source=one.source,
            range=one.range,
            source_sha256=one.source_sha256,
            encoder=one.encoder,
            text_sha256=digest(_text(one)),
            prev=before[-1].sha256 if before else NOTHING_BEFORE,
            file=path,
        )
        text = render(episode)
        episode = episode._replace(sha256=text[text.rindex("sha256=") + 7 :].split(" ")[0])
        made.append(episode)
    return made


def _text(draft: EpisodeDraft) -> bytes:
    """What is said, as it stands beside the record."""
    text = text_of(draft.at, draft.session, draft.statements)
    return encode(bytes_spelled(text))


def _file_for(root: Path, now: datetime) -> str:
    """This month's file, or the last one if it is of a later month: the files are in the order of the chain."""
    return max([f"{EPISODES}/{now:%Y-%m}.md", *months(root)[-1:]])


def _refuse_damaged(root: Path, path: str, data: bytes) -> None:
    """Raise :class:`EpisodesDamaged` where the last file is not as it was written."""
    if not data and months(root):
        path = months(root)[-1]
        data = _bytes(root, path)
    wrong = parse(path, data)[1] if data else []
    if wrong:
        raise EpisodesDamaged(path=wrong[0].path, line=wrong[0].line, reason=wrong[0].what)


def _bytes(root: Path, path: str) -> bytes:
    """A file of the store; nothing where there is none."""
    with contextlib.suppress(FileNotFoundError):
        return read_regular(root / path)
    return b""


def _write(root: Path, path: str, data: bytes) -> None:
    """Replace a file of the store, which must be as it was read."""
    file = ensure_folder(root, path)
    make_folders(file.parent)
    replace_bytes(file, data, path, _bytes(root, path) if os.path.lexists(file) else None)
