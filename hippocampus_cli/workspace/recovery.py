"""Finishing the change of several files that a killed process began (:mod:`commit`)."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from hippocampus_cli.errors import BeingWritten
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.edit import remove_entry
from hippocampus_cli.index.files import ARCHIVE, MASTER, TOPICS
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.rebase import merged, rebased, vanished
from hippocampus_cli.markdown.lines import decode, encode, split_lines
from hippocampus_cli.workspace import commit
from hippocampus_cli.workspace.atomic import Overtaken, clear_leftovers, is_half_written
from hippocampus_cli.workspace.commit import Replacement, Replacements
from hippocampus_cli.workspace.own_files import index_path

_ROUNDS = 20


def recover(root: Path) -> str:
    """Finish what is pending, and say what was found; the caller holds the lock.

    A file that somebody edited in the meantime keeps the edit: the change is carried over entry by entry.
    A pending file that makes no sense never took hold, and goes. Raises :class:`FileUnreadable` where it may not
    be read, :class:`FileUnwritable`.
    """
    for _ in range(_ROUNDS):
        pending = commit.pending(root)
        if pending is None:
            commit.drop(root)
            return ""
        if commit.is_done(root):
            commit.drop(root)
            return "a change that was completed before came back as pending (from a sync or a backup); it was removed"
        with contextlib.suppress(Overtaken):
            _finish(root, pending)
            return "a change that was interrupted has been completed"
    raise BeingWritten(path=MASTER, reason="another program keeps writing to it")


def _finish(root: Path, pending: Replacements) -> None:
    now = {path: commit.read_or_none(root, path) for path in pending}
    edited = {
        path: data
        for path, data in now.items()
        if holds_entries(path) and data not in pending[path]
        if not is_half_written(data, *pending[path])
    }
    wanted = {**pending, **_carried(pending, edited)} if edited else pending
    commit.finish(root, {path: Replacement(now[path], one.after) for path, one in wanted.items()})
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
    here = rebased(old, new, hierarchy_of({path: encode(index.files[path].text)}))
    arrived = {one.entry.id: one.key for one in index.by_key.values() if one.file != path}
    for key in vanished(old, new):
        left, there = here.by_key.get(key), arrived.get(old.by_key[key].entry.id)
        if left is not None and there is not None:
            before = old.by_key[key].entry
            index = index.change(there, lambda one, b=before, e=left.entry: merged(b, e, one))  # type: ignore[misc]
            here = here.with_file(path, remove_entry(here.files[path], key))
    return index.with_file(path, here.files[path])


def hierarchy_of(files: Mapping[str, bytes | None]) -> Hierarchy:
    """The index that these files are; a missing master is an empty one."""
    documents: dict[str, Document] = {
        path: parse(decode(data)) for path, data in files.items() if data is not None
    }
    return Hierarchy(
        documents.get(MASTER, Document(())),
        {path: one for path, one in sorted(documents.items()) if path.startswith(TOPICS)},
        {path: one for path, one in sorted(documents.items()) if path.startswith(ARCHIVE)},
    )


def holds_entries(path: str) -> bool:
    """Whether a file of hippo's own is one of the index."""
    return path == MASTER or path.startswith((TOPICS, ARCHIVE))
