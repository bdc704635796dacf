"""Writing to a note: the same care as for the index, for a file that a person writes too (decision D16).

What is added at its end is added to the file itself; another change makes a new file, unless the note has other
names (hard links) or an owner who would lose it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from hippocampus_cli.errors import (
    BeingWritten,
    FileUnreadable,
    FileUnwritable,
    OutsideWorkspace,
)
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.workspace.atomic import (
    Overtaken,
    append_bytes,
    is_shared,
    overwrite_bytes,
    replace_bytes,
)
from hippocampus_cli.workspace.lease import PATIENCE, InUse, read_settled
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import is_inside, make_folders
from hippocampus_cli.workspace.paths import is_absolute, is_possible, normal
from hippocampus_cli.workspace.read import is_binary

_ROUNDS = 20
ChangeText = Callable[[str | None], str]


def change_note(root: Path, path: str, change: ChangeText, timeout: float) -> None:
    """Apply ``change`` to the text of a note as it is at this moment (``None``: it is new) and write the
    result.

    ``change`` may run several times and must be pure. Folders on the way are made. ``timeout`` is in seconds.

    Raises:
        OutsideWorkspace: the path, or a folder link on its way, leads out of ``root``.
        FileUnwritable: a link, a folder or binary data is in its place, or the disk refuses.
        BeingWritten: another program has it open for longer than hippo waits (:data:`PATIENCE`).
        FileUnreadable: it is there and cannot be read.
        Busy: another writer holds the lock for too long.
    """
    file, patience = _place(root, path), min(timeout, PATIENCE)
    with locked(root, timeout):
        _make_folder(file, path)
        for _ in range(_ROUNDS):
            before = _bytes_or_none(file, path, patience)
            data = encode(change(None if before is None else decode(before)))
            if data == before:
                return
            with contextlib.suppress(Overtaken):
                _write(file, path, data, before, patience)
                return
    raise BeingWritten(path=path, reason="another program keeps writing to it")


def _write(file: Path, path: str, data: bytes, before: bytes | None, patience: float) -> None:
    if before is not None and data.startswith(before):
        append_bytes(file, data[len(before) :], path, before, patience)
    elif before is not None and is_shared(file):
        overwrite_bytes(file, data, path, before, patience)
    else:
        replace_bytes(file, data, path, before, patience)


def remove_note(root: Path, path: str, timeout: float) -> None:
    """Remove a note for good. Raises as :func:`change_note`; one that is gone already is no error."""
    file = _place(root, path)
    with locked(root, timeout):
        _bytes_or_none(file, path, min(timeout, PATIENCE))
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise FileUnwritable(path=path, reason=error.strerror or str(error)) from error


def _place(root: Path, path: str) -> Path:
    clean = normal(path) if is_possible(path) and not is_absolute(path) else None
    file = root / (clean or ".")
    if not clean or not is_inside(root, file.parent):
        raise OutsideWorkspace(path=path, reason="this path leads out of the workspace")
    return file


def _make_folder(file: Path, path: str) -> None:
    try:
        make_folders(file.parent)
    except OSError as error:
        raise FileUnwritable(path=path, reason=error.strerror or str(error)) from error


def _bytes_or_none(file: Path, path: str, patience: float) -> bytes | None:
    if not os.path.lexists(file):
        return None
    if file.is_symlink():  # renaming over it would put a file where somebody wanted a link
        raise FileUnwritable(path=path, reason="it is a link")
    if not file.is_file():
        reason = "it is a folder" if file.is_dir() else "it is not a regular file"
        raise FileUnwritable(path=path, reason=reason)
    try:
        data = read_settled(file, patience)
    except InUse as error:
        raise BeingWritten(path=path) from error
    except OSError as error:
        raise FileUnreadable(path=path, reason=error.strerror or str(error)) from error
    if is_binary(data):
        raise FileUnwritable(path=path, reason="it holds binary data, not text")
    return data
