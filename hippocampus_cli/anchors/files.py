"""Reading and writing the files of the anchor index: all of them are replaced, at any kill point, or none.

The new files are written into a folder beside, and the folder is put in its place in one rename: from then on
the change holds. Then its files are moved out one by one. Whoever finds that folder moves the rest.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli.errors import AnchorsDamaged, FileUnreadable, FileUnwritable
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.own_files import (
    ANCHOR_EMBEDS,
    ANCHOR_INDEX,
    ANCHOR_META,
    ANCHORS,
    ensure_folder,
    ensure_ignored,
    is_inside,
)
from hippocampus_cli.workspace.regular import read_regular

if TYPE_CHECKING:
    from hippocampus_cli.anchors.index import AnchorIndexed

_NEXT = f"{ANCHORS}/next"
_NAMES = (ANCHOR_EMBEDS, ANCHOR_INDEX, ANCHOR_META)  # the last one names the others by their hashes


_LARGEST = 300_000_000  # bytes of one file; 5,000 anchors with 100,000 chunks and their vectors take half of it


class Stored(NamedTuple):
    """The bytes of the files; no ``embeds`` without an embedder."""

    listed: bytes
    meta: bytes
    embeds: bytes | None


class Stamp(NamedTuple):
    """How the files look from outside: size and time of change, in nanoseconds, of the two JSON files."""

    index_size: int
    index_mtime_ns: int
    meta_size: int
    meta_mtime_ns: int


def stored(index: AnchorIndexed, embeds: bytes | None) -> Stored:
    """The files of an index."""
    from hippocampus_cli.anchors.documents import index_bytes, meta_bytes

    listed = index_bytes(index)
    return Stored(listed, meta_bytes(index, listed, embeds), embeds)


def parsed(found: Stored) -> AnchorIndexed:
    """The index in its files. Raises :class:`AnchorsDamaged`."""
    from hippocampus_cli.anchors.documents import parse

    return parse(*found)


def digest_of(found: Stored) -> str:
    """What equal files have in common: the second names the others by their hashes."""
    from hippocampus_cli.anchors.documents import digest

    return digest(found.meta) + digest(found.listed)


def exists(root: Path) -> bool:
    """Whether anchors were ever built here."""
    return os.path.lexists(root / ANCHOR_INDEX) or os.path.lexists(root / _NEXT)


def has_vectors(root: Path) -> bool:
    """Whether the anchors were built with an embedder, damaged or not. Raises :class:`FileUnreadable`."""
    named = b'"embeds_sha256":"' in (_bytes(root, ANCHOR_META) or b"")
    return named or os.path.lexists(root / ANCHOR_EMBEDS)


def is_half_done(root: Path) -> bool:
    """Whether a writer was killed when its change held already: :func:`settle` ends it."""
    return os.path.lexists(root / _NEXT)


def stamp(root: Path) -> Stamp | None:
    """The stamp of the files as they are; ``None`` where one is missing."""
    try:
        index, meta = (FileStat.of((root / name).stat()) for name in (ANCHOR_INDEX, ANCHOR_META))
    except OSError:
        return None
    return Stamp(index.size, index.mtime_ns, meta.size, meta.mtime_ns)


def read(root: Path) -> Stored:
    """The files' bytes. Raises :class:`FileUnreadable`, :class:`AnchorsDamaged` where one is missing."""
    index, meta, embeds = (
        _bytes(root, name) for name in (ANCHOR_INDEX, ANCHOR_META, ANCHOR_EMBEDS)
    )
    if index is None or meta is None:
        missing = ANCHOR_INDEX if index is None else ANCHOR_META
        raise AnchorsDamaged(path=missing, reason="it is missing")
    return Stored(index, meta, embeds)


def write(root: Path, new: Stored) -> None:
    """Replace the files, the lock held. Raises :class:`FileUnwritable`; then they are as they were."""
    ensure_ignored(root)
    settle(root)
    data_of = {ANCHOR_INDEX: new.listed, ANCHOR_META: new.meta, ANCHOR_EMBEDS: new.embeds}
    made = f"{ANCHORS}/making"
    folder = root / made
    try:
        _remove(folder)
        for name, data in data_of.items():
            if data is not None:
                path = ensure_folder(root, f"{made}/{Path(name).name}")
                replace_bytes(path, data, name)
        folder.rename(root / _NEXT)
    except OSError as error:
        raise FileUnwritable(path=ANCHORS, reason=error.strerror or str(error)) from error
    finally:
        with contextlib.suppress(OSError):  # what stopped the change may stop this too
            _remove(folder)
    settle(root)


def settle(root: Path) -> None:
    """Move what a change left to be moved into place; the caller holds the lock. Raises :class:`FileUnwritable`."""
    folder = root / _NEXT
    if not os.path.lexists(folder):
        return
    ensure_folder(root, f"{_NEXT}/any")  # refuses a link that leads out of the workspace
    try:
        moving = [name for name in _NAMES if (folder / Path(name).name).is_file()]
        # With the index still to be moved nothing was moved but, maybe, the vectors: are there none, they go.
        if ANCHOR_INDEX in moving and ANCHOR_EMBEDS not in moving and not _has_vectors(folder):
            (root / ANCHOR_EMBEDS).unlink(missing_ok=True)
        for name in moving:
            (folder / Path(name).name).replace(root / name)
        _remove(folder)
    except OSError as error:
        raise FileUnwritable(path=_NEXT, reason=error.strerror or str(error)) from error


def _has_vectors(folder: Path) -> bool:
    meta = folder / Path(ANCHOR_META).name
    return b'"embeds_sha256":null' not in read_regular(meta)


def _remove(folder: Path) -> None:
    if folder.is_symlink():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder, ignore_errors=True)


def _bytes(root: Path, name: str) -> bytes | None:
    path = root / name
    if not is_inside(root, path):
        raise FileUnreadable(path=name, reason="it is a link that leads out of the workspace")
    with contextlib.suppress(FileNotFoundError):
        try:
            return read_regular(path, _LARGEST, whole=True)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise FileUnreadable(path=name, reason=error.strerror or str(error)) from error
    return None
