"""Entries given to other agents and taken from them, in a folder of shared memory (INDEX §10)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from hippocampus_cli.entries.check import Follower
from hippocampus_cli.entries.index_writer import IndexWriter
from hippocampus_cli.entries.sections import place_in
from hippocampus_cli.entries.select import Which, choose
from hippocampus_cli.entries.shared_memory import (
    Arrival,
    LeftOut,
    Received,
    Shared,
    Sharer,
    arrivals,
    block_of,
    checked_agent,
    read_folder,
    renewed,
    stands_already,
)
from hippocampus_cli.errors import FileUnreadable, FileUnwritable, OutsideWorkspace, UsageError
from hippocampus_cli.index import metadata
from hippocampus_cli.index.decay import clock_for
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import make_folders
from hippocampus_cli.workspace.paths import real_path
from hippocampus_cli.workspace.redaction import redactor_for
from hippocampus_cli.workspace.regular import read_regular

_SHELF = "Shared by other agents"
_MOST_BYTES = 1_000_000
Notes = dict[str, tuple[bytes, bytes | None]]


def share_entries(
    writer: IndexWriter, folder: Path, agent: str, which: Which, *, dry_run: bool
) -> Shared:
    """Give the entries ``which`` to other agents, in a folder of shared memory; ``agent`` is who shares.

    Raises :class:`UsageError` where nothing is named or for a name that none can be, :class:`FileUnwritable`.
    """
    checked_agent(agent)
    if not (which.paths or which.tags):
        advice = "name it with --path 'TOOLS.md' or --tag deploy"
        raise UsageError(reason="it is not said what to share", advice=advice)
    root, config, index = writer.root, writer.config, writer.store.read()
    clock = clock_for(index, writer.now, config.decay)
    wanted = {state.id for state in choose(index.entries, clock, config.bands, which)}
    chosen = [located for located in index.entries if located.key in wanted]
    follower = Follower(root, config.scan.max_file_bytes)
    sharer = Sharer(agent, read_folder(folder), follower, redactor_for(root), writer.now)
    sharer.share(chosen, lambda entry: round(clock.strength(entry), 2))
    if not dry_run:
        for path, data in sharer.files.items():
            _write_new(folder, path, data)
    entries, same = tuple(sharer.entries), tuple(sharer.same)
    return Shared(str(folder), agent, entries, same, tuple(sharer.files), dry_run)


def receive_entries(
    writer: IndexWriter,
    folder: Path,
    agent: str,
    refused: Callable[[str], str | None],
    *,
    dry_run: bool,
) -> Received:
    """Take in what other agents share with ``agent``; ``refused`` gives the category of what must stay out.

    Raises :class:`UsageError`, :class:`FileUnreadable`, :class:`IndexNotFound`, :class:`OutsideWorkspace`.
    """
    checked_agent(agent)
    if not folder.is_dir():
        raise FileUnreadable(path=str(folder), reason="it is no folder")
    root, redactor = writer.root, redactor_for(writer.root)

    def refuses(text: str) -> str | None:
        kept_out = "it holds a secret, or what was forgotten" if redactor.spans(text) else None
        return kept_out or refused(text)

    inside = _inside(root, folder)
    arrived, out = arrivals(read_folder(folder), agent, writer.now, inside, refuses)
    notes, kept = _notes(root, arrived)
    out += [LeftOut(path, "it was changed here") for path in kept]
    change = partial(_taken_in, arrivals=arrived)
    if dry_run:
        _, (new, changed, left) = change(writer.store.read(archive=True))
    else:
        _write_notes(writer, notes)
        _, (new, changed, left) = writer.change(change, archive=True)
    left_out = (*out, *left)
    return Received(str(folder), agent, tuple(new), tuple(changed), tuple(notes), left_out, dry_run)


def _write_notes(writer: IndexWriter, notes: Notes) -> None:
    writer.store.read()  # without an index nothing is written
    with locked(writer.root, writer.config.lock.timeout_seconds):
        for path, (data, before) in notes.items():
            make_folders((writer.root / path).parent)
            replace_bytes(writer.root / path, data, path, before)


def _taken_in(
    index: Hierarchy, arrivals: Sequence[Arrival]
) -> tuple[Hierarchy, tuple[list[str], list[str], list[LeftOut]]]:
    """The index with what arrives; an entry of the same id that is not the sender's stays as it is."""
    new: list[str] = []
    changed: list[str] = []
    out: list[LeftOut] = []
    blocks = []
    for one in arrivals:
        there = index.by_key.get(one.draft.id)
        if there is None:
            new.append(one.draft.id)
            blocks.append(block_of(one))
        elif metadata.read_text(there.entry.values.get("from", "")) != one.sender:
            out.append(LeftOut(one.path, f"there is another entry {one.draft.id} here"))
        elif not stands_already(there.entry, one):
            index = index.change_all({there.key: partial(renewed, arrival=one)})
            changed.append(one.draft.id)
    if blocks:
        index = index.add(place_in(index.master, _SHELF), blocks)
    return (index.counted() if new or changed else index), (new, changed, out)


def _notes(root: Path, arrived: Sequence[Arrival]) -> tuple[Notes, list[str]]:
    """The texts to write, each with the bytes that it takes the place of; and those that somebody changed here."""
    notes: Notes = {}
    kept: list[str] = []
    for path, versions in (pair for one in arrived for pair in one.notes.items()):
        if real_path(str(root), path) is None:
            raise OutsideWorkspace(path=path, reason="what is shared must not be written there")
        before = None
        with suppress(FileNotFoundError, NotADirectoryError):
            before = read_regular(root / path, _MOST_BYTES)
        if before == versions[-1]:
            continue
        if before is not None and before not in versions:
            kept.append(path)
        else:
            notes[path] = versions[-1], before
    return notes, sorted(set(kept))


def _inside(root: Path, folder: Path) -> str | None:
    """The folder's path from the workspace, where it is in it and hippo reads it."""
    try:
        path = folder.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        return None
    return None if path.startswith(".") else path


def _write_new(folder: Path, path: str, data: bytes) -> None:
    """Raises :class:`FileUnwritable`, :class:`OutsideWorkspace` for a link in the folder that leads out of it."""
    if real_path(str(folder), path) is None:
        raise OutsideWorkspace(path=path, reason="a link leads out of the shared folder")
    try:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileUnwritable(path=path, reason=error.strerror or str(error)) from error
    replace_bytes(folder / path, data, path, None, mode=0o644)
