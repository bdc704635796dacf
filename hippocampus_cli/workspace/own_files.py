"""The names of hippo's own files in a workspace, relative to its root (decision D17)."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from hippocampus_cli.errors import FileUnwritable, OutsideWorkspace
from hippocampus_cli.index import files
from hippocampus_cli.workspace.regular import NOT_REGULAR, read_regular

INDEX = files.MASTER
FOLDER = files.FOLDER.rstrip("/")
LOCK = f"{FOLDER}/lock"
CACHE = f"{FOLDER}/cache"
JOURNAL = f"{FOLDER}/journal"
PENDING = f"{FOLDER}/pending.zip"
HISTORY = f"{FOLDER}/history"
TEMPORAL = f"{FOLDER}/temporal"
REPORTS = f"{FOLDER}/reports"
META = f"{FOLDER}/meta.json"
FORGOTTEN = f"{FOLDER}/forgotten.jsonl"
RUNNING = f"{FOLDER}/upkeep.lock"
LOG = f"{FOLDER}/upkeep.log"
WATCHING = f"{FOLDER}/watch.lock"
SESSIONS = f"{FOLDER}/sessions"
POLICIES = f"{FOLDER}/policies.yaml"
ANCHORS = f"{FOLDER}/anchors"
ANCHOR_INDEX = f"{ANCHORS}/hippocampus-index.json"
ANCHOR_META = f"{ANCHORS}/hippocampus-meta.json"
ANCHOR_EMBEDS = f"{ANCHORS}/hippocampus-embeds.npz"
ANCHORS_LOCK = f"{FOLDER}/anchors.lock"
_IGNORE = (
    "# hippo: caches, logs and the means to undo;"
    " the archive, topics and config.toml belong under version control\n"
)
SQLITE_ENDINGS = ("-wal", "-shm", "-journal")
_IGNORED = (
    "anchors/\ncache/\nforgotten.jsonl\nhistory/\njournal/\n"
    "*.lock\nlock\npending.zip\nsessions/\nupkeep.log*\n"
)


def ensure_folder(root: Path, name: str) -> Path:
    """The path of an own file, its folder made.

    Raises :class:`FileUnwritable`, also where something stands there that is no file: SQLite would wait for a named
    pipe for ever. Raises :class:`OutsideWorkspace`.
    """
    path, ignore = root / name, root / FOLDER / ".gitignore"
    beside = [path.with_name(path.name + ending) for ending in SQLITE_ENDINGS]
    folders = [root / folder for folder in Path(name).parents]
    try:
        for own in (*folders, ignore):
            _refuse_outside(root, own)
        for own in (path, *beside):
            _refuse_outside(root, own)
            _refuse_irregular(root, own)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not ignore.exists():
            ignore.write_text(_IGNORE + _IGNORED, encoding="utf-8")
    except FileExistsError as error:
        raise FileUnwritable(path=FOLDER, reason="it is a file, where a folder must be") from error
    except OSError as error:
        raise FileUnwritable(path=name, reason=error.strerror or str(error)) from error
    return path


def ensure_ignored(root: Path) -> None:
    """Have git ignore what is hippo's alone, also where the list is an older one.

    Raises :class:`FileUnwritable`, :class:`OutsideWorkspace`.
    """
    ignore = ensure_folder(root, LOCK).with_name(".gitignore")
    try:
        listed = read_regular(ignore)
        missing = [line for line in _IGNORED.encode().split() if line not in listed.splitlines()]
        if missing:
            gap = b"" if listed.endswith(b"\n") or not listed else b"\n"
            with ignore.open("ab") as file:
                file.write(gap + b"\n".join(missing) + b"\n")
    except OSError as error:
        shown = ignore.relative_to(root).as_posix()
        raise FileUnwritable(path=shown, reason=error.strerror or str(error)) from error


def _refuse_irregular(root: Path, path: Path) -> None:
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    if not stat.S_ISREG(mode):
        raise FileUnwritable(path=path.relative_to(root).as_posix(), reason=NOT_REGULAR)


def _refuse_outside(root: Path, path: Path) -> None:
    if path.is_symlink() and not is_inside(root, path):
        name = path.relative_to(root).as_posix()
        reason = f"{name} is a link that leads out of the workspace"
        raise OutsideWorkspace(path=name, reason=reason)


def is_inside(root: Path, path: Path) -> bool:
    """Whether ``path``, links followed, stays within the workspace."""
    real, top = os.path.realpath(path), os.path.realpath(root)
    return real == top or real.startswith(top.rstrip(os.sep) + os.sep)


def index_path(root: Path) -> Path:
    """The index's file; a link inside the workspace is followed, so that it stays a link.

    Raises :class:`OutsideWorkspace` for a link that leads out.
    """
    path = root / INDEX
    if not path.is_symlink():
        return path
    if not is_inside(root, path):
        reason = f"{INDEX} is a link that leads out of the workspace"
        raise OutsideWorkspace(path=INDEX, reason=reason)
    return Path(os.path.realpath(path))
