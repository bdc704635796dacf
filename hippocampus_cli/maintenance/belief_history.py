"""Changes of beliefs in the history of upkeep, and taken back (decision D16); episodes stay as they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.parse import parse
from hippocampus_cli.maintenance import history
from hippocampus_cli.maintenance.actions import Action, Kind
from hippocampus_cli.maintenance.history import MIND, Record
from hippocampus_cli.markdown.lines import decode
from hippocampus_cli.mind.beliefs import (
    ARCHIVED,
    NEW,
    VERSIONS,
    BeliefStore,
    beliefs_of,
    removed,
)
from hippocampus_cli.workspace.commit import commit, read_or_none
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import BELIEFS, CURATION, HISTORY, OUTDATED
from hippocampus_cli.workspace.transaction import Replacement, Replacements

PLACES = (BELIEFS, ARCHIVED)


def is_own_text(path: str) -> bool:
    """Whether a file beside the beliefs is one that a change adds lines to."""
    return path in (CURATION, OUTDATED) or path.startswith(VERSIONS)


def without_lines(there: bytes | None, before: bytes | None, after: bytes | None) -> bytes | None:
    """A file without the lines that a change added, and with those that it took out; later ones stay."""
    if there == after:
        return before
    old, new = (Counter((one or b"").splitlines(keepends=True)) for one in (before, after))
    gone, kept = new - old, list[bytes]()
    for line in (there or b"").splitlines(keepends=True):
        if gone[line] > 0:
            gone[line] -= 1
        else:
            kept.append(line)
    return b"".join((*kept, *(old - new).elements()))


@contextmanager
def recorded(root: Path, timeout: float, now: datetime) -> Iterator[None]:
    """What becomes of the beliefs within is one record of the history: ``hippo undo`` takes it back.

    Who is killed within leaves beliefs that are whole, and no record.
    """
    before = {path: read_or_none(root, path) for path in PLACES}
    yield
    after = {path: read_or_none(root, path) for path in PLACES}
    changes = {
        path: Replacement(before[path], after[path])
        for path in PLACES
        if before[path] != after[path]
    }
    if not changes:
        return
    with locked(root, timeout):
        actions = tuple(_actions(changes))
        write(root, Record(history.next_number(root), MIND, now, actions), changes, {})


def write(root: Path, record: Record, changes: Replacements, replaced: Replacements) -> None:
    """The files of a record, and those that it replaces, as one; the caller holds the lock."""
    files = history.written(record, changes)
    commit(root, {**replaced, **{path: Replacement(None, data) for path, data in files.items()}})


def _actions(changes: Replacements) -> Iterator[Action]:
    """An action a belief: its status, or that it is in the archive, before and after."""
    old, new = _states(changes, 0), _states(changes, 1)
    for id in dict.fromkeys((*old, *new)):
        if old.get(id) != new.get(id):
            before, after = (states.get(id, ("", ""))[0] for states in (old, new))
            yield Action(Kind.BELIEVE, id, "beliefs changed", before, after)


def _states(changes: Replacements, at: int) -> dict[str, tuple[str, str]]:
    """The beliefs of one side of a change: what each is, and all that it says."""
    return {
        belief.id: ("archived" if path == ARCHIVED else belief.status, repr(belief))
        for path, change in changes.items()
        for belief in beliefs_of(parse(decode(change[at] or b"")))
    }


def taken_back(root: Path, files: Replacements, now: datetime) -> tuple[Replacements, bool]:
    """What takes a change of beliefs back, later edits kept; and whether every byte is as before."""
    from hippocampus_cli.maintenance.undo import undone
    from hippocampus_cli.workspace.commit import hierarchy_of

    made, exactly = {}, True
    for path, change in files.items():
        there = read_or_none(root, path)
        if path not in PLACES:
            if is_own_text(path):
                made[path] = Replacement(there, without_lines(there, *change))
            continue
        before, after = (one if one is not None else NEW[path].encode() for one in change)
        if there == change.after or there is None:
            made[path] = Replacement(there, before)
            exactly = exactly and there == change.after
            continue
        index = hierarchy_of({MASTER: there})
        back, exact, _ = undone({MASTER: Replacement(before, after)}, index, now, archive=False)
        made[path] = Replacement(there, back.texts[MASTER].encode("utf-8", "surrogateescape"))
        exactly = exactly and exact
    return made, exactly


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
