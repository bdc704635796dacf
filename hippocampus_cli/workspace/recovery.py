"""Finishing the change of several files that a killed process began (:mod:`commit`)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hippocampus_cli.index.document import Document
from hippocampus_cli.index.files import ARCHIVE, MASTER, TOPICS
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.rebase import rebased
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.workspace import commit
from hippocampus_cli.workspace.commit import Replacement, Replacements


def recover(root: Path) -> None:
    """Finish what is pending; the caller holds the lock.

    A file that somebody edited in the meantime keeps the edit: the change is carried over entry by entry.
    A pending file that makes no sense never took hold, and goes. Raises :class:`FileUnreadable` where it may not
    be read.
    """
    pending = commit.pending(root)
    if pending is None:
        commit.drop(root)
        return
    now = {path: commit.read_or_none(root, path) for path in pending if holds_entries(path)}
    if all(data in pending[path] for path, data in now.items()):
        commit.finish(root, pending)
        return
    merged = rebased(
        hierarchy_of({path: pending[path].before for path in now}),
        hierarchy_of({path: pending[path].after for path in now}),
        hierarchy_of(now),
    )
    texts = {path: encode(text) for path, text in merged.texts.items() if path in now or text}
    commit.finish(root, {**pending, **_replaced(pending, texts)})


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


def _replaced(pending: Replacements, texts: Mapping[str, bytes]) -> dict[str, Replacement]:
    return {
        path: Replacement(pending[path].before if path in pending else None, data)
        for path, data in texts.items()
        if path != MASTER or path in pending
    }
