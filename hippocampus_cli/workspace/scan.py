"""Finding the notes of a workspace: one walk over its folders.

No file is opened but the ignore files. Inside the walk paths are plain strings, because ten thousand ``Path``
objects cost more than the walk.
"""

from __future__ import annotations

import contextlib
import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from hippocampus_cli.config.settings import Scan as ScanSettings
from hippocampus_cli.errors import FileUnreadable
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.ignore import (
    GIT_IGNORE,
    HIPPO_IGNORE,
    IgnoreDecisions,
    IgnoreFile,
    ignore_file,
)
from hippocampus_cli.workspace.own_files import (
    FOLDER,
    FORGOTTEN,
    INDEX,
    PRIVATE,
    READERS,
    narrow,
)
from hippocampus_cli.workspace.regular import reason_of

_DEFAULTS, _NONE = ScanSettings(), IgnoreDecisions()


class Reason(StrEnum):
    """Why a file or a folder was skipped."""

    IGNORED = "ignored"  # by .gitignore or .hippoignore
    HIDDEN = "hidden"  # its name begins with a dot
    FOLDER = "folder"  # a folder that never holds notes, such as node_modules
    KIND = "kind"  # not one of the extensions of notes, or not a regular file
    TOO_LARGE = "too-large"
    LINK = "link"
    UNREADABLE = "unreadable"


class Skipped(NamedTuple):
    """Something skipped, with all below it; a folder's ``path`` ends in ``/``."""

    path: str
    reason: Reason


class Scan(NamedTuple):
    """What a scan found, every list sorted by path, and the ignore verdicts to hand to the next scan.

    ``folders`` are those that were walked, the root (``""``) among them; any other ends in ``/``. ``readers`` are the
    bits of 0o044 that every note has.
    """

    files: list[FileStat]
    skipped: list[Skipped]
    decisions: IgnoreDecisions = _NONE
    folders: Sequence[str] = ()
    readers: int = 0o044

    @property
    def counts(self) -> Counter[Reason]:
        """How many things were skipped, by reason; a skipped folder counts as one."""
        return Counter(skipped.reason for skipped in self.skipped)


def scan(
    root: Path,
    settings: ScanSettings = _DEFAULTS,
    known: IgnoreDecisions = _NONE,
) -> Scan:
    """Every note below ``root``, and what was skipped.

    ``known`` is ``Scan.decisions`` of an earlier scan. Whether it still holds is clear only after the walk,
    which meets the ignore files on its way; if one of them changed, the walk is done once more without it.

    Raises ``FileUnreadable`` if ``root`` itself cannot be listed: no file found must not look like no file
    there.
    """
    place = os.fspath(root)
    result = _Walk(place, settings, known.ignored).run()
    if known.ignored and known.fingerprint != result.decisions.fingerprint:
        result = _Walk(place, settings, {}).run()
    narrow(place, result.readers)
    result = without_forgotten(root, result)
    result.files.sort()
    result.skipped.sort()
    return result


def look_again(root: Path, scanned: Scan, paths: Collection[str]) -> list[FileStat] | None:
    """How those notes of a scan look now that were written to, which it takes in; ``None`` where one of ``paths`` is
    none of them, or not everybody may read it any more."""
    seen, files = [], scanned.files
    for path in paths:
        number = bisect_left(files, FileStat(path, -1, 0))
        with contextlib.suppress(OSError, IndexError):
            status = os.lstat(os.path.join(root, path))
            if files[number].path == path and not scanned.readers & ~status.st_mode:
                files[number] = FileStat.of(status, path)
                seen.append(files[number])
    return seen if len(seen) == len(paths) else None


def without_forgotten(root: Path, scanned: Scan) -> Scan:
    """The scan without the notes that were forgotten (:mod:`tombstones`) and those whose names hold what was, and
    without its verdicts, which name every path."""
    if not os.path.exists(os.path.join(root, FORGOTTEN)):
        return scanned
    from hippocampus_cli.workspace.tombstones import load

    forgotten = load(root)
    return scanned._replace(
        files=[stat for stat in scanned.files if not forgotten.is_note(stat.path)],
        decisions=_NONE,
    )


class _Folder(NamedTuple):
    """A folder still to be walked. ``layers`` are the .gitignore files that apply, nearest first."""

    path: str  # relative: "" or "notes/"
    layers: tuple[IgnoreFile, ...]
    ignored: bool = False  # walked all the same, for .hippoignore takes something back


class _Walk:
    """One walk. A plain class: this module is on every command's way, and a dataclass is slow to make."""

    def __init__(
        self,
        root: str,
        settings: ScanSettings,
        known: Mapping[str, bool],
    ) -> None:
        self.root = root
        self.settings = settings
        self.endings = tuple(f".{extension.lower()}" for extension in settings.extensions)
        self.known = known
        self.decided: dict[str, bool] = {}
        self.files: list[FileStat] = []
        self.skipped: list[Skipped] = []
        self.folders: list[str] = []
        self.stamps: list[str] = []
        self.readers = READERS  # who may read every note
        self.last_word: IgnoreFile | None = None  # .hippoignore

    def run(self) -> Scan:
        waiting = [_Folder("", ())]
        while waiting:
            waiting += self._folder(waiting.pop())
        decisions = IgnoreDecisions(";".join(sorted(self.stamps)), self.decided)
        return Scan(self.files, self.skipped, decisions, sorted(self.folders), self.readers)

    def _folder(self, folder: _Folder) -> list[_Folder]:
        """Takes the files of ``folder``; returns the folders in it that are to be walked."""
        try:
            with os.scandir(os.path.join(self.root, folder.path)) as listing:
                entries = list(listing)
        except OSError as error:
            if not folder.path:
                raise FileUnreadable(path=self.root, reason=reason_of(error)) from error
            self._skip(folder.path, Reason.UNREADABLE)
            return []
        self.folders.append(folder.path)
        folder = self._with_ignore_files(folder, entries)
        inner = []
        for entry in entries:
            try:
                if entry.is_dir(follow_symlinks=False) and not _is_junction(entry):
                    inner += self._inner(folder, entry.name)
                else:
                    self._file(folder, entry)
            except OSError:  # gone or locked since it was listed
                self._skip(folder.path + entry.name, Reason.UNREADABLE)
        return inner

    def _with_ignore_files(self, folder: _Folder, entries: list[os.DirEntry[str]]) -> _Folder:
        for entry in entries:
            speaks = entry.name == GIT_IGNORE or (entry.name == HIPPO_IGNORE and not folder.path)
            if speaks and (rules := ignore_file(entry, folder.path + entry.name)):
                self.stamps.append(rules.stamp)
                if entry.name == HIPPO_IGNORE:
                    self.last_word = rules
                else:
                    folder = folder._replace(layers=(rules, *folder.layers))
        return folder

    def _inner(self, folder: _Folder, name: str) -> list[_Folder]:
        if name == FOLDER:
            return []
        path = f"{folder.path}{name}/"
        if name in self.settings.skip_folders or path == f"{PRIVATE}/":
            self._skip(path, Reason.FOLDER)
        elif name[0] == "." and not self.settings.include_hidden:
            self._skip(path, Reason.HIDDEN)
        else:
            ignored = self._ignored(folder, path)
            if not ignored or (self.last_word and self.last_word.takes_back):
                return [_Folder(path, folder.layers, ignored)]
            self._skip(path, Reason.IGNORED)
        return []

    def _file(self, folder: _Folder, entry: os.DirEntry[str]) -> None:
        name = entry.name
        path = folder.path + name
        if path in (INDEX, FOLDER, HIPPO_IGNORE) or name == GIT_IGNORE:
            return
        if entry.is_symlink() or _is_junction(entry):
            # Links are never followed: what one leads to inside is met there, so no note comes twice.
            self._skip(path, Reason.LINK)
        elif name[0] == "." and not self.settings.include_hidden:
            self._skip(path, Reason.HIDDEN)
        elif not name.lower().endswith(self.endings) or not entry.is_file():
            self._skip(path, Reason.KIND)
        elif self._ignored(folder, path):
            self._skip(path, Reason.IGNORED)
        elif (status := entry.stat(follow_symlinks=False)).st_size > self.settings.max_file_bytes:
            self._skip(path, Reason.TOO_LARGE)
        else:
            self.readers &= status.st_mode
            self.files.append(FileStat.of(status, path))

    def _ignored(self, folder: _Folder, path: str) -> bool:
        if not folder.layers and self.last_word is None:
            return False
        verdict = self.known.get(path)
        if verdict is None:
            verdict = self._judge(folder, path)
        self.decided[path] = verdict
        return verdict

    def _judge(self, folder: _Folder, path: str) -> bool:
        """The nearest .gitignore that speaks of ``path`` decides, and .hippoignore has the last word.

        Below an ignored folder a .gitignore cannot take anything back (git does not look there at all).
        """
        if self.last_word and (word := self.last_word.verdict(path)) is not None:
            return word
        if folder.ignored:
            return True
        verdicts = (layer.verdict(path) for layer in folder.layers)
        return next((verdict for verdict in verdicts if verdict is not None), False)

    def _skip(self, path: str, reason: Reason) -> None:
        self.skipped.append(Skipped(path, reason))


# A Windows junction is a link that is no symbolic one; Python 3.12 and later tell.
_is_junction = getattr(os.DirEntry, "is_junction", os.DirEntry.is_symlink)
