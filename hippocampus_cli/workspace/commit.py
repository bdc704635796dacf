"""Several files of hippo's own changed as one (decision D16): all of them at any kill point, or none.

The change holds from the moment that ``.hippocampus/pending.zip`` is in its place (:mod:`transaction`). Whoever finds
that file, with the lock held, completes the change of the process that was killed.

Changes are numbered, and the last number that was done is kept: a pending file that comes back later, from a
backup or a sync service, is recognised by its number.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from types import EllipsisType

from hippocampus_cli.errors import (
    BeingWritten,
    ChangeUnfinished,
    FileUnreadable,
    FileUnwritable,
    HippoError,
    OutsideWorkspace,
)
from hippocampus_cli.index.document import ARCHIVE, FOLDER, MASTER, TOPICS
from hippocampus_cli.index.edit import remove_entry
from hippocampus_cli.index.hierarchy import Hierarchy, assembled
from hippocampus_cli.index.merge_entry import rebase_entry
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.rebase import rebase, removed_keys
from hippocampus_cli.markdown.lines import decode, encode, split_lines
from hippocampus_cli.workspace.atomic import (
    Overtaken,
    check_still,
    clear_leftovers,
    is_half_written,
    is_shared,
    overwrite_bytes,
    replace_bytes,
)
from hippocampus_cli.workspace.lease import PATIENCE, InUse, read_settled
from hippocampus_cli.workspace.own_files import (
    COMMITTED,
    PENDING,
    ensure_folder,
    index_path,
    is_inside,
)
from hippocampus_cli.workspace.transaction import (
    MOST_BYTES,
    Replacement,
    Replacements,
    Transaction,
    number_of,
    unpacked,
)

_ALLOWED = (
    "topics/",
    "archive/",
    "temporal/",
    "history/",
    "reports/",
    "meta.json",
    "cache/descriptions.json",
    "mind/beliefs.md",
    "mind/archived.md",
)


def commit(root: Path, replacements: Replacements) -> None:
    """Replace these files, by path from the root, as one. The caller holds the lock.

    Raises :class:`FileUnwritable`, and :class:`Overtaken` where a file is not as it was ``before``; then every
    file is as it was.
    """
    if len(replacements) == 1 and not is_shared(_target(root, next(iter(replacements)))):
        for path, one in replacements.items():
            _write(root, path, one.after, one.before)
        return
    change, number = _transaction(root), _last(root) + 1
    change.begin(replacements, number)
    try:
        change.apply(replacements)
    except (HippoError, Overtaken) as error:  # the disk is full, say: as if never tried
        _undo(change, replacements, error)
        drop(root)
        raise
    _done(root, number)


def _transaction(root: Path) -> Transaction:
    pending = ensure_folder(root, PENDING)
    return Transaction(pending, PENDING, partial(read_or_none, root), partial(_write, root))


def _undo(change: Transaction, replacements: Replacements, why: Exception) -> None:
    """Raises :class:`ChangeUnfinished` where that fails too: then the next command completes the change."""
    try:
        change.undo(replacements)
    except HippoError as error:
        reason = why.facts.get("reason", why) if isinstance(why, HippoError) else error
        raise ChangeUnfinished(path=PENDING, reason=reason) from error


def pending_commit(root: Path) -> Replacements | None:
    """What a killed process left to do; ``None`` where there is nothing, or nothing that makes sense.

    Raises :class:`FileUnreadable` where the file may not be read: another user's work is not to be dropped.
    """
    if not is_inside(root, root / PENDING):
        return None
    data = read_or_none(root, PENDING)
    try:
        return None if data is None else unpacked(data, PENDING, is_own)
    except FileUnreadable:
        return None


def is_done(root: Path) -> bool:
    """Whether the pending file is of a change that was carried out long ago."""
    return 0 < number_of(read_or_none(root, PENDING) or b"") <= _last(root)


def finish(root: Path, replacements: Replacements) -> None:
    """Complete a change from what is there now, and remove the pending file. Raises as :func:`commit`."""
    left = {path: one for path, one in replacements.items() if one.before != one.after}
    _transaction(root).apply(left)
    _done(root, number_of(read_or_none(root, PENDING) or b""))


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
    """The bytes of an own file; ``None`` where there is none. Raises :class:`FileUnreadable`."""
    if path != MASTER and not is_inside(root, root / path):
        reason = f"{path} is a link that leads out of the workspace"
        raise OutsideWorkspace(path=path, reason=reason)
    try:
        if (root / path).stat().st_size > MOST_BYTES:
            raise FileUnreadable(path=path, reason=f"larger than {MOST_BYTES:,} bytes")
        return read_settled(root / path, PATIENCE)
    except FileNotFoundError:
        return None
    except InUse as error:
        raise BeingWritten(path=path) from error
    except OSError as error:
        raise FileUnreadable(path=path, reason=error.strerror or str(error)) from error


def is_own(path: str) -> bool:
    """Whether hippo itself writes such a file."""
    parts = PurePosixPath(path).parts
    if path == MASTER:
        return True
    inside = path.startswith(FOLDER) and path.removeprefix(FOLDER).startswith(_ALLOWED)
    plain = not any(char < " " or char in "\\:" for char in path)
    return inside and plain and ".." not in parts


def _write(
    root: Path, path: str, data: bytes | None, expected: bytes | EllipsisType | None = ...
) -> None:
    target = _target(root, path)
    if data is not None:
        if isinstance(expected, bytes) and is_shared(target):
            overwrite_bytes(target, data, path, expected, PATIENCE)
        else:
            replace_bytes(target, data, path, expected)
        return
    try:
        check_still(target, expected)
        target.unlink(missing_ok=True)
    except OSError as error:
        raise FileUnwritable(path=path, reason=error.strerror or str(error)) from error


def _target(root: Path, path: str) -> Path:
    if path != MASTER:
        return ensure_folder(root, path)
    return index_path(root)


_ROUNDS = 20


def recover(root: Path) -> str:
    """Finish what is pending, and say what was found; the caller holds the lock.

    A file that somebody edited in the meantime keeps the edit: the change is carried over entry by entry.
    A pending file that makes no sense never took effect, and goes. Raises :class:`FileUnreadable` where it may not
    be read, :class:`FileUnwritable`.
    """
    for _ in range(_ROUNDS):
        pending = pending_commit(root)
        if pending is None:
            drop(root)
            return ""
        if is_done(root):
            drop(root)
            return "a change that was completed before came back as pending (from a sync or a backup); it was removed"
        with contextlib.suppress(Overtaken):
            _finish(root, pending)
            return "a change that was interrupted has been completed"
    raise BeingWritten(path=MASTER, reason="another program keeps writing to it")


def _finish(root: Path, pending: Replacements) -> None:
    now = {path: read_or_none(root, path) for path in pending}
    edited = {
        path: data
        for path, data in now.items()
        if holds_entries(path) and data not in pending[path]
        if not is_half_written(data, *pending[path])
    }
    wanted = {**pending, **_carried(pending, edited)} if edited else pending
    finish(root, {path: Replacement(now[path], one.after) for path, one in wanted.items()})
    for path in wanted:  # a file that was in place already left what it was made from
        with contextlib.suppress(OSError):
            clear_leftovers(index_path(root) if path == MASTER else root / path)


def _carried(pending: Replacements, edited: Mapping[str, bytes | None]) -> Replacements:
    """What becomes of the index's files where some were edited while the change was half done.

    Every other file becomes what was meant. An edited one may have been written before it was edited, and is
    right then; or not yet, and its part of the change is carried over.
    """
    meant = {path: one.after for path, one in pending.items() if holds_entries(path)}
    index = hierarchy_of({**meant, **edited})
    for path, data in edited.items():
        if data is not None and _stands_on(data, pending[path]):
            index = _caught_up(index, path, pending[path])
    texts: dict[str, bytes | None] = {
        path: encode(text) for path, text in index.texts.items() if path in meant
    }
    if MASTER in edited and edited[MASTER] is None:  # whoever deletes the index wants it gone
        texts[MASTER] = None
    return {path: Replacement(pending[path].before, data) for path, data in texts.items()}


def _stands_on(data: bytes, change: Replacement) -> bool:
    """Whether an edited file comes from what was there before the change, going by the lines it shares."""
    before, after = (Counter(split_lines(decode(one or b""))) for one in change)
    here = Counter(split_lines(decode(data)))
    old, new = before - after, after - before
    return (here & old).total() * new.total() >= (here & new).total() * old.total()


def _caught_up(index: Hierarchy, path: str, change: Replacement) -> Hierarchy:
    """The index with one file's part of the change carried over; what left the file stands elsewhere already."""
    old, new = (hierarchy_of({path: one}) for one in change)
    here = rebase(old, new, hierarchy_of({path: encode(index.files[path].text)}))
    arrived = {one.entry.id: one.key for one in index.by_key.values() if one.file != path}
    for key in removed_keys(old, new):
        left, there = here.by_key.get(key), arrived.get(old.by_key[key].entry.id)
        if left is not None and there is not None:
            before = old.by_key[key].entry
            index = index.change(there, lambda one, b=before, e=left.entry: rebase_entry(b, e, one))  # type: ignore[misc]
            here = here.with_file(path, remove_entry(here.files[path], key))
    return index.with_file(path, here.files[path])


def hierarchy_of(files: Mapping[str, bytes | None]) -> Hierarchy:
    """The index that these files are; a missing master is an empty one."""
    return assembled(
        {path: parse(decode(data)) for path, data in files.items() if data is not None}
    )


def holds_entries(path: str) -> bool:
    """Whether a file of hippo's own is one of the index."""
    return path == MASTER or path.startswith((TOPICS, ARCHIVE))
