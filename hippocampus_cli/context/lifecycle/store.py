"""Sessions on disk: ``.hippocampus/sessions/ID/session.json`` and ``content/SHA256`` beside it (decision D16).

A change takes the workspace's lock, reads the session again, stores new content, then replaces the session's file:
whenever a writer is killed, each entry's content is there. Contents are never changed and never removed: the folder
of a session that has ended is its archive (CONTEXT §9.2).
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple, TypeVar

from hippocampus_cli.context.lifecycle.codec import read_session, write_session
from hippocampus_cli.context.lifecycle.session import ContextSession, digest_of
from hippocampus_cli.context.session_ids import check_id, is_id
from hippocampus_cli.errors import (
    FileUnreadable,
    OutsideWorkspace,
    SessionNotFound,
)
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import SESSIONS, ensure_folder, files_in
from hippocampus_cli.workspace.read import read_file
from hippocampus_cli.workspace.regular import read_regular

_FILE = "session.json"
_HEAD = 512
_ENDED = re.compile(rb'\{"version":\d+,"id":"[^"]*","begun":"[^"]*","updated":"[^"]*","ended":"')
_LARGEST = 500_000_000  # bytes of one session's file
_Report = TypeVar("_Report")


class SessionDamaged(FileUnreadable):
    code = "session-damaged"
    what = "the session cannot be read: {reason}"
    next = "correct the file, or start another session; the content that was added is in its content/ folder"


class SessionChange(NamedTuple):
    """What is to be written: the session, and contents that it needs."""

    session: ContextSession
    contents: Sequence[bytes] = ()


class SessionStore:
    """The sessions of one workspace. ``timeout`` is in seconds."""

    def __init__(self, root: Path, timeout: float) -> None:
        self.root = root
        self.timeout = timeout

    def ids(self) -> list[str]:
        """The ids of all sessions, sorted."""
        files = files_in(self.root, SESSIONS, f"*/{_FILE}")
        return [file.parent.name for file in files if is_id(file.parent.name)]

    def open_sessions(self) -> list[ContextSession]:
        """The sessions that have not ended, the one that was used last at the end.

        Raises :class:`SessionDamaged`: which session is meant cannot be told while one cannot be read.
        """
        sessions = [self.read(key) for key in self.ids() if not self._says_ended(key)]
        still_open = [session for session in sessions if session.ended is None]
        return sorted(still_open, key=lambda session: (session.updated, session.id))

    def idle_sessions(self, now: datetime, days: int) -> list[str]:
        """The ids of the open sessions that were last used at least so many days ago.

        Damaged ones are for a person to look at.
        """
        idle = []
        for key in self.ids():
            with contextlib.suppress(SessionDamaged, ValueError, TypeError):  # a stamp that is none
                session = self.read(key)
                used = datetime.fromisoformat(session.updated)
                if session.ended is None and used <= now - timedelta(days=days):
                    idle.append(key)
        return idle

    def read(self, key: str) -> ContextSession:
        """The session as it is now. Raises :class:`SessionNotFound`, :class:`SessionDamaged`, :class:`UsageError`."""
        check_id(key)
        name = f"{SESSIONS}/{key}/{_FILE}"
        if not os.path.lexists(self._file(key)):
            there = ", ".join(self.ids()[-5:])
            advice = f"there is {there}" if there else "begin one: hippo context add"
            raise SessionNotFound(reason=f"there is no session {key}", advice=advice)
        try:
            session = read_session(read_file(self.root, name, _LARGEST))
        except (ValueError, RecursionError) as error:
            raise SessionDamaged(path=name, reason=str(error)) from None
        if session.id != key:
            raise SessionDamaged(path=name, reason="it belongs to another session")
        return session

    def read_open(self, key: str) -> ContextSession:
        """The same of a session that is open. Raises :class:`SessionNotFound` for one that has ended, too."""
        session = self.read(key)
        if session.ended is not None:
            advice = "begin another: hippo context add --session ID"
            raise SessionNotFound(reason=f"the session {key} has ended", advice=advice)
        return session

    def create(self, session: ContextSession) -> bool:
        """Write a new session; whether there was none of this id. Raises as :meth:`change`."""
        check_id(session.id)
        with locked(self.root, self.timeout):
            if os.path.lexists(self._file(session.id)):
                return False
            self._write(session)
        return True

    def change(
        self, key: str, change: Callable[[ContextSession], tuple[SessionChange, _Report]]
    ) -> tuple[ContextSession, _Report]:
        """Apply ``change`` to the session as it is at this moment, under the lock.

        What fails leaves the session as it was. Raises :class:`SessionNotFound` (also for one that has ended),
        :class:`SessionDamaged`, :class:`FileUnwritable`, :class:`OutsideWorkspace`, :class:`Busy`.
        """
        check_id(key)
        with locked(self.root, self.timeout):
            before = self.read_open(key)
            (after, contents), report = change(before)
            for content in contents:
                self._put(key, content)
            if after != before:
                self._write(after)
        return after, report

    def content(self, key: str, digest: str) -> bytes | None:
        """Stored content, ``None`` where it is lost or no longer what it was."""
        try:
            data = read_file(self.root, _content_name(key, digest), _LARGEST)
        except (FileUnreadable, OutsideWorkspace):
            return None
        return data if digest_of(data) == digest else None

    def _put(self, key: str, content: bytes) -> None:
        digest = digest_of(content)
        if self.content(key, digest) is None:
            name = _content_name(key, digest)
            replace_bytes(ensure_folder(self.root, name), content, name, mode=0o600)

    def _write(self, session: ContextSession) -> None:
        name = f"{SESSIONS}/{session.id}/{_FILE}"
        replace_bytes(ensure_folder(self.root, name), write_session(session), name, mode=0o600)

    def _says_ended(self, key: str) -> bool:
        """Whether the beginning of a session's file says so: sessions are large, and most have ended."""
        try:
            return bool(_ENDED.match(read_regular(self._file(key), _HEAD)))
        except OSError:
            return False

    def _file(self, key: str) -> Path:
        return self.root / SESSIONS / key / _FILE


def _content_name(key: str, digest: str) -> str:
    return f"{SESSIONS}/{key}/content/{digest}"
