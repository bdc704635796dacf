"""Archival consolidation (CONTEXT §9.3): one file of the folder of a session that ended long ago."""

from __future__ import annotations

import contextlib
import io
import shutil
import zipfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from hippocampus_cli.context.lifecycle.session import ContextSession
from hippocampus_cli.context.lifecycle.store import ARCHIVED, SessionDamaged, SessionStore
from hippocampus_cli.errors import FileUnreadable, FileUnwritable
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import SESSIONS, ensure_folder

_GONE = ".gone"


def archive_sessions(
    root: Path, timeout: float, now: datetime, after_days: int, *, dry_run: bool = False
) -> list[str]:
    """Archive every session that ended at least ``after_days`` ago: ``.hippocampus/sessions/ID.zip``; their ids.

    The folder goes only once its archive is on disk and reads back whole. Raises :class:`FileUnwritable`,
    :class:`FileUnreadable`, :class:`Busy`.
    """
    before = now - timedelta(days=after_days)
    sessions = _readable(SessionStore(root, timeout))
    old = [
        session.id
        for session in sessions
        if session.ended is not None and _is_before(session.ended, before)
    ]
    if dry_run:
        return old
    for key in old:
        with locked(root, timeout):
            _archive(root, root / SESSIONS / key, f"{SESSIONS}/{key}{ARCHIVED}")
    for path in (root / SESSIONS).glob(f".*{_GONE}"):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
    return old


def idle_sessions(root: Path, timeout: float, now: datetime, after_days: int) -> list[str]:
    """The ids of open sessions that nobody has used for ``after_days``: end them before archiving."""
    before = now - timedelta(days=after_days)
    sessions = _readable(SessionStore(root, timeout))
    return [
        session.id
        for session in sessions
        if session.ended is None and _is_before(session.updated, before)
    ]


def _readable(store: SessionStore) -> Iterator[ContextSession]:
    """Every session but damaged ones, which are for a person to look at."""
    for key in store.ids():
        with contextlib.suppress(SessionDamaged):
            yield store.read(key)


def _is_before(stamp: str, moment: datetime) -> bool:
    try:
        return datetime.fromisoformat(stamp) <= moment
    except (ValueError, TypeError):
        return False


def _archive(root: Path, folder: Path, name: str) -> None:
    """One file of the folder. Renamed before it is emptied: half emptied under its own name it would be archived
    again."""
    try:
        packed = _packed(folder)
    except OSError as error:
        raise FileUnreadable(path=name, reason=error.strerror or str(error)) from error
    replace_bytes(ensure_folder(root, name), packed, name, mode=0o600)
    try:
        folder.rename(folder.with_name(f".{folder.name}{_GONE}"))
    except OSError as error:
        raise FileUnwritable(path=name, reason=error.strerror or str(error)) from error


def _packed(folder: Path) -> bytes:
    """The folder as a ZIP file that was read back whole."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                archive.writestr(path.relative_to(folder).as_posix(), path.read_bytes())
    with zipfile.ZipFile(buffer) as archive:
        if damaged := archive.testzip():
            raise OSError(f"{damaged} does not read back")
    return buffer.getvalue()
