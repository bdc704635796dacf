"""Changes of beliefs in the history of upkeep (decision D16); episodes stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from hippocampus_cli.index.parse import parse
from hippocampus_cli.maintenance import history
from hippocampus_cli.maintenance.actions import Action, Kind
from hippocampus_cli.maintenance.history import MIND, Record
from hippocampus_cli.markdown.lines import decode
from hippocampus_cli.mind.beliefs import ARCHIVED, VERSIONS, BeliefStore, removed
from hippocampus_cli.workspace.commit import commit, read_or_none
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import BELIEFS, HISTORY
from hippocampus_cli.workspace.transaction import Replacement, Replacements

PLACES = (BELIEFS, ARCHIVED)


@contextmanager
def recorded(root: Path, timeout: float, now: datetime) -> Iterator[None]:
    """What becomes of the beliefs within is one record of the history: ``hippo undo`` takes it back.

    Who is killed within leaves beliefs that are whole, and no record.
    """
    before = {path: read_or_none(root, path) for path in PLACES}
    yield
    changes = {
        path: Replacement(old, new)
        for path, old in before.items()
        if (new := read_or_none(root, path)) != old
    }
    if not changes:
        return
    states = [_entries(changes, side) for side in (0, 1)]
    ids = dict.fromkeys(id for state in states for id in state)
    actions = tuple(
        Action(Kind.BELIEVE, id, "beliefs changed")
        for id in ids
        if states[0].get(id) != states[1].get(id)
    )
    with locked(root, timeout):
        record = Record(history.next_number(root), MIND, now, actions)
        files = history.written(record, changes)
        commit(root, {path: Replacement(None, data) for path, data in files.items()})


def _entries(changes: Replacements, side: int) -> dict[str, tuple[str, str]]:
    """The beliefs before (0) or after (1) a change: the file and the text of each, by id."""
    return {
        located.entry.id: (path, located.entry.raw)
        for path, change in changes.items()
        for located in parse(decode(change[side] or b"")).entries
    }


def forget_beliefs(root: Path, episode: str, timeout: float) -> None:
    """Remove the beliefs that rest on one episode alone: living and archived ones, their versions, and the records of
    the history that name them."""
    gone: set[str] = set()
    for path in PLACES:
        store = BeliefStore(root, timeout, path)
        ids = {b.id for b in store.all() if {*b.episodes} == {episode}}
        if ids:
            gone |= ids
            store.change(lambda document, ids=ids: (removed(document, ids), None))  # type: ignore[misc]
    files = [root / VERSIONS / f"{id.replace('/', '-')}.md" for id in gone]
    for record in history.records(root):
        if gone & {action.key for action in record.actions}:
            names = (root / f"{HISTORY}/{record.name}{ending}" for ending in (".json", ".zip"))
            files += names
    for file in files:
        file.unlink(missing_ok=True)
