"""Changes of beliefs in the history of upkeep (decision D16); episodes stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from hippocampus_cli.index.parse import parse
from hippocampus_cli.maintenance import history
from hippocampus_cli.maintenance.actions import Action, Kind
from hippocampus_cli.maintenance.history import MIND
from hippocampus_cli.markdown.lines import decode
from hippocampus_cli.workspace.atomic import Replacement
from hippocampus_cli.workspace.commit import commit, read_or_none
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import BELIEFS


@contextmanager
def recorded(root: Path, timeout: float, now: datetime) -> Iterator[None]:
    """What becomes of the beliefs within is one record of the history: ``hippo undo`` takes it back.

    Who is killed within leaves beliefs that are whole, and no record.
    """
    before = read_or_none(root, BELIEFS)
    yield
    change = Replacement(before, read_or_none(root, BELIEFS))
    if change.before == change.after:
        return
    old, new = map(_entries, change)
    ids = dict(sorted(old ^ new))
    actions = (Action(Kind.BELIEVE, id, "beliefs changed") for id in ids)
    with locked(root, timeout):
        files = history.written(root, {BELIEFS: change}, MIND, now, actions)[1]
        commit(root, {path: Replacement(None, data) for path, data in files.items()})


def _entries(data: bytes | None) -> set[tuple[str, str]]:
    """The beliefs of a file: the id and the text of each."""
    return {(one.entry.id, one.entry.raw) for one in parse(decode(data or b"")).entries}
