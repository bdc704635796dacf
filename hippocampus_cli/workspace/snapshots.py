"""Verified copies of the whole index that depend on nothing else: ``.hippocampus/snapshots/0007-120-9f3a61c2.zip``.

A name says the number, how many living entries there are, and the checksum of the files; when it was made is the
file's time. One from which something was taken out since ends in ``-rewritten.zip``. Together with ``ids.json``
(:mod:`guard`) the folder holds all that is kept of an index besides itself and the history: :func:`kept_files` lists
it and :func:`rewrite` changes what is in it.
"""

from __future__ import annotations

import contextlib
import os
import zlib
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from hippocampus_cli.errors import (
    FileUnreadable,
    FileUnwritable,
    IndexRefused,
    NoSnapshot,
    OutsideWorkspace,
)
from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.index.document import ARCHIVE, MASTER, TOPICS
from hippocampus_cli.index.edit import add_text
from hippocampus_cli.index.hierarchy import Hierarchy, new_file
from hippocampus_cli.index.parse import parse
from hippocampus_cli.markdown.lines import encode
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.commit import hierarchy_of, holds_entries, is_own, read_or_none
from hippocampus_cli.workspace.guard import Known, changed_at, ids_of, read_known, write_known
from hippocampus_cli.workspace.own_files import KNOWN_IDS, SNAPSHOTS, ensure_folder, is_inside
from hippocampus_cli.workspace.transaction import Replacement, packed, unpacked

_LAST, _DAYS, _WEEKS = 5, 7, 8
_MOST_BYTES = 50_000_000
_NAME = pattern(r"(\d{4,})-(\d+)-([0-9a-f]{8})(-rewritten)?\.zip")
Files = Mapping[str, bytes]


class Snapshot(NamedTuple):
    """One copy: of how many living ``entries``, made ``at`` (UTC), ``size`` bytes on disk.

    ``rewritten``: it is without what was forgotten since, or was found to be a secret.
    """

    number: int
    entries: int
    checksum: str
    at: datetime
    size: int
    rewritten: bool = False

    @property
    def path(self) -> str:
        """The file, from the workspace's root."""
        ending = "-rewritten.zip" if self.rewritten else ".zip"
        return f"{SNAPSHOTS}/{self.number:04}-{self.entries}-{self.checksum}{ending}"


def snapshots(root: Path) -> list[Snapshot]:
    """Those that are kept, the oldest first, as their names say; none is opened."""
    found = []
    for path in _listed(root):
        if name := _NAME.fullmatch(path.name):
            with contextlib.suppress(OSError):
                status = path.stat()
                at = datetime.fromtimestamp(status.st_mtime, UTC)
                number, entries, size = int(name[1]), int(name[2]), status.st_size
                found.append(Snapshot(number, entries, name[3], at, size, bool(name[4])))
    return sorted(found, key=lambda one: one.number)


def opened(root: Path, snapshot: Snapshot) -> Files:
    """The files of a snapshot, verified: unpacked, checksummed, parsed, counted. Raises :class:`FileUnreadable`."""
    data = read_or_none(root, snapshot.path)
    if data is None:
        raise FileUnreadable(path=snapshot.path, reason="there is no such file")
    found = {path: one.after for path, one in unpacked(data, snapshot.path, is_own).items()}
    files = {path: data for path, data in found.items() if data is not None and holds_entries(path)}
    whole = found == files and _checksum(files) == snapshot.checksum
    if not whole or _living(hierarchy_of(files)) != snapshot.entries:
        raise FileUnreadable(path=snapshot.path, reason="it is damaged")
    return files


def newest(root: Path, number: int | None = None) -> tuple[Snapshot, Hierarchy]:
    """The newest that is verified with the entries made since, or just the one with this number.

    Raises :class:`NoSnapshot`, and :class:`FileUnreadable` where the one that was named is damaged.
    """
    kept = snapshots(root)
    if number is not None:
        for one in kept:
            if one.number == number:
                index = hierarchy_of(dict(opened(root, one)))
                return one, _with_new(root, index) if one is kept[-1] else index
        raise NoSnapshot(reason=f"there is no snapshot {number} of the index")
    for one in reversed(kept):
        with contextlib.suppress(FileUnreadable):
            return one, _with_new(root, hierarchy_of(dict(opened(root, one))))
    raise NoSnapshot(reason="no snapshot of the index is kept")


def _with_new(root: Path, index: Hierarchy) -> Hierarchy:
    """The index of the newest snapshot with the entries that were made since; one that finds no place is left."""
    known = read_known(root) or Known()
    for new in known.since:
        there = index.files.get(new.path) or new_file(new.path)
        ids = {one.entry.id for one in (*index.entries, *index.archived)}
        with contextlib.suppress(IndexRefused):
            added = parse(new.raw)
            if not ids_of(added) & ids and holds_entries(new.path):
                index = index.with_file(new.path, add_text(there, new.section, new.raw))
    return index.counted() if known.since else index


def take(root: Path, at: datetime | None = None) -> None:
    """Make a snapshot of the index as it is on disk, unless the newest holds just that; then remove old ones.

    The caller holds the lock and has seen that the index is as it should be. ``at`` is the present for whoever
    knows it. A disk that refuses costs the snapshot, nothing else.
    """
    with contextlib.suppress(OSError, FileUnreadable, FileUnwritable, OutsideWorkspace):
        files, kept = index_files(root), snapshots(root)
        checksum = _checksum(files)
        known = read_known(root)
        if kept and kept[-1].checksum == checksum:
            _date(root / kept[-1].path, at)
            _catch_up(root, known)
            return
        number = kept[-1].number + 1 if kept else 1
        made = Snapshot(number, _living(hierarchy_of(files)), checksum, at or datetime.min, 0)
        data = packed({path: Replacement(None, one) for path, one in files.items()})
        path = ensure_folder(root, made.path)
        replace_bytes(path, data, made.path)
        _date(path, at)
        opened(root, made)
        _catch_up(root, known)
        _thin(root)


def _date(path: Path, at: datetime | None) -> None:
    """Let a file's time be the present of whoever knows it."""
    if at is not None:
        os.utime(path, (at.timestamp(), at.timestamp()))


def _catch_up(root: Path, known: Known | None) -> None:
    """Note that the newest snapshot has everything."""
    if known is not None:
        now = known._replace(since=(), at=changed_at(root))
        if now != known:
            write_known(root, now)


def index_files(root: Path) -> dict[str, bytes]:
    """The files of the index as they are on disk. Raises :class:`FileUnreadable`, :class:`OutsideWorkspace`."""
    names = [MASTER]
    for folder in (TOPICS, ARCHIVE):
        with contextlib.suppress(OSError):
            inside = sorted(name for name in os.listdir(root / folder) if name.endswith(".md"))
            names += [folder + name for name in inside if is_inside(root, root / folder / name)]
    found = {path: read_or_none(root, path) for path in names}
    return {path: data for path, data in found.items() if data is not None}


def kept_files(root: Path) -> list[str]:
    """Every file of the folder, from the workspace's root: the snapshots and what is known of the ids."""
    return [f"{SNAPSHOTS}/{path.name}" for path in _listed(root)]


def rewrite(root: Path, change: Callable[[str, bytes], bytes | None]) -> list[str]:
    """Replace what every snapshot holds by what ``change`` makes of each file's path and bytes (``None``: nothing),
    and forget the ids that no file of any has then; the paths that changed. The caller holds the lock.

    A snapshot that cannot be verified is removed: nobody can say what is in it. Raises :class:`FileUnwritable`.
    """
    changed: list[str] = []
    ids: frozenset[str] = ids_of(*hierarchy_of(index_files(root)).files.values())
    for one in snapshots(root):
        try:
            before = opened(root, one)
        except FileUnreadable:
            (root / one.path).unlink(missing_ok=True)
            changed.append(one.path)
            continue
        made = {path: change(path, data) for path, data in before.items()}
        after = {path: data for path, data in made.items() if data is not None}
        index = hierarchy_of(after)
        ids |= ids_of(*index.files.values())
        if after != before:
            _replace(root, one, after, _living(index))
            changed.append(one.path)
    if (known := read_known(root)) is not None:
        since = [(new, change(new.path, encode(new.raw))) for new in known.since]
        kept = tuple(new for new, data in since if data == encode(new.raw))
        ids |= ids_of(*(parse(new.raw) for new in kept))
        after_all = Known(known.living & ids, known.archived & ids, kept, known.at)
        if after_all != known:
            write_known(root, after_all)
            changed.append(KNOWN_IDS)
    return changed


def _replace(root: Path, old: Snapshot, files: Files, entries: int) -> None:
    """Put a snapshot with other content, of the same number and time, in the place of ``old``."""
    new = old._replace(entries=entries, checksum=_checksum(files), rewritten=True)
    path = ensure_folder(root, new.path)
    replace_bytes(
        path, packed({name: Replacement(None, one) for name, one in files.items()}), new.path
    )
    _date(path, old.at)
    if new.path != old.path:
        (root / old.path).unlink(missing_ok=True)


def outdated(kept: Sequence[Snapshot]) -> list[Snapshot]:
    """Those that need not be kept: of ``kept`` (the oldest first) the last few stay, then one a day for a week and
    one a week for eight, all of them within a number of bytes; the newest stays whatever its size."""
    if not kept:
        return []
    last = kept[-1].at
    staying = {one.number for one in kept[-_LAST:]}
    for count, days in ((_DAYS, 1), (_WEEKS, 7)):
        spans: dict[int, int] = {}
        for one in reversed(kept):
            spans.setdefault((last.date() - one.at.date()).days // days, one.number)
        staying |= {number for span, number in spans.items() if 0 <= span < count}
    gone, room = [], _MOST_BYTES
    for one in reversed(kept):
        room -= one.size
        if one.number not in staying or (room < 0 and one is not kept[-1]):
            gone.append(one)
            room += one.size
    return gone


def _thin(root: Path) -> None:
    for one in outdated(snapshots(root)):
        (root / one.path).unlink(missing_ok=True)


def _listed(root: Path) -> list[Path]:
    folder = root / SNAPSHOTS
    try:
        return sorted(folder.iterdir()) if is_inside(root, folder) else []
    except OSError:
        return []


def _living(index: Hierarchy) -> int:
    return len(index.entries)


def _checksum(files: Files) -> str:
    value = 0
    for path, data in sorted(files.items()):
        value = zlib.crc32(data, zlib.crc32(f"{path}\0{len(data)}\0".encode(), value))
    return f"{value:08x}"
