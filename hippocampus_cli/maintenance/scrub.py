"""Keeping what was forgotten out of every file of hippo's own (:mod:`tombstones`).

What can be made again from the notes (databases, vectors, fingerprints in ``.hippocampus/cache``, the anchors) is
removed whole, for the free pages of a database hold what was deleted from it. Every other file is replaced by one
without it, each in one rename, under the locks. ``.hippocampus/cache/forgotten.json`` says for which tombstones that
was finished, and of which files: whoever is killed in the middle leaves it as it was, and the next run does the rest.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from hippocampus_cli.config.settings import Config
from hippocampus_cli.errors import (
    FileUnreadable,
    FileUnwritable,
    IndexNotFound,
    IndexRefused,
    IndexShrunk,
)
from hippocampus_cli.index.document import ARCHIVE, MASTER, TOPICS
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.maintenance.erasure import (
    Erasure,
    Period,
)
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.redaction.phrases import Hashes
from hippocampus_cli.redaction.redactor import Redactor
from hippocampus_cli.workspace import snapshots, tombstones
from hippocampus_cli.workspace.atomic import Overtaken, is_leftover, replace_bytes
from hippocampus_cli.workspace.commit import recover
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import (
    ANCHORS,
    ANCHORS_LOCK,
    CACHE,
    FOLDER,
    FORGOTTEN,
    HISTORY,
    ORIGINALS,
    SESSIONS,
    SNAPSHOTS,
    SQLITE_ENDINGS,
    ensure_folder,
    index_path,
    is_as_left,
    is_inside,
    seal,
)
from hippocampus_cli.workspace.regular import read_regular
from hippocampus_cli.workspace.store import IndexStore
from hippocampus_cli.workspace.tombstones import Forgotten

STATE = f"{CACHE}/forgotten.json"
RECORDS = f"{CACHE}/compactions"
_ROUNDS = 20
_FIRST = (MASTER, TOPICS, ARCHIVE)
KEPT_FROM_BEFORE = (
    f"{SESSIONS}/",
    f"{RECORDS}/",
    f"{FOLDER}/journal/",
    f"{FOLDER}/reports/",
    f"{FOLDER}/upkeep.log",
)
"""What older versions may have kept before anything was redacted."""
_ENTRIES_GONE = ".gone"


class Scrubbed(NamedTuple):
    """What a scrub did: in how many places it met what was forgotten, how many entries it deleted, whether there were
    anchors, which had to go, and the files that could not be looked into."""

    places: int
    deleted: int
    anchors: bool
    damaged: tuple[str, ...]


def scrub(
    root: Path, config: Config, leads: Callable[[Pointer], bool] = lambda pointer: True
) -> Scrubbed | None:
    """Take what was forgotten out of every own file that changed since the last time; ``None`` where nothing had to
    be looked at. ``leads``: pointers of notes that were just changed may lead nowhere now.

    Raises :class:`Busy`, :class:`FileUnwritable`, :class:`FileUnreadable`, :class:`OutsideWorkspace`; what is left
    is done by the next run.
    """
    forgotten = tombstones.load(root)
    if forgotten is None:
        return None
    state, clean = _known(root)
    anew = state != forgotten.state
    if not anew and _is_clean(root, forgotten, clean):
        return None
    erasure = erasure_of(forgotten)
    erasure.leads = leads
    timeout = config.lock.timeout_seconds
    with locked(root, timeout, ANCHORS_LOCK):
        _erase_index(IndexStore(root, timeout, config.upkeep.loss_limit), erasure)
        with locked(root, timeout):
            recover(root)
            return _Scrub(root, erasure, {} if anew else clean).run(forgotten, anew=anew)


def _is_clean(root: Path, forgotten: Forgotten, clean: Mapping[str, list[int]]) -> bool:
    """Whether no own file can hold what was forgotten: none changed since the last scrub."""
    names = own_files(root) if forgotten.tombstones else ()
    return all(clean.get(name) == _stamp(root, name) for name in names)


def _erase_index(store: IndexStore, erasure: Erasure) -> None:
    """Take it out of the index by a change like any other.

    One that cannot be changed so (there is none, it shrank, or it has the markers of a merge) is left to
    :class:`_Scrub`, which takes its files as they are.
    """

    def change(index: Hierarchy) -> tuple[Hierarchy, None]:
        store.require_whole(index, archive=True)
        result = index
        for path, text in index.texts.items():
            after = erasure.applied(path, before := encode(text))
            if after is not None and after != before:
                result = result.with_file(path, parse(decode(after)))
        return (index if result == index else result.counted()), None

    with contextlib.suppress(IndexNotFound, IndexRefused, IndexShrunk):
        store.change(change, archive=True, shrunk=True)


def redact(root: Path, timeout: float, redactor: Redactor, folders: tuple[str, ...]) -> None:
    """Take secrets out of what is kept in these folders. Raises as :func:`scrub`."""
    with locked(root, timeout):
        work = _Scrub(root, Erasure(redactor, Hashes(b"redacted").name))
        work.files(name for name in own_files(root) if name.startswith(folders))
        if SNAPSHOTS in folders:
            snapshots.rewrite(root, work.erasure.applied)
        remove_files(root, [root / CACHE / "secrets.json"])  # older versions hashed them there


def is_finished(root: Path) -> bool:
    """Whether everything that was forgotten is out of every file, as far as is known without looking."""
    forgotten = tombstones.load(root)
    return forgotten is None or not forgotten.tombstones or _known(root)[0] == forgotten.state


def erasure_of(forgotten: Forgotten) -> Erasure:
    """What takes all that was forgotten out of a file."""
    matcher = forgotten.matcher
    return Erasure(
        Redactor([matcher] if matcher else []),
        forgotten.hashes.name,
        forgotten.is_path,
        [
            Period(stone.since, stone.until, stone.at)
            for stone in forgotten.tombstones
            if stone.since and stone.until
        ],
    )


def own_files(root: Path) -> Iterator[str]:
    """Every regular file of hippo's own by its path from the root, those that hold entries first; no databases of a
    cache."""
    names = [MASTER] if os.path.lexists(root / MASTER) else []
    for folder, folders, files in os.walk(root / FOLDER):
        inside = Path(folder).relative_to(root).as_posix()
        folders[:] = [one for one in folders if is_inside(root, Path(folder, one))]
        names += [f"{inside}/{file}" for file in files]
    kept = (name for name in names if not _is_rebuildable(name) and _is_file(root, name))
    yield from sorted(kept, key=lambda one: (not one.startswith(_FIRST), one))


def rebuildable_files(root: Path) -> list[str]:
    """The files that are made again from the notes."""
    found = []
    for folder in (CACHE, ANCHORS):
        for inside, _, files in os.walk(root / folder):
            paths = (Path(inside, file).relative_to(root).as_posix() for file in files)
            found += [path for path in paths if _is_rebuildable(path)]
    return sorted(found)


_KEPT_AS_THEY_ARE = (FORGOTTEN, STATE, f"{FOLDER}/config.toml", f"{FOLDER}/.gitignore")


def _is_rebuildable(name: str) -> bool:
    if name.startswith(f"{ANCHORS}/"):
        return True
    kept = name.startswith(f"{RECORDS}/") or name == STATE
    return name.startswith(f"{CACHE}/") and not kept


def _is_file(root: Path, name: str) -> bool:
    path = root / name
    locks = name.endswith((".lock", *SQLITE_ENDINGS)) or name == f"{FOLDER}/lock"
    return not locks and name not in _KEPT_AS_THEY_ARE and path.is_file() and is_inside(root, path)


def _stamp(root: Path, name: str) -> list[int] | None:
    try:
        stat = (root / name).stat()
    except OSError:
        return None
    return [*FileStat.of(stat)[1:]]


def _known(root: Path) -> tuple[str, dict[str, list[int]]]:
    """For which tombstones the last scrub was finished, and what the files looked like after it."""
    try:
        row: Any = json.loads(read_regular(root / STATE))
        return str(row["of"]), dict(row["clean"])
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return "", {}


class _Scrub:
    """One scrub; the locks are held. ``clean`` is what files looked like that hold nothing of it."""

    def __init__(
        self, root: Path, erasure: Erasure, clean: Mapping[str, list[int]] | None = None
    ) -> None:
        self.root = root
        self.erasure = erasure
        self.clean = clean or {}
        self.damaged: list[str] = []

    def run(self, forgotten: Forgotten, *, anew: bool) -> Scrubbed:
        """``anew``: not all tombstones are those of the last time, so the caches must go."""
        anchors = anew and (self.root / ANCHORS).is_dir()
        if anew:
            remove_files(self.root, [self.root / name for name in rebuildable_files(self.root)])
            shutil.rmtree(self.root / ANCHORS, ignore_errors=True)
        self._remove_leftovers()
        for stone in forgotten.tombstones:
            if stone.session:
                self._remove_session(stone.session)
        if self.erasure.periods:
            self._remove_days()
        self.files(own_files(self.root))
        snapshots.rewrite(self.root, self.erasure.applied)  # by the ids that the index has now
        stamps = {name: _stamp(self.root, name) for name in own_files(self.root)}
        row = {"of": forgotten.state, "clean": stamps}
        data = json.dumps(row, separators=(",", ":")).encode("utf-8", "surrogatepass")
        replace_bytes(ensure_folder(self.root, STATE), data, STATE)
        return Scrubbed(self.erasure.count, len(self.erasure.gone), anchors, tuple(self.damaged))

    def files(self, names: Iterable[str]) -> None:
        """Replace each file that changed since the last time by one without it, or delete it."""
        for name in names:
            looked_at = self.clean.get(name) == _stamp(self.root, name) is not None
            if not looked_at and not name.startswith(f"{SNAPSHOTS}/"):
                self._file(name)

    def _file(self, name: str) -> None:
        path = index_path(self.root) if name == MASTER else self.root / name
        for _ in range(_ROUNDS):
            try:
                before = read_regular(path)
                after = self.erasure.applied(name, before)
            except FileNotFoundError:
                return
            except FileUnreadable:
                self.damaged.append(name)
                return
            except OSError as error:
                raise FileUnreadable(path=name, reason=error.strerror or str(error)) from error
            if after is None:
                self._unlink(name)
            if after is None or after == before:
                return
            sealed = is_as_left(path)
            with contextlib.suppress(Overtaken):
                replace_bytes(path, after, name, before)
                if sealed:
                    seal(path)
                return
        raise FileUnwritable(path=name, reason="another program keeps writing to it")

    def _remove_leftovers(self) -> None:
        """What writers left that were killed; all locks are held, so it is nobody's."""
        folders = [self.root, *(Path(one) for one, _, _ in os.walk(self.root / FOLDER))]
        for folder in folders:
            for path in folder.iterdir():
                if is_leftover(path.name) and not path.is_dir():
                    self._unlink(path.relative_to(self.root).as_posix())
        for path in (self.root / SESSIONS).glob(f".*{_ENTRIES_GONE}"):
            shutil.rmtree(path, ignore_errors=True)

    def _remove_days(self) -> None:
        """What was kept in days that were forgotten."""
        moments = {name: moment_of(self.root, name) for name in own_files(self.root)}
        # The archive before the record that dates it.
        for name, moment in reversed(moments.items()):
            if any(period.holds(moment) for period in self.erasure.periods):
                self.erasure.count += 1
                if name.startswith(f"{SESSIONS}/") and name.endswith("/session.json"):
                    self._remove_session(name.split("/")[-2])
                else:
                    self._unlink(name)

    def _remove_session(self, key: str) -> None:
        folder = self.root / SESSIONS / key
        archived = folder.with_name(f"{key}.zip")
        self.erasure.count += folder.is_dir() + archived.is_file()
        if folder.is_dir() and not folder.is_symlink():
            with contextlib.suppress(OSError):  # renamed first: half a session is none
                folder = folder.rename(folder.with_name(f".{key}{_ENTRIES_GONE}"))
            shutil.rmtree(folder, ignore_errors=True)
        if archived.is_file():
            self._unlink(archived.relative_to(self.root).as_posix())
        from hippocampus_cli.context.originals import originals_of  # no cycle needs it otherwise

        originals = originals_of(self.root, key)
        self.erasure.count += len(originals)
        remove_files(self.root, originals)

    def _unlink(self, name: str) -> None:
        remove_files(self.root, [self.root / name])


def remove_files(root: Path, paths: Iterable[Path]) -> None:
    """Remove files below ``root``. Raises :class:`FileUnwritable`."""
    for path in paths:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            name = path.relative_to(root).as_posix()
            raise FileUnwritable(path=name, reason=error.strerror or str(error)) from error


def moment_of(root: Path, name: str) -> str:
    """When a file that stands for one moment was begun; empty for every other file."""
    path = root / name
    if name.startswith(f"{HISTORY}/"):
        return _said(path.with_suffix(".json"), "at")
    if name.startswith(f"{SESSIONS}/") and name.endswith("/session.json"):
        return _said(path, "begun")
    dated = name.startswith((f"{ORIGINALS}/", f"{RECORDS}/", f"{SNAPSHOTS}/", f"{FOLDER}/reports/"))
    if dated or (name.startswith(f"{SESSIONS}/") and name.endswith(".zip")):
        try:
            return (
                datetime.fromtimestamp(FileStat.of(path.stat()).changed_at).astimezone().isoformat()
            )
        except (OSError, ValueError, OverflowError):
            return ""
    return ""


def _said(path: Path, key: str) -> str:
    try:
        row: Any = json.loads(read_regular(path))
        return str(row[key])
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return ""
