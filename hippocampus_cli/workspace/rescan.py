"""Looking again at some files only: for who knows which ones something has happened to."""

from __future__ import annotations

import os
import stat
from bisect import bisect_left
from collections.abc import Collection
from operator import itemgetter
from pathlib import Path

from hippocampus_cli.config.settings import Scan as ScanSettings
from hippocampus_cli.workspace.files import FileStat, Reason, Scan
from hippocampus_cli.workspace.ignore import GIT_IGNORE, HIPPO_IGNORE
from hippocampus_cli.workspace.own_files import INDEX
from hippocampus_cli.workspace.scan import without_forgotten

_MOST = 200  # of more than these, all are looked at as fast


def rescan(
    root: Path, settings: ScanSettings, before: Scan, touched: Collection[str]
) -> Scan | None:
    """What a scan would find now, if nothing has happened since ``before`` but to the paths of ``touched``.

    ``None`` where only a scan can tell: what is new and no plain note, ignore files, links.
    """
    if len(touched) > _MOST:
        return None
    look = _Look(os.fspath(root), settings, before)
    if not all(map(look.at, touched)):
        return None
    return without_forgotten(root, before._replace(files=look.files))


class _Look:
    """The files of an earlier scan, brought up to date path by path."""

    def __init__(self, root: str, settings: ScanSettings, before: Scan) -> None:
        self.files = list(before.files)
        self._root = root
        self._settings = settings
        self._skipped = dict(before.skipped)
        self._unasked = before.decisions.fingerprint == ""  # no ignore file has a say
        self._endings = tuple(f".{extension.lower()}" for extension in settings.extensions)

    def at(self, path: str) -> bool:
        """Look at one path; whether that was enough to tell what a scan would find there."""
        name = path.rpartition("/")[2]
        if name in (GIT_IGNORE, HIPPO_IGNORE) or path == INDEX:
            return False
        try:
            now = os.lstat(os.path.join(self._root, path))
        except FileNotFoundError:
            self._put(path, [])
            return path not in self._skipped
        except (OSError, ValueError):
            return False
        if not stat.S_ISREG(now.st_mode) or now.st_nlink != 1:
            return False
        return self._stays_out(path, name) or self._is_taken(path, name, now)

    def _is_taken(self, path: str, name: str, now: os.stat_result) -> bool:
        """Take a regular file if it is a note for certain."""
        known = self._put(path, None)
        if not known and not self._is_plainly_a_note(path, name):
            return False
        if now.st_size > self._settings.max_file_bytes:
            return False
        self._put(path, [FileStat(path, now.st_size, now.st_mtime_ns, now.st_ctime_ns)])
        return True

    def _put(self, path: str, files: list[FileStat] | None) -> bool:
        """Put ``files`` in the place of the file at ``path``, unless they are ``None``; whether there was one."""
        at = bisect_left(self.files, path, key=itemgetter(0))
        known = at < len(self.files) and self.files[at].path == path
        if files is not None:
            self.files[at : at + known] = files
        return known

    def _stays_out(self, path: str, name: str) -> bool:
        """Whether a regular file was passed over for a reason that its size and date cannot change."""
        reason = self._skipped.get(path)
        if reason is Reason.KIND:
            return not self._has_ending(name)
        return reason in (Reason.HIDDEN, Reason.IGNORED, Reason.FORGOTTEN)

    def _is_plainly_a_note(self, path: str, name: str) -> bool:
        """Whether a regular file that was not there is a note, and no ignore file has to be asked."""
        new = self._unasked and path not in self._skipped
        return new and name[0] != "." and self._has_ending(name)

    def _has_ending(self, name: str) -> bool:
        return name.lower().endswith(self._endings)
