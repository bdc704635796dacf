"""Keeping what was forgotten out of every file of hippo's own (:mod:`tombstones`).

What can be made again from the notes (databases, vectors, fingerprints in ``.hippocampus/cache``, the anchors) is
removed whole, for the free pages of a database hold what was deleted from it. Every other file goes, or one without
it replaces it in one rename, under the locks. ``.hippocampus/cache/forgotten.json`` says for which tombstones that
was finished, and of which files: whoever is killed in the middle leaves it as it was, and the next run does the rest.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.config.settings import Config
from hippocampus_cli.errors import FileUnreadable
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.maintenance.erasure import Erasure
from hippocampus_cli.redaction.redactor import Redactor
from hippocampus_cli.search.library import forget_shared
from hippocampus_cli.workspace import tombstones
from hippocampus_cli.workspace.atomic import LEFTOVERS, clear_leftovers, replace_bytes, rounds
from hippocampus_cli.workspace.commit import recover
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import (
    ANCHORS,
    ANCHORS_LOCK,
    CACHE,
    FOLDER,
    FORGOTTEN,
    KNOWN_IDS,
    SESSIONS,
    SHARED,
    SQLITE_ENDINGS,
    ensure_folder,
    index_path,
    is_as_left,
    is_inside,
    seal,
)
from hippocampus_cli.workspace.regular import read_regular, reading, writing
from hippocampus_cli.workspace.scan import scan
from hippocampus_cli.workspace.state import IF_SENSIBLE, read_state
from hippocampus_cli.workspace.tombstones import Forgotten

STATE = f"{CACHE}/forgotten.json"
RECORDS = f"{CACHE}/compactions"
_STAY = (
    FORGOTTEN,
    STATE,
    f"{FOLDER}/config.toml",
    f"{FOLDER}/.gitignore",
    f"{FOLDER}/lock",
    SHARED,
)
_LOCKS = (".lock", *SQLITE_ENDINGS)


class Scrubbed(NamedTuple):
    """What a scrub did: how many entries it deleted, whether there were anchors, which had to go, and the files that
    could not be looked into."""

    deleted: int
    anchors: bool
    damaged: tuple[str, ...]


def scrub(root: Path, config: Config) -> Scrubbed | None:
    """Take what was forgotten out of every own file that changed since the last time; ``None`` where nothing had to
    be looked at.

    Raises :class:`Busy`, :class:`FileUnwritable`, :class:`FileUnreadable`, :class:`OutsideWorkspace`,
    :class:`StoreUnavailable`; what is left is done by the next run.
    """
    forgotten = tombstones.load(root)
    if forgotten is None:
        return None
    state, clean = _finished(root)
    anew = state != forgotten.state
    if not anew and (not forgotten.tombstones or {**clean, **_stamps(root)} == clean):
        return None
    erasure, timeout = erasure_of(forgotten), config.lock.timeout_seconds
    with locked(root, timeout, ANCHORS_LOCK), locked(root, timeout):
        recover(root)
        anchors = anew and _remove_rebuildable(root)
        _remove_leftovers(root)
        eraser = Eraser(root, erasure, [stone.session for stone in forgotten.tombstones])
        eraser.rewrite_files({} if anew else clean)
        for key in eraser.sessions:
            shutil.rmtree(root / SESSIONS / key, ignore_errors=True)
        if anew:  # last: where it is away, the next run does it all again
            forget_shared(root, config)
        row = {"of": forgotten.state, "clean": _stamps(root)}
        data = json.dumps(row, separators=(",", ":")).encode("utf-8", "surrogatepass")
        replace_bytes(ensure_folder(root, STATE), data, STATE)
    return Scrubbed(len(erasure.gone), anchors, tuple(eraser.damaged))


def is_finished(root: Path) -> bool:
    """Whether everything that was forgotten is out of every file, as far as is known without looking."""
    forgotten = tombstones.load(root)
    return forgotten is None or not forgotten.tombstones or _finished(root)[0] == forgotten.state


def erasure_of(forgotten: Forgotten) -> Erasure:
    """What takes all that was forgotten out of a file."""
    matchers = [forgotten.matcher] if forgotten.matcher else []
    return Erasure(Redactor(matchers), forgotten.is_path)


def own_files(root: Path) -> list[str]:
    """Every regular file of hippo's own by its path from the root, the master first; none that can be made again from
    the notes."""
    names = [MASTER, *sorted(_files_of(root))]
    return [name for name in names if not _is_rebuildable(name) and _is_text(root, name)]


def rebuildable_files(root: Path) -> list[str]:
    """The files that are made again from the notes."""
    return sorted(filter(_is_rebuildable, _files_of(root)))


def remove_files(root: Path, paths: Iterable[Path]) -> None:
    """Remove files below ``root``. Raises :class:`FileUnwritable`."""
    for path in paths:
        with writing(path.relative_to(root).as_posix()):
            path.unlink(missing_ok=True)


class Eraser:
    """What becomes of each file of hippo's own: it stays, it goes, or one without what is erased replaces it.

    ``sessions`` go whole. ``damaged`` are files that could not be looked into.
    """

    def __init__(self, root: Path, erasure: Erasure, sessions: Iterable[str] = ()) -> None:
        self.root = root
        self.erasure = erasure
        self.damaged: list[str] = []
        self.sessions = set(filter(None, sessions))
        self.originals = self._originals() if self.sessions else set()

    def applied(self, name: str, data: bytes) -> bytes | None:
        """What is to be in the file ``name`` in the place of ``data``, ``None`` where it goes.

        Raises :class:`FileUnreadable` for an archive that cannot be looked into.
        """
        session = name.removeprefix(f"{SESSIONS}/").partition("/")[0].removesuffix(".zip")
        is_of_session = name.startswith(f"{SESSIONS}/") and session in self.sessions
        if is_of_session or self.root / name in self.originals:
            self.erasure.count += 1
            return None
        return self.erasure.applied(name, data)

    def rewrite_files(self, clean: Mapping[str, list[int] | None]) -> None:
        """Replace or remove each file that is not ``clean``, as it looked when it held nothing."""
        for name in own_files(self.root):
            if clean.get(name) != _stamp(self.root, name):
                self._rewrite(name)

    def _rewrite(self, name: str) -> None:
        path = index_path(self.root) if name == MASTER else self.root / name
        attempts = rounds(name)
        while path.exists():
            with next(attempts):
                with reading(name):
                    before = read_regular(path)
                try:
                    after = self.applied(name, before)
                except FileUnreadable:
                    self.damaged.append(name)
                    return
                if after is None:
                    remove_files(self.root, [path])
                elif after != before:
                    if self.erasure.gone:  # the guard would take them for lost
                        remove_files(self.root, [self.root / KNOWN_IDS])
                    sealed = is_as_left(path)
                    replace_bytes(path, after, name, before)
                    if sealed:
                        seal(path)
                return

    def _originals(self) -> set[Path]:
        from hippocampus_cli.context.originals import originals_of  # no cycle needs it otherwise

        return {path for key in self.sessions for path in originals_of(self.root, key)}


def _remove_rebuildable(root: Path) -> bool:
    """Remove what the notes give again; whether there were anchors."""
    anchors = (root / ANCHORS).is_dir()
    remove_files(root, [root / name for name in rebuildable_files(root)])
    shutil.rmtree(root / ANCHORS, ignore_errors=True)
    return anchors


def _remove_leftovers(root: Path) -> None:
    """Remove what writers left that were killed, beside notes too; all locks are held, so it is nobody's."""
    notes = [root / folder for folder in scan(root).folders]
    for folder in [*notes, *(Path(folder) for folder, _, _ in os.walk(root / FOLDER))]:
        left = [path for path in folder.glob(LEFTOVERS) if not path.is_dir()]
        if left and folder in notes:
            for path in folder.iterdir():
                clear_leftovers(path)  # a note that somebody wrote to since comes back
        remove_files(root, filter(Path.exists, left))


def _files_of(root: Path) -> Iterator[str]:
    """The files in the folder of hippo's own, without what is linked from outside."""
    for folder, folders, files in os.walk(root / FOLDER):
        inside = Path(folder).relative_to(root).as_posix()
        folders[:] = [child for child in folders if is_inside(root, Path(folder, child))]
        yield from (f"{inside}/{file}" for file in files)


def _is_rebuildable(name: str) -> bool:
    kept = name.startswith(f"{RECORDS}/") or name in (STATE, SHARED)
    return name.startswith(f"{ANCHORS}/") or (name.startswith(f"{CACHE}/") and not kept)


def _is_text(root: Path, name: str) -> bool:
    path = root / name
    stays = name in _STAY or name.endswith(_LOCKS)
    return not stays and path.is_file() and is_inside(root, path)


def _stamps(root: Path) -> dict[str, list[int] | None]:
    return {name: _stamp(root, name) for name in own_files(root)}


def _stamp(root: Path, name: str) -> list[int] | None:
    try:
        stat = (root / name).stat()
    except OSError:
        return None
    return [*FileStat.of(stat)[1:]]


def _finished(root: Path) -> tuple[str, dict[str, list[int] | None]]:
    """For which tombstones the last scrub was finished, and what the files looked like after it."""
    with IF_SENSIBLE:
        row = read_state(root, STATE)
        return str(row["of"]), dict(row["clean"])
    return "", {}
