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

_MOST = 200  # of more than these, all are looked at as fast
_path_of = itemgetter(0)


def rescan(
    root: Path, settings: ScanSettings, before: Scan, touched: Collection[str]
) -> Scan | None:
    """What a scan would find now, if nothing has happened since ``before`` but to the paths of ``touched``.

    ``None`` where only a scan can tell: what is new and no plain note, ignore files, links.
    """
    if len(touched) > _MOST:
        return None
    files = list(before.files)
    skipped = dict(before.skipped) if touched else {}
    for path in touched:
        at = bisect_left(files, path, key=_path_of)
        known = at < len(files) and files[at].path == path
        name = path.rpartition("/")[2]
        if name in (GIT_IGNORE, HIPPO_IGNORE) or path == INDEX:
            return None
        try:
            now = os.lstat(os.path.join(root, path))
        except FileNotFoundError:
            if path in skipped:
                return None
            files[at : at + known] = []
            continue
        except (OSError, ValueError):
            return None
        if not stat.S_ISREG(now.st_mode) or now.st_nlink != 1:
            return None
        if _stays_out(name, skipped.get(path), settings):
            continue
        if not known and not _is_plainly_a_note(path, name, before, skipped, settings):
            return None
        if now.st_size > settings.max_file_bytes:
            return None
        files[at : at + known] = [FileStat(path, now.st_size, now.st_mtime_ns)]
    return before._replace(files=files)


def _stays_out(name: str, reason: Reason | None, settings: ScanSettings) -> bool:
    """Whether a regular file that was passed over for ``reason`` would be again, whatever it holds."""
    if reason is Reason.KIND:
        return not _has_ending(name, settings)
    return reason in (Reason.HIDDEN, Reason.IGNORED)


def _is_plainly_a_note(
    path: str, name: str, before: Scan, skipped: Collection[str], settings: ScanSettings
) -> bool:
    """Whether a regular file that was not there is a note, and needs no ignore file asked."""
    unasked = before.decisions.fingerprint == ""
    return unasked and path not in skipped and name[0] != "." and _has_ending(name, settings)


def _has_ending(name: str, settings: ScanSettings) -> bool:
    return name.lower().endswith(
        tuple(f".{extension.lower()}" for extension in settings.extensions)
    )
