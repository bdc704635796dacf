"""Bringing the store up to date with the notes: files are read and indexed outside of any transaction, and written in
short ones.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search.indexing import Indexed, index_note
from hippocampus_cli.search.postings import Changes
from hippocampus_cli.search.sqlite_tables import FILES, PASSAGES, SECTIONS
from hippocampus_cli.workspace.file_table import Diff, FileStat, restored
from hippocampus_cli.workspace.kinds import period_of
from hippocampus_cli.workspace.read import BINARY

if TYPE_CHECKING:
    from hippocampus_cli.search.tables import Clock, Progress, ReadNote, Tables

NOT_A_NOTE = -1  # in the place of a checksum
# In one transaction: nobody waits long for the lock, and a hook that is cut off leaves the batches before.
_FIRST_CHARACTERS, _BATCH_CHARACTERS = 100_000, 2_000_000
_BATCH_FILES = 2_000


class ReadFile(NamedTuple):
    """A file as read. ``indexed`` is ``None`` for one that could not be, and for one whose text has the ``checksum``
    that is known."""

    stat: FileStat
    read_ns: int
    checksum: int
    indexed: Indexed | None


def carry_out(
    db: Tables,
    diff: Diff,
    clock: Clock,
    read: ReadNote,
    progress: Progress | None,
) -> None:
    """Bring the tables up to date in short transactions; after an interruption the next refresh does the rest."""
    known = db.checksums([stat.path for stat in diff.changed])
    removed = [ReadFile(stat, 0, NOT_A_NOTE, None) for stat in diff.removed]
    wanted = sorted([*diff.added, *diff.changed])
    files = (_read(stat, read, clock(), known.get(stat.path)) for stat in wanted)
    finished, total = 0, len(removed) + len(wanted)
    for batch in _batches(chain(removed, files)):
        with db.transaction():
            _write(db, batch)
        finished += len(batch)
        if progress:
            progress(finished, total)


def _read(stat: FileStat, read: ReadNote, now: int, known: int | None) -> ReadFile:
    """A file as read at ``now``; where its text has the checksum ``known`` it is not indexed again."""
    try:
        note = read(stat.path)
    except (FileUnreadable, OutsideWorkspace) as error:
        # binary data is not read again until it changes
        return ReadFile(stat, now, NOT_A_NOTE, Indexed((), ()) if BINARY in error.message else None)
    checksum = zlib.crc32(note.text.encode("utf-8", "surrogatepass"))
    return ReadFile(stat, now, checksum, None if checksum == known else index_note(note))


def _batches(files: Iterable[ReadFile]) -> Iterator[list[ReadFile]]:
    """Files to be written at once: few at first, for whoever is stopped early leaves what was written."""
    batch: list[ReadFile] = []
    size, most = 0, _FIRST_CHARACTERS
    for file in files:
        batch.append(file)
        size += file.stat.size
        if size >= most or len(batch) >= _BATCH_FILES:
            yield batch
            batch, size, most = [], 0, min(2 * most, _BATCH_CHARACTERS)
    if batch:
        yield batch


def _write(db: Tables, batch: Iterable[ReadFile]) -> None:
    """Write what was read; what another process wrote since has to be read again."""
    writer = _Writer(db)
    for file in batch:
        if file.indexed is not None:
            writer.store(file, file.indexed)
        elif file.checksum == NOT_A_NOTE:
            writer.remove(file.stat.path)
        else:
            db.touch(file.stat, file.read_ns, file.checksum)
    writer.finish()


class _Writer:
    """What is to be inserted and removed within one transaction, gathered."""

    def __init__(self, db: Tables) -> None:
        self._db = db
        self._postings = Changes()
        self._files: list[Sequence[object]] = []
        self._counts: list[Sequence[int]] = []
        self._passages: list[Sequence[object]] = []
        self._sections: list[Sequence[object]] = []
        self._languages: Counter[str] = Counter()
        self._file, self._passage = db.last_ids()

    def store(self, file: ReadFile, indexed: Indexed) -> None:
        """Take a file's passages in the place of those that are there."""
        path = file.stat.path
        self.remove(path)
        self._file += 1
        days = period_of(path)
        period = (days[0].toordinal(), days[1].toordinal()) if days else (None, None)
        facts = (*file.stat, file.read_ns, file.checksum, *period, self._passage + 1)
        counts = len(indexed.rows), indexed.sections, indexed.terms
        self._counts.append((1, *counts))
        self._files.append((self._file, *facts, *counts))
        for ordinal, (row, weights) in enumerate(zip(indexed.rows, indexed.weights, strict=True)):
            self._passage += 1
            self._postings.add(self._passage, weights)
            self._passages.append((self._passage, self._file, ordinal, *row))
        for section in indexed.outline:
            parents = "".join(f"\n{title}" for title in section.parents)
            self._sections.append((self._file, *section[:3], parents, *section[4:]))
        self._languages[indexed.language] += 1

    def remove(self, path: str) -> None:
        """Forget a file, if it is known."""
        for passage, body, others in self._db.remove(path):
            self._postings.remove(passage, (*restored(body).split(), *restored(others).split()))

    def finish(self) -> None:
        """Write what was gathered."""
        self._postings.write(self._db)
        self._db.insert("files", FILES, self._files)
        self._db.insert("sections", SECTIONS, self._sections)
        self._db.insert("passages", PASSAGES, self._passages)
        self._db.add_totals(map(sum, zip((0, 0, 0, 0), *self._counts, strict=True)))
        if self._languages:
            counts = self._db.languages() + self._languages
            told = " ".join(f"{name} {count}" for name, count in counts.items())
            self._db.set_meta("languages", told)
