"""Several files of hippo's own changed as one (decision D16): all of them at any kill point, or none.

The change holds from the moment that ``.hippocampus/pending.zip`` is in its place (:mod:`transaction`). Whoever finds
that file, with the lock held, completes the change of the process that was killed.

Changes are numbered, and the last number that was done is kept: a pending file that comes back later, from a
backup or a sync service, is recognised by its number, which is the comment of the zip.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from hippocampus_cli.errors import (
    ChangeUnfinished,
    FileUnreadable,
    HippoError,
)
from hippocampus_cli.index.document import ARCHIVE, FOLDER, MASTER, TOPICS
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.rebase import rebase
from hippocampus_cli.markdown.lines import decode, encode, split_lines
from hippocampus_cli.workspace.atomic import (
    Overtaken,
    Replacement,
    Replacements,
    clear_leftovers,
    read_whole,
    replace_bytes,
    rounds,
)
from hippocampus_cli.workspace.own_files import (
    COMMITTED,
    PENDING,
    ensure_folder,
    is_inside,
    place_for,
    refuse_outside,
)
from hippocampus_cli.workspace.transaction import packed, unpacked

_END, _END_BYTES = b"PK\5\6", 22  # the last record of a zip, before its comment
_ALLOWED = (
    "topics/",
    "archive/",
    "temporal/",
    "history/",
    "reports/",
    "meta.json",
    "cache/descriptions.json",
    "mind/beliefs.md",
    "mind/versions/",
    "outdated.jsonl",
    "curation.jsonl",
)


def commit(root: Path, replacements: Replacements) -> None:
    """Replace these files, by path from the root, as one. The caller holds the lock.

    Raises :class:`FileUnwritable`, and :class:`Overtaken` where a file is not as it was ``before``; then every
    file is as it was.
    """
    number = _last(root) + 1
    replace_bytes(ensure_folder(root, PENDING), packed(replacements, b"%d" % number), PENDING)
    try:
        _replace(root, replacements)
    except (HippoError, Overtaken):  # the disk is full, say: as if never tried
        _undo(root, replacements)
        drop(root)
        raise
    _done(root, number)


def _replace(root: Path, replacements: Replacements) -> None:
    for path, change in replacements.items():
        replace_bytes(place_for(root, path), change.after, path, change.before)


def _undo(root: Path, replacements: Replacements) -> None:
    """Put back every file that was replaced, and that nobody else has changed since.

    Raises :class:`ChangeUnfinished` where that fails too: then the next command completes the change.
    """
    try:
        for path, change in replacements.items():
            if read_or_none(root, path) == change.after != change.before:
                replace_bytes(place_for(root, path), change.before, path, change.after)
    except HippoError as error:
        raise ChangeUnfinished(path=PENDING, reason=error.facts.get("reason", error)) from error


def _pending(root: Path) -> tuple[Replacements | None, int]:
    """What a killed process left to do, and its number; ``None`` where there is nothing that makes sense.

    Raises :class:`FileUnreadable` where the file may not be read: another user's work is not to be dropped.
    """
    data = read_or_none(root, PENDING) if is_inside(root, root / PENDING) else None
    with contextlib.suppress(FileUnreadable, ValueError):
        if data is not None:
            number = data[data.rfind(_END) + _END_BYTES :]
            return unpacked(data, PENDING, is_own), int(number or 0)
    return None, 0


def drop(root: Path) -> None:
    """Remove the pending file."""
    with contextlib.suppress(OSError):
        (root / PENDING).unlink()


def _done(root: Path, number: int) -> None:
    """Remove the pending file, and keep its number; that is a cache, and may fail."""
    with contextlib.suppress(HippoError):
        replace_bytes(ensure_folder(root, COMMITTED), b"%d\n" % max(number, _last(root)), COMMITTED)
    drop(root)


def _last(root: Path) -> int:
    """The number of the last change that was carried out; 0 where nobody knows."""
    try:
        return int((read_or_none(root, COMMITTED) or b"")[:20])
    except (ValueError, HippoError):
        return 0


def read_or_none(root: Path, path: str) -> bytes | None:
    """The bytes of an own file; ``None`` where there is none, or no folder. Raises :class:`FileUnreadable`."""
    refuse_outside(root, root / path)
    return read_whole(root / path, path)


def is_own(path: str) -> bool:
    """Whether hippo itself writes such a file."""
    if path == MASTER:
        return True
    inside = path.startswith(FOLDER) and path.removeprefix(FOLDER).startswith(_ALLOWED)
    plain = not any(char < " " or char in "\\:" for char in path)
    return inside and plain and ".." not in path.split("/")


def recover(root: Path) -> str:
    """Finish what is pending, and say what was found; the caller holds the lock.

    A file that somebody edited in the meantime keeps the edit: the change is carried over entry by entry.
    A pending file that makes no sense never took effect, and goes. Raises :class:`FileUnreadable` where it may not
    be read, :class:`FileUnwritable`.
    """
    attempts = rounds(MASTER)
    while True:
        with next(attempts):
            return _recovered(root)


def _recovered(root: Path) -> str:
    pending, number = _pending(root)
    if pending is None:
        drop(root)
        return ""
    if 0 < number <= _last(root):
        drop(root)
        return "a completed change was still pending (after a kill, a sync or a backup); its record was removed"
    now = {path: read_or_none(root, path) for path in pending}
    edited = {
        path: data
        for path, data in now.items()
        if holds_entries(path) and data not in pending[path]
    }
    wanted = {**pending, **_carried(pending, edited)} if edited else pending
    changes = {path: Replacement(now[path], change.after) for path, change in wanted.items()}
    _replace(root, {path: change for path, change in changes.items() if len({*change}) > 1})
    _done(root, number)
    for path in wanted:  # a file that was in place already left what it was made from
        with contextlib.suppress(OSError):
            clear_leftovers(place_for(root, path))
    return "a change that was interrupted has been completed"


def _carried(pending: Replacements, edited: Mapping[str, bytes | None]) -> Replacements:
    """What becomes of the index's files where some were edited while the change was half done.

    Edited files may have been written before they were edited: then every other file becomes what was meant. Where
    one was not, the change meets it entry by entry.
    """
    index = {path: change for path, change in pending.items() if holds_entries(path)}
    before = {path: change.before for path, change in index.items()}
    after = {path: change.after for path, change in index.items()}
    texts = {**after, **edited}
    if any(data and _stands_on(data, pending[path]) for path, data in edited.items()):
        there = hierarchy_of({**before, **edited})
        here = rebase(hierarchy_of(before), hierarchy_of(after), there).counted()
        texts = dict.fromkeys(index) | {  # a file that nothing went to is not made
            path: encode(text) for path, text in here.texts.items() if path in index
        }
    if MASTER in edited and edited[MASTER] is None:  # whoever deletes the index wants it gone
        texts[MASTER] = None
    return {path: Replacement(before[path], data) for path, data in texts.items()}


def _stands_on(data: bytes, change: Replacement) -> bool:
    """Whether an edited file comes from what was there before the change: it differs in no more lines from that."""
    here, *sides = (Counter(split_lines(decode(side or b""))) for side in (data, *change))
    before, after = ((here - side).total() + (side - here).total() for side in sides)
    return before <= after


def hierarchy_of(files: Mapping[str, bytes | None]) -> Hierarchy:
    """The index that these files are; a missing master is an empty one."""
    return Hierarchy(
        {path: parse(decode(data)) for path, data in files.items() if data is not None}
    )


def holds_entries(path: str) -> bool:
    """Whether a file of hippo's own is one of the index."""
    return path == MASTER or path.startswith((TOPICS, ARCHIVE))
