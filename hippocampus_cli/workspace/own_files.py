"""Hippo's own files in a workspace: their names, relative to its root (decision D17), their folders, who may read
them, and whether one is as hippo left it.

Nobody may read them who may not read every note (D19): in a workspace with notes at 0600 the folder that holds all
that is derived is at 0700, and the index at 0600. Nothing is ever loosened. Windows has no such modes, and there
folders pass on what they allow.

A *seal* beside a file says how it looked when hippo left it. No copy, no file that was handed over and none that was
written to keeps the moment of its last change, which the kernel sets. On Windows, where that is the moment of the
file's creation, its size and time of change tell.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Sequence
from pathlib import Path

from hippocampus_cli import index
from hippocampus_cli.errors import FileUnwritable, FolderBlocked, OutsideWorkspace
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.paths import real_path
from hippocampus_cli.workspace.regular import NOT_REGULAR, read_regular, writing

INDEX = index.MASTER
FOLDER = index.FOLDER.rstrip("/")
PRIVATE = "private-memory"
"""A workspace of its own beside one that is shared; git ignores it."""
LOCK = f"{FOLDER}/lock"
CACHE = f"{FOLDER}/cache"
JOURNAL = f"{FOLDER}/journal"
PENDING = f"{FOLDER}/pending.zip"
COMMITTED = f"{CACHE}/committed"
DESCRIPTIONS = f"{CACHE}/descriptions.json"
TEXT = f"{CACHE}/text.sqlite"
VECTORS = f"{CACHE}/vectors.db"
SHARED = f"{CACHE}/shared-store"
"""Where the notes are kept searchable beside this folder: the address of a database, if they ever were."""
HISTORY = f"{FOLDER}/history"
SNAPSHOTS = f"{FOLDER}/snapshots"
SET_ASIDE = f"{FOLDER}/unreadable-index"
TEMPORAL = f"{FOLDER}/temporal"
REPORTS = f"{FOLDER}/reports"
META = f"{FOLDER}/meta.json"
WAITING = f"{FOLDER}/waiting.jsonl"
WAITING_LOCK = f"{FOLDER}/waiting.lock"
FORGOTTEN = f"{FOLDER}/forgotten.jsonl"
RUNNING = f"{FOLDER}/upkeep.lock"
LOG = f"{FOLDER}/upkeep.log"
WATCHING = f"{FOLDER}/watch.lock"
SESSIONS = f"{FOLDER}/sessions"
ORIGINALS = f"{SESSIONS}/_originals"  # no session's id begins so
POLICIES = f"{FOLDER}/policies.yaml"
ANCHORS = f"{FOLDER}/anchors"
ANCHOR_INDEX = f"{ANCHORS}/hippocampus-index.json"
ANCHOR_META = f"{ANCHORS}/hippocampus-meta.json"
ANCHOR_EMBEDS = f"{ANCHORS}/hippocampus-embeds.npz"
MIND = f"{FOLDER}/mind"
BELIEFS = f"{MIND}/beliefs.md"
OUTDATED = f"{FOLDER}/outdated.jsonl"
CURATION = f"{FOLDER}/curation.jsonl"
ANCHORS_LOCK = f"{FOLDER}/anchors.lock"
FOLDERS = (
    FOLDER,
    ANCHORS,
    CACHE,
    HISTORY,
    JOURNAL,
    MIND,
    REPORTS,
    SESSIONS,
    SNAPSHOTS,
    TEMPORAL,
    index.TOPICS,
    index.ARCHIVE,
)
_DATABASES = (".sqlite", "lock")
SQLITE_ENDINGS = ("-wal", "-shm", "-journal")
SEAL = "-seal"  # beside a database: how hippo left it
_IGNORED = (
    b"# hippo: caches, logs and the means to undo;"
    b" the archive, topics and config.toml belong under version control\n"
    b"anchors/\ncache/\nforgotten.jsonl\nhistory/\njournal/\n*.lock\nlock\nmeta.json\npending.zip\n"
    b"sessions/\nsnapshots/\nunreadable-index*\nupkeep.log*\nwaiting.jsonl\n"
)


def ensure_folder(root: Path, name: str) -> Path:
    """The path of an own file, its folder made.

    Raises :class:`FolderBlocked`, and :class:`FileUnwritable` also where something is there that is no file: SQLite
    would wait for a named pipe for ever. Raises :class:`OutsideWorkspace`.
    """
    path, ignore = root / name, root / FOLDER / ".gitignore"
    files = [root / f"{name}{ending}" for ending in ("", *SQLITE_ENDINGS)]
    folders = [root / folder for folder in Path(name).parents]
    with writing(name):
        for own in (*folders, ignore, *files):
            if own.is_symlink():
                refuse_outside(root, own)
            shown = own.relative_to(root).as_posix()
            if own in folders:
                if blocked := blocked_folder(root, shown):
                    raise blocked
            else:
                with contextlib.suppress(FileNotFoundError):
                    if not stat.S_ISREG(own.stat().st_mode):  # one look: a journal may go after it
                        raise FileUnwritable(path=shown, reason=NOT_REGULAR)
        path.parent.mkdir(parents=True, exist_ok=True)
        _list_ignored(ignore)
        _protect(root, path, (*reversed(folders[:-1]), ignore, path))
    return path


def blocked_folder(root: Path, name: str) -> FolderBlocked | None:
    """What is to be said where something else stands in the place of a folder; ``None`` where all is well."""
    path = root / name
    if not os.path.lexists(path) or path.is_dir():  # in this order: another may be making it
        return None
    kind = "a file" if path.is_file() else "a pipe or device"
    return FolderBlocked(path=name, kind="a link to no folder" if path.is_symlink() else kind)


def append(root: Path, name: str, line: str) -> None:
    """Append a line to an own file in one write, so that those of several processes never mix. Raises as
    :func:`open_to_append`."""
    with os.fdopen(open_to_append(root, name), "ab", 0) as file:
        file.write(f"{line}\n".encode("utf-8", "replace"))


def open_to_append(root: Path, name: str) -> int:
    """A descriptor that appends to an own file, which tells of notes and so is for its owner. Raises as
    :func:`ensure_folder`, and :class:`OSError`."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    path = ensure_folder(root, name)
    descriptor = os.open(path, flags, 0o600)
    give_to_owner(path)
    return descriptor


def cache_path(root: Path, name: str) -> Path | None:
    """The path of a cache, its folder made; ``None`` where none can be kept. Raises :class:`OutsideWorkspace`."""
    with contextlib.suppress(FileUnwritable):
        return ensure_folder(root, name)
    return None


def _protect(root: Path, path: Path, own: Sequence[Path]) -> None:
    """Let nobody into hippo's folder who may not read every note, and have all around an own file be the workspace's
    owner's; a database from its beginning on, which SQLite is yet to make."""
    narrow_file(os.path.realpath(root / FOLDER), _known.get(os.fspath(root), READERS))
    if not _is_root():
        return
    if path.name.endswith(_DATABASES) and not path.exists():
        path.touch()
    for there in own:
        if there.exists():
            give_to_owner(there)


def make_folders(folder: Path) -> None:
    """Make a folder and those on the way to it. Raises :class:`OSError`."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for one in reversed(missing):
        give_to_owner(one)


def give_to_owner(path: Path) -> None:
    """Give what root made in another user's folder to that user."""
    if not _is_root():
        return
    above = path.parent.stat()
    if above.st_uid and path.stat().st_uid == 0:
        os.chown(path, above.st_uid, above.st_gid)


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _list_ignored(ignore: Path) -> None:
    """Have git ignore what is hippo's alone, also where the list is an older one that may be written: what is said in
    sessions must not get into a repository. Raises :class:`OSError`."""
    listed = read_regular(ignore) if ignore.exists() else b""
    missing = [line for line in _IGNORED.splitlines() if line not in listed.splitlines()]
    if missing and (not listed or os.access(ignore, os.W_OK)):
        gap = b"" if listed.endswith(b"\n") or not listed else b"\n"
        with ignore.open("ab") as file:
            file.write(gap + b"\n".join(missing) + b"\n")


def refuse_outside(root: Path, path: Path) -> None:
    """Raises :class:`OutsideWorkspace` for a link that leads out of the workspace."""
    if not is_inside(root, path):
        raise OutsideWorkspace(
            path=path.relative_to(root).as_posix(), reason="a link leads out of the workspace"
        )


def is_inside(root: str | Path, path: str | Path) -> bool:
    """Whether ``path``, links followed, stays within the workspace."""
    return real_path(os.fspath(root), os.path.abspath(path)) is not None


def index_path(root: Path) -> Path:
    """The index's file; a link inside the workspace is followed, so that it stays a link.

    Raises :class:`OutsideWorkspace` for a link that leads out.
    """
    path = root / INDEX
    if not path.is_symlink():
        return path
    refuse_outside(root, path)
    return Path(os.path.realpath(path))


def place_for(root: Path, name: str) -> Path:
    """Where the index, or another own file, is written: its folder made. Raises as :func:`index_path` and
    :func:`ensure_folder`."""
    return index_path(root) if name == INDEX else ensure_folder(root, name)


def files_in(root: Path, folder: str, pattern: str) -> list[Path]:
    """What stands in an own folder by such a name (``*.md``), sorted; nothing hidden, nothing that leads outside."""
    inside = is_inside(root, root / folder)
    return [
        path
        for path in sorted((root / folder).glob(pattern))
        if path.name[0] != "." and (is_inside(root, path) if path.is_symlink() else inside)
    ]


def files_beside(root: Path, archive: bool) -> list[str]:
    """The topic files of the index, and those of the archive if asked for; none that leads outside. Raises
    :class:`OutsideWorkspace` where hippo's whole folder does."""
    refuse_outside(root, root / FOLDER)  # else the master alone would pass for the whole
    folders = (index.TOPICS, index.ARCHIVE) if archive else (index.TOPICS,)
    return [folder + path.name for folder in folders for path in files_in(root, folder, "*.md")]


def is_as_left(path: Path) -> bool:
    """Whether the file looks as hippo left it; also where there is none, or an empty one."""
    try:
        look = _facts_of(path)
        return not look or read_regular(f"{path}{SEAL}", len(look) + 1) == look
    except OSError:
        return False


def seal(path: Path) -> None:
    """Note how the file looks. Whoever has changed it since finds it other than that, and looks closer."""
    with contextlib.suppress(OSError):
        look, target = _facts_of(path), f"{path}{SEAL}"
        temporary = Path(
            f"{target}.{os.getpid()}"
        )  # renamed over whatever may lie there, a link too
        temporary.touch(0o600, exist_ok=False)
        temporary.write_bytes(look)
        give_to_owner(temporary)
        os.replace(temporary, target)


def _facts_of(path: Path) -> bytes:
    try:
        look = FileStat.of(os.stat(path))
    except FileNotFoundError:
        return b""
    return f"{look.size} {look.mtime_ns} {look.ctime_ns}\n".encode() if look.size else b""


READERS = 0o044
"""Group and others may read."""
_known: dict[str, int] = {}  # by root, of this process: before there is a folder to tell it


def narrow(root: str, readers: int) -> None:
    """Let nobody but ``readers`` (the bits of :data:`READERS` that every note has) read what is hippo's own."""
    if readers == READERS or os.name == "nt":
        return
    _known[root] = readers
    for name in (FOLDER, INDEX):
        narrow_file(os.path.join(root, name), readers)


def mode_for(path: Path) -> int | None:
    """The mode of a new index in a workspace that not everybody may read; ``None`` for the usual one, and for every
    other file."""
    if path.name == INDEX:
        with contextlib.suppress(OSError):
            readers = (path.parent / FOLDER).stat().st_mode & READERS
            return None if readers == READERS else 0o600 | readers
    return None


def narrow_file(path: str, readers: int) -> None:
    """Take from a file or a folder what ``readers`` do not have; links, and what another owns, are left alone."""
    with contextlib.suppress(OSError):
        mode = os.lstat(path).st_mode
        lost = sum(7 << shift for shift in (0, 3) if not readers & (4 << shift))
        if mode & lost and not stat.S_ISLNK(mode):
            os.chmod(path, stat.S_IMODE(mode) & ~lost)
