"""Archival consolidation (CONTEXT §9.3): one file of the folder of a session that ended long ago."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Sequence
from pathlib import Path

from hippocampus_cli.context.lifecycle.store import ARCHIVED, SessionStore
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import SESSIONS, ensure_folder
from hippocampus_cli.workspace.regular import reading, writing

_GONE = ".gone"


def archive(store: SessionStore, keys: Sequence[str]) -> None:
    """Make one file, ``.hippocampus/sessions/ID.zip``, of the folder of each of these sessions.

    The folder goes only once its archive is on disk and reads back whole; it is renamed before it is emptied, for
    half emptied under its own name it would be archived again. Raises :class:`FileUnwritable`,
    :class:`FileUnreadable`, :class:`Busy`.
    """
    sessions = store.root / SESSIONS
    for key in keys:
        name = f"{SESSIONS}/{key}{ARCHIVED}"
        with locked(store.root, store.timeout):
            with reading(name):
                packed = _packed(sessions / key)
            replace_bytes(ensure_folder(store.root, name), packed, name, mode=0o600)
            with writing(name):
                (sessions / key).rename(sessions / f".{key}{_GONE}")
    for path in sessions.glob(f".*{_GONE}"):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)


def _packed(folder: Path) -> bytes:
    """The folder as a ZIP file that was read back whole."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                packed.writestr(path.relative_to(folder).as_posix(), path.read_bytes())
    with zipfile.ZipFile(buffer) as packed:
        if damaged := packed.testzip():
            raise OSError(f"{damaged} does not read back")
    return buffer.getvalue()
