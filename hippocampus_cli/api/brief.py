"""The brief of a workspace: its notes and its index read, and what the memory has on a prompt."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from hippocampus_cli.api.opened import without_beliefs
from hippocampus_cli.entries import brief as briefs
from hippocampus_cli.entries.brief import Brief
from hippocampus_cli.errors import FileUnreadable, HippoError, IndexGone, OutsideWorkspace
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import plain_line
from hippocampus_cli.index.parse import parse
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.query.results import held_line
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.workspace.meta import read_meta
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.own_files import BELIEFS, WAITING

if TYPE_CHECKING:
    from hippocampus_cli.api.entries import Entries
    from hippocampus_cli.query.results import QueryResult

LATE_DAYS = 7
"""How late a cycle of upkeep may be before an agent is told."""
_WAITING, _LONGEST = 3, 160
"""How many memories that wait are shown, and how many characters of each."""
PLACES, TOKENS = 2, 120
"""How many places answer a prompt, and how long they may be together."""


def brief(workspace: Entries, asked: str, now: datetime) -> Brief:
    """As :meth:`Workspace.brief`."""
    index, alarm = _index(workspace)
    library = workspace.library
    library.refresh()
    paths = [file[0] for file in library.found.files]
    notes = list(_read(workspace, briefs.chosen(paths)))
    held, unread = _held(workspace)
    answer = _answer(workspace, asked, now)
    notices = (alarm or _notices(workspace, index, now)) + unread + _waiting(workspace, now)
    return briefs.brief(index, notes, len(paths), answer, notices, held)


def _index(workspace: Entries) -> tuple[Hierarchy, list[str]]:
    """The index; an empty one and an alarm where there was one that is gone, or cannot be read."""
    try:
        return workspace.store.read(archive=True), []
    except (IndexGone, FileUnreadable) as error:
        return Hierarchy(parse("")), [f"{error.message}: `hippo check`"]


def _read(workspace: Entries, paths: list[str]) -> Iterator[Note]:
    for path in paths:
        try:
            yield workspace.library.source(path)
        except (FileUnreadable, OutsideWorkspace):
            continue  # `hippo status` tells of it


def _held(workspace: Entries) -> tuple[list[str], list[str]]:
    """What is held, the newest first, and why it could not be read; nothing is loaded where there are no beliefs."""
    if not os.path.lexists(workspace.root / BELIEFS):
        return [], []
    from hippocampus_cli.mind.held import newest

    try:
        return [held_line(one) for one in newest(workspace.root)], []
    except HippoError as error:
        return [], [without_beliefs(error)]


def _notices(workspace: Entries, index: Hierarchy, now: datetime) -> list[str]:
    """What is wrong with the memory itself; that upkeep never ran is no news."""
    meta = read_meta(workspace.root)
    missed = [cycle for cycle in meta.due(now, LATE_DAYS) if cycle in meta.cycles]
    told = [f"upkeep is late ({', '.join(missed)}): `hippo maintain --due`"] if missed else []
    loss = workspace.store.loss(index)
    if loss:
        told.append(f"{len(loss.ids)} entries of the index are lost: `hippo check`")
    return told


def _waiting(workspace: Entries, now: datetime) -> list[str]:
    """What was remembered and is not in its log; nothing is loaded where nothing is kept."""
    if not os.path.lexists(workspace.root / WAITING):
        return []
    from hippocampus_cli.entries.kept import review, to_show

    newest = to_show(workspace.root, review(workspace.root, now)[1])[-_WAITING:]
    return [
        f"waits to be written into {safe_line(one.path)}: {shorten(plain_line(one.text), _LONGEST)}"
        for one in newest
    ]


def _answer(workspace: Entries, asked: str, now: datetime) -> list[str]:
    """The places that answer the prompt, a line each, where the memory is sure; nothing is written back."""
    if not asked:
        return []
    found: QueryResult = workspace.query(asked, limit=PLACES, tokens=TOKENS, write=False, now=now)  # type: ignore[attr-defined]
    if found.sure != "sure":
        return []
    return [
        f"{safe_line(one.path)}:{one.start_line}: {' '.join(safe_line(one.text).split())}"
        for one in found.results
    ]
