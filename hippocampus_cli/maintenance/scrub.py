"""Keeping what was forgotten out of every file of hippo's own (:mod:`tombstones`).

What can be made again from the notes (databases, vectors, fingerprints in ``.hippocampus/cache``, the anchors) is
removed whole, for the free pages of a database hold what was deleted from it. Every other file goes, or one without
it replaces it in one rename, under the locks. ``.hippocampus/cache/forgotten.json`` says for which tombstones that
was done, and of which files: whoever is killed in the middle leaves it as it was, and the next run does the rest. It
names files only when scrubbed a second time: between the two, what was deleted is made again.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from hippocampus_cli.config.settings import Config
from hippocampus_cli.context.session_ids import is_id
from hippocampus_cli.errors import HippoError
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.maintenance.erasure import Erasure, kind_of
from hippocampus_cli.maintenance.forgotten_state import finished, keep_state
from hippocampus_cli.mind.episodes import EpisodeStore
from hippocampus_cli.mind.erase import list_forgotten
from hippocampus_cli.redaction.redactor import Redactor
from hippocampus_cli.search.library import forget_shared
from hippocampus_cli.workspace import tombstones
from hippocampus_cli.workspace.atomic import LEFTOVERS, clear_leftovers, replace_bytes, rounds
from hippocampus_cli.workspace.commit import recover
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import (
    ANCHORS_LOCK,
    FOLDER,
    FORGOTTEN,
    SESSIONS,
    index_path,
    is_inside,
)
from hippocampus_cli.workspace.regular import read_regular, reading, writing
from hippocampus_cli.workspace.scan import scan
from hippocampus_cli.workspace.snapshots import take
from hippocampus_cli.workspace.state import version_of
from hippocampus_cli.workspace.tombstones import Forgotten


def scrub(root: Path, config: Config, *, made: bool = True) -> Erasure:
    """Take what was forgotten out of every own file that changed since the last time, and say what went. ``made``:
    whether what went at the last time has been made again; until then it is not finished.

    Raises :class:`Busy`, :class:`FileUnwritable`, :class:`FileUnreadable`, :class:`OutsideWorkspace`,
    :class:`StoreUnavailable`; what is left is done by the next run.
    """
    version = version_of(
        root, FORGOTTEN
    )  # before they are read: a newer one has the next run do it again
    forgotten = tombstones.load(root)
    erasure = erasure_of(root, forgotten)
    of, clean = finished(root)
    anew = of != version
    if not anew and (not of or (clean and _stamps(root).items() <= clean.items())):
        return erasure
    timeout = config.lock.timeout_seconds
    with locked(root, timeout, ANCHORS_LOCK), locked(root, timeout):
        recover(root)
        if anew:
            remove_files(root, own_files(root, derived=True))
        _remove_leftovers(root)
        episodes = EpisodeStore(root)
        for name, stamp in _stamps(root).items():
            if anew or clean.get(name) != stamp:
                _rewrite(episodes, name, erasure, forgotten)
        for stone in forgotten.tombstones:
            folder = root / SESSIONS / stone.session
            if is_id(stone.session) and is_inside(root, folder):
                shutil.rmtree(folder, ignore_errors=True)
        if anew:  # last: where it is away, the next run does it all again
            forget_shared(root, config)
        keep_state(root, version, _stamps(root) if made and not anew else {})
    return erasure


def erasure_of(root: Path, forgotten: Forgotten) -> Erasure:
    """What takes all that was forgotten out of a file."""
    sessions = {stone.session for stone in forgotten.tombstones if stone.session}
    files = {name for key in sessions for name in files_of_session(root, key)}
    redactor = Redactor([forgotten.matcher] if forgotten.matcher else [])
    return Erasure(
        redactor, forgotten.is_path, files, lambda id: forgotten.hashes.phrase([id]).hash
    )


def own_files(root: Path, *, derived: bool = False) -> list[str]:
    """Every regular file of hippo's own by its path from the root, the master first: those that can be made again
    from the notes (``derived``), or those that cannot."""
    names = [
        Path(folder, file).relative_to(root).as_posix()
        for folder, _, files in os.walk(root / FOLDER)
        for file in files
    ]
    return [
        name
        for name in (MASTER, *sorted(names))
        if (kind := kind_of(name)) != "stays" and (kind == "derived") == derived
        if (root / name).is_file() and is_inside(root, root / name)
    ]


def files_of_session(root: Path, key: str) -> set[str]:
    """The own files of a session, and those of its originals."""
    from hippocampus_cli.context.originals import originals_of  # no cycle needs it otherwise

    own = {path.relative_to(root).as_posix() for path in originals_of(root, key)}
    inside = f"{SESSIONS}/{key}/"
    return own.union(name for name in own_files(root) if is_id(key) and name.startswith(inside))


def remove_files(root: Path, names: Iterable[str | Path]) -> None:
    """Remove files below ``root``. Raises :class:`FileUnwritable`."""
    for name in names:
        with writing(str(name)):
            (root / name).unlink(missing_ok=True)


def _rewrite(episodes: EpisodeStore, name: str, erasure: Erasure, forgotten: Forgotten) -> None:
    root = episodes.root
    path = index_path(root) if name == MASTER else root / name
    attempts = rounds(name)
    while path.exists():
        with next(attempts):
            with reading(name):
                before = read_regular(path)
            after = erasure.applied(name, before)
            if after != before:
                if erasure.gone:  # the guard would take them for lost
                    with contextlib.suppress(HippoError):
                        take(root, {})
                list_forgotten(episodes, name, before, after or b"", forgotten.tombstones[-1].at)
                replace_bytes(path, after, name, before)
            return


def _remove_leftovers(root: Path) -> None:
    """Remove what writers left that were killed, beside notes too; all locks are held, so it is nobody's."""
    for folder in (*scan(root).folders, *(inside for inside, _, _ in os.walk(root / FOLDER))):
        left = [path for path in (root / folder).glob(LEFTOVERS) if not path.is_dir()]
        for path in (root / folder).iterdir() if left else ():
            clear_leftovers(path)  # a note that somebody wrote to since comes back
        remove_files(root, left)


def _stamps(root: Path) -> dict[str, list[int]]:
    """What every file looks like."""
    stamps = {}
    for name in own_files(root):
        with contextlib.suppress(OSError):
            stamps[name] = [*FileStat.of((root / name).stat())[1:]]
    return stamps
