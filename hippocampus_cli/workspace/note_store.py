"""Writing to a note: the same way as for the index, for a file that a person writes too (decision D16)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hippocampus_cli.errors import FileUnwritable, OutsideWorkspace
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.workspace.atomic import read_whole, replace_bytes, rounds
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import is_inside, make_folders
from hippocampus_cli.workspace.paths import inner_path
from hippocampus_cli.workspace.read import BINARY, is_binary
from hippocampus_cli.workspace.regular import writing


def change_note(
    root: Path, path: str, change: Callable[[str | None], str | None], timeout: float
) -> None:
    """Apply ``change`` to the text of a note as it is at this moment and write the result; ``None`` stands for no
    note.

    ``change`` may run several times and must be pure. Folders on the way are made. ``timeout`` is in seconds.

    Raises:
        OutsideWorkspace: the path, or a folder link on its way, leads out of ``root``.
        FileUnwritable: a link or binary data is in its place, or the disk refuses.
        BeingWritten: another program has it open for longer than hippo waits (:mod:`lease`).
        FileUnreadable: it is there and cannot be read, or is no file.
        Busy: another writer holds the lock for too long.
    """
    clean, attempts = inner_path(path), rounds(path)
    file = root / (clean or ".")
    if not clean or not is_inside(root, file.parent):
        raise OutsideWorkspace(path=path, reason="this path leads out of the workspace")
    with locked(root, timeout):
        while True:
            with next(attempts):
                before = _read(file, path, timeout)
                text = change(None if before is None else decode(before))
                data = None if text is None else encode(text)
                if data:
                    with writing(path):
                        make_folders(file.parent)
                if data != (before or b""):
                    replace_bytes(file, data, path, before, timeout, growing=True)
                return


def _read(file: Path, path: str, patience: float) -> bytes | None:
    if file.is_symlink():  # renaming over it would put a file where somebody wanted a link
        raise FileUnwritable(path=path, reason="it is a link")
    data = read_whole(file, path, patience)
    if data is not None and is_binary(data):
        raise FileUnwritable(path=path, reason=BINARY)
    return data
