"""Several files changed as one (decision D16): all of them at any kill point, or none.

The new contents go into one file, ``.hippocampus/pending.zip``, in one rename: that is the moment from which
the change holds. Then each file is replaced, and the pending file removed. Whoever finds a pending file,
with the lock held, finishes the work of the process that was killed.
"""

from __future__ import annotations

import contextlib
import io
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from types import EllipsisType
from typing import NamedTuple

from hippocampus_cli.errors import FileUnreadable, FileUnwritable, HippoError, OutsideWorkspace
from hippocampus_cli.index.files import FOLDER, MASTER
from hippocampus_cli.workspace.atomic import Overtaken, check_still, replace_bytes
from hippocampus_cli.workspace.own_files import PENDING, ensure_folder, index_path, is_inside
from hippocampus_cli.workspace.regular import read_regular

_NOW = (1980, 1, 1, 0, 0, 0)  # the same change makes the same bytes
_BEFORE, _AFTER = "before/", "after/"
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(ValueError, RuntimeError, LookupError, OverflowError),
)
"""What reading a zip raises where its bytes are not what was written."""
_MOST_MEMBERS = 20_000
_MOST_BYTES = 512_000_000  # unpacked, all together
_MOST_TIMES = (
    200  # as many bytes as are packed; text shrinks to a tenth, and empty megabytes to a thousandth
)
_SMALL = 16_000_000  # bytes that are unpacked whatever they came from
_ALLOWED = ("topics/", "archive/", "temporal/", "history/", "reports/", "meta.json")


class Replacement(NamedTuple):
    """A file's bytes before and after; ``None`` where there is no such file."""

    before: bytes | None
    after: bytes | None


Replacements = Mapping[str, Replacement]


def commit(root: Path, replacements: Replacements) -> None:
    """Replace these files, by path from the root, as one. The caller holds the lock.

    Raises :class:`FileUnwritable`, and :class:`Overtaken` where a file is not as it was ``before``; then every
    file is as it was.
    """
    if len(replacements) == 1:
        for path, one in replacements.items():
            _write(root, path, one.after, one.before)
        return
    pending = ensure_folder(root, PENDING)
    replace_bytes(pending, packed(replacements), PENDING)
    try:
        for path, one in replacements.items():
            _write(root, path, one.after, one.before)
    except (HippoError, Overtaken):  # the disk is full, say: everything back, as if never tried
        for path, one in replacements.items():
            if read_or_none(root, path) == one.after != one.before:
                _write(root, path, one.before, one.after)
        drop(root)
        raise
    drop(root)


def pending(root: Path) -> Replacements | None:
    """What a killed process left to do; ``None`` where there is nothing, or nothing that makes sense.

    Raises :class:`FileUnreadable` where the file may not be read: another user's work is not to be dropped.
    """
    if not is_inside(root, root / PENDING):
        return None
    data = read_or_none(root, PENDING)
    try:
        return None if data is None else unpacked(data)
    except FileUnreadable:
        return None


def finish(root: Path, replacements: Replacements) -> None:
    """Carry out what was left to do, and let go of it."""
    for path, one in replacements.items():
        if read_or_none(root, path) != one.after:
            _write(root, path, one.after)
    drop(root)


def drop(root: Path) -> None:
    """Remove the pending file."""
    with contextlib.suppress(OSError):
        (root / PENDING).unlink()


def packed(replacements: Replacements) -> bytes:
    """Files before and after as one zip: ``before/HIPPOCAMPUS.md``, ``after/HIPPOCAMPUS.md`` and so on."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for path, one in sorted(replacements.items()):
            for folder, data in ((_BEFORE, one.before), (_AFTER, one.after)):
                if data is not None:
                    archive.writestr(
                        zipfile.ZipInfo(folder + path, _NOW), data, zipfile.ZIP_DEFLATED, 1
                    )
    return buffer.getvalue()


def unpacked(data: bytes, name: str = PENDING) -> Replacements:
    """What :func:`packed` made. Raises :class:`FileUnreadable`, with ``name``, for anything else."""
    found: dict[str, list[bytes | None]] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check_bounds(archive.infolist(), len(data), name)
            for member in archive.infolist():
                folder, _, path = member.filename.partition("/")
                if folder not in ("before", "after") or not _is_own(path):
                    raise FileUnreadable(path=name, reason=f"it holds {member.filename[:80]!r}")
                found.setdefault(path, [None, None])[folder == "after"] = archive.read(member)
    except _DAMAGED as error:
        raise FileUnreadable(path=name, reason="it is damaged") from error
    return {path: Replacement(*pair) for path, pair in found.items()}


def _check_bounds(members: Sequence[zipfile.ZipInfo], size: int, name: str) -> None:
    """Refuse what no :func:`packed` made, before a byte of it is unpacked: no member gives more than it says."""
    most = min(_MOST_BYTES, max(_SMALL, size * _MOST_TIMES))
    if len(members) > _MOST_MEMBERS or sum(one.file_size for one in members) > most:
        raise FileUnreadable(path=name, reason="it would unpack to more than hippo ever packs")
    if len({one.filename for one in members}) != len(members):
        raise FileUnreadable(path=name, reason="a name stands twice in it")
    if any(one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for one in members):
        raise FileUnreadable(path=name, reason="it is packed as hippo never packs")


def read_or_none(root: Path, path: str) -> bytes | None:
    """The bytes of an own file; ``None`` where there is none. Raises :class:`FileUnreadable`."""
    if path != MASTER and not is_inside(root, root / path):
        reason = f"{path} is a link that leads out of the workspace"
        raise OutsideWorkspace(path=path, reason=reason)
    try:
        data = read_regular(root / path, _MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FileUnreadable(path=path, reason=error.strerror or str(error)) from error
    if len(data) > _MOST_BYTES:
        raise FileUnreadable(path=path, reason=f"larger than {_MOST_BYTES:,} bytes")
    return data


def _is_own(path: str) -> bool:
    """Whether hippo itself writes such a file: a pending file from elsewhere must not reach further."""
    parts = PurePosixPath(path).parts
    if path == MASTER:
        return True
    inside = path.startswith(FOLDER) and path.removeprefix(FOLDER).startswith(_ALLOWED)
    plain = not any(char < " " or char in "\\:" for char in path)
    return inside and plain and ".." not in parts


def _write(
    root: Path, path: str, data: bytes | None, expected: bytes | EllipsisType | None = ...
) -> None:
    target = _target(root, path)
    if data is not None:
        replace_bytes(target, data, path, expected)
        return
    try:
        check_still(target, expected)
        target.unlink(missing_ok=True)
    except OSError as error:
        raise FileUnwritable(path=path, reason=error.strerror or str(error)) from error


def _target(root: Path, path: str) -> Path:
    if path != MASTER:
        return ensure_folder(root, path)
    return index_path(root)
