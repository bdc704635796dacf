"""Bringing the store up to date with the notes: files are read and indexed outside of any transaction, and written in
short ones.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.search.indexing import Indexed, index_note
from hippocampus_cli.search.postings import Changes
from hippocampus_cli.workspace.file_table import Diff, FileStat, restored
from hippocampus_cli.workspace.kinds import period_of
from hippocampus_cli.workspace.read import BINARY

if TYPE_CHECKING:
    from hippocampus_cli.search.tables import Clock, Progress, ReadNote, Record, Tables

_NOT_A_NOTE = -1  # in the place of a checksum
# In one transaction: nobody waits long for the lock, and a hook that is cut off leaves the batches before.
_FIRST_CHARACTERS, _BATCH_CHARACTERS = 100_000, 2_000_000
_BATCH_FILES = 2_000
Step = Callable[["_Writer"], None]


def carry_out(
    db: Tables,
    diff: Diff,
    clock: Clock,
    read: ReadNote,
    progress: Progress | None,
) -> None:
    """Bring the tables up to date in short transactions; after an interruption the next refresh does the rest."""
    known = db.checksums([stat.path for stat in diff.changed])
    removed = ((stat, partial(_Writer.remove, path=stat.path)) for stat in diff.removed)
    wanted = sorted([*diff.added, *diff.changed])
    files = ((stat, _read(stat, read, clock(), known.get(stat.path))) for stat in wanted)
    finished, total = 0, len(diff.removed) + len(wanted)
    for batch in _batches(chain(removed, files)):
        with db.transaction():
            writer = _Writer(db)
            for step in batch:
                step(writer)
            writer.finish()
        finished += len(batch)
        if progress:
            progress(finished, total)


def _read(stat: FileStat, read: ReadNote, now: int, known: int | None) -> Step:
    """What is to be done for a file, read at ``now``; where its text has the checksum ``known`` it is not indexed
    again."""
    try:
        note = read(stat.path)
    except (FileUnreadable, OutsideWorkspace) as error:
        if BINARY in error.message:  # not read again until it changes
            return lambda writer: writer.store(stat, now, _NOT_A_NOTE, Indexed((), ()))
        return partial(_Writer.remove, path=stat.path)
    checksum = zlib.crc32(note.text.encode("utf-8", "surrogatepass"))
    if checksum == known:
        return lambda writer: writer.db.touch(stat, now, checksum)
    indexed = index_note(note)
    return lambda writer: writer.store(stat, now, checksum, indexed)


def _batches(files: Iterable[tuple[FileStat, Step]]) -> Iterator[list[Step]]:
    """What is to be done at once: little at first, for whoever is stopped early leaves what was written."""
    batch: list[Step] = []
    size, most = 0, _FIRST_CHARACTERS
    for stat, step in files:
        batch.append(step)
        size += stat.size
        if size >= most or len(batch) >= _BATCH_FILES:
            yield batch
            batch, size, most = [], 0, min(2 * most, _BATCH_CHARACTERS)
    if batch:
        yield batch


class _Writer:
    """What is to be inserted and removed within one transaction, gathered."""

    def __init__(self, db: Tables) -> None:
        self.db = db
        self._postings = Changes()
        self._counts = [(0, 0, 0)]
        self._rows: defaultdict[str, list[Record]] = defaultdict(list)
        self._file, self._passage = db.last_ids()

    def store(self, stat: FileStat, read_ns: int, checksum: int, indexed: Indexed) -> None:
        """Take a file's passages in the place of those that are there."""
        self.remove(stat.path)
        self._file += 1
        days = period_of(stat.path)
        period = (days[0].toordinal(), days[1].toordinal()) if days else (None, None)
        facts = (*stat, read_ns, checksum, *period, self._passage + 1)
        counts = len(indexed.rows), indexed.terms
        self._counts.append((1, *counts))
        self._rows["files"].append((self._file, *facts, *counts))
        for ordinal, (row, weights) in enumerate(zip(indexed.rows, indexed.weights, strict=True)):
            self._passage += 1
            self._postings.add(self._passage, weights)
            self._rows["passages"].append((self._passage, self._file, ordinal, *row))
        for section in indexed.outline:
            parents = "".join(f"\n{title}" for title in section.parents)
            self._rows["sections"].append((self._file, *section[:3], parents, *section[4:]))

    def remove(self, path: str) -> None:
        """Forget a file, if it is known."""
        for passage, body, others in self.db.remove(path):
            self._postings.remove(passage, (*restored(body).split(), *restored(others).split()))

    def finish(self) -> None:
        """Write what was gathered."""
        self._postings.write(self.db)
        for table, rows in self._rows.items():
            self.db.insert(table, rows)
        self.db.add_totals(map(sum, zip(*self._counts, strict=True)))
