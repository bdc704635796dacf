"""Archival consolidation (CONTEXT §9.3): the folder of a session that ended long ago becomes one file."""

from __future__ import annotations

import contextlib
import io
import shutil
import zipfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.context.lifecycle.session import Session
from hippocampus_cli.context.lifecycle.store import ARCHIVED, SessionStore
from hippocampus_cli.errors import FileUnreadable, FileUnwritable, SessionDamaged
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import SESSIONS, ensure_folder

_GONE = ".gone"


class ArchivedSession(NamedTuple):
    """A session that was archived (or would be): ``path`` is its file, ``bytes`` what its contents took before."""

    id: str
    path: str
    entries: int
    bytes: int


def archive_sessions(
    root: Path, timeout: float, now: datetime, after_days: int, *, dry_run: bool = False
) -> list[ArchivedSession]:
    """Archive every session that ended at least ``after_days`` ago: ``.hippocampus/sessions/ID.zip``.

    The folder goes only once its archive is on disk and reads back whole. Raises :class:`FileUnwritable`,
    :class:`FileUnreadable`, :class:`Busy`.
    """
    store = SessionStore(root, timeout)
    done = []
    before = now - timedelta(days=after_days)
    for session in _readable(store):
        if session.ended is None or not _is_before(session.ended, before):
            continue
        folder = root / SESSIONS / session.id
        size = sum(path.stat().st_size for path in _files(folder))
        name = f"{SESSIONS}/{session.id}{ARCHIVED}"
        if not dry_run:
            with locked(root, timeout):
                _archive(root, folder, name)
        done.append(ArchivedSession(session.id, name, len(session.entries), size))
    if not dry_run:
        _clear_gone(root)
    return done


def idle_sessions(root: Path, timeout: float, now: datetime, after_days: int) -> list[str]:
    """The ids of open sessions that nobody has used for ``after_days``: end them before archiving."""
    before = now - timedelta(days=after_days)
    found = (one for one in _readable(SessionStore(root, timeout)) if one.ended is None)
    return [session.id for session in found if _is_before(session.updated, before)]


def _readable(store: SessionStore) -> Iterator[Session]:
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
    try:
        packed = _packed(folder)
    except OSError as error:
        raise FileUnreadable(path=name, reason=error.strerror or str(error)) from error
    replace_bytes(ensure_folder(root, name), packed, name, mode=0o600)
    # Renamed before it is emptied: a half-emptied folder under its own name would be archived again.
    try:
        folder.rename(folder.with_name(f".{folder.name}{_GONE}"))
    except OSError as error:
        raise FileUnwritable(path=name, reason=error.strerror or str(error)) from error


def _packed(folder: Path) -> bytes:
    """The folder as a ZIP file that was read back whole."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in _files(folder):
            info = zipfile.ZipInfo(path.relative_to(folder).as_posix())
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, path.read_bytes())
    with zipfile.ZipFile(buffer) as archive:
        damaged = archive.testzip()
    if damaged is not None:
        raise OSError(f"{damaged} does not read back")
    return buffer.getvalue()


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _clear_gone(root: Path) -> None:
    for path in (root / SESSIONS).glob(f".*{_GONE}"):
        with contextlib.suppress(OSError):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
