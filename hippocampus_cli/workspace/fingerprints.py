"""What the notes were when upkeep last read them.

A fingerprint recognises a note that was moved, renamed or changed in part. The fingerprints are a cache: without
them, upkeep reads every note again and recognises less. Most are only asked whether their file looks as it did, so
they stay in their database until somebody asks: those of 100,000 notes would take a gigabyte.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hippocampus_cli.workspace.database import Database, Schema, transaction
from hippocampus_cli.workspace.file_table import (
    COLUMNS,
    LOOKS,
    Diff,
    FileStat,
    diff,
    restored,
    storable,
)
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.own_files import CACHE, cache_path
from hippocampus_cli.workspace.sections import names_of
from hippocampus_cli.workspace.state import IF_SENSIBLE

_FILE = f"{CACHE}/fingerprints.sqlite"
_TABLES = f"CREATE TABLE files({COLUMNS}, text INTEGER NOT NULL, sections TEXT NOT NULL);\n"
# Each row is checked when it is used, so a file is not looked at in whole.
_SCHEMA = Schema(_TABLES, version=1, believed=True)


class SectionPrint(NamedTuple):
    """A section: its pointer name (``""`` for text before all headings), a checksum of its text below the
    heading, and one of each line of it that holds words."""

    name: str
    text: int
    lines: tuple[int, ...]


class Fingerprint(NamedTuple):
    """A note: how its file looked, as in the file table, a checksum of its text, its sections as JSON."""

    size: int
    mtime_ns: int
    read_ns: int
    ctime_ns: int
    text: int
    written: str

    @property
    def sections(self) -> tuple[SectionPrint, ...]:
        """Its sections, in file order; none where what is written makes no sense."""
        with IF_SENSIBLE:
            return tuple(
                SectionPrint(name, text, tuple(lines))
                for name, text, lines in json.loads(self.written)
            )
        return ()


Fingerprints = Mapping[str, Fingerprint]
"""By path from the workspace's root."""
Changed = Mapping[str, Fingerprint | None]
"""The fingerprints that are other than before, ``None`` for a note that is gone."""


def fingerprint(note: Note, stat: FileStat, read_ns: int) -> Fingerprint:
    """The fingerprint of a note that was read not before ``read_ns``, and whose file looked like ``stat`` before."""
    names = names_of(note.sections)
    sections = []
    for section in note.sections:
        body = body_of(note, section)
        lines = tuple(checksum(line) for line in body if line)
        sections.append(
            SectionPrint(names.pointer_name(section) or "", checksum("\n".join(body)), lines)
        )
    written = json.dumps(sections, separators=(",", ":"))
    return Fingerprint(
        stat.size, stat.mtime_ns, read_ns, stat.ctime_ns, checksum(note.text), written
    )


def checksum(text: str) -> int:
    """A checksum that is the same on every machine."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


class KeptFingerprints(Mapping[str, Fingerprint]):
    """The fingerprints as last saved; empty where there are none, or none that can be read. ``close`` when done."""

    def __init__(self, root: Path) -> None:
        self._database = Database(cache_path(root, _FILE), _SCHEMA)
        self.close = self._database.close

    def __getitem__(self, path: str) -> Fingerprint:
        for row in self._rows("* FROM files WHERE path = ?", storable(path)):
            return Fingerprint(*row[2:])
        raise KeyError(path)

    def __iter__(self) -> Iterator[str]:
        rows: list[Any] = [("",)]  # some at a time: the paths of 100,000 notes take much memory
        while rows := self._rows(
            "path FROM files WHERE path > ? ORDER BY path LIMIT 1000", *rows[-1]
        ):
            yield from (restored(path) for (path,) in rows)

    def __len__(self) -> int:
        return int(self._rows("count(*) FROM files")[0][0])

    def changes(self, files: Sequence[FileStat]) -> Diff:
        """How ``files`` differ from those that are known."""
        query = f"SELECT {LOOKS} FROM files"
        return self._database.healed(lambda db: diff(db.execute(query), files))

    def save(self, changed: Changed) -> None:
        """Keep what changed for the next time; where the disk refuses, nothing is kept."""
        rows = ((storable(path), *each) for path, each in changed.items() if each)
        db = self._database.connection
        with contextlib.suppress(sqlite3.Error), transaction(db):
            db.executemany(
                "DELETE FROM files WHERE path = ?", ((storable(path),) for path in changed)
            )
            db.executemany("INSERT INTO files VALUES(NULL, ?, ?, ?, ?, ?, ?, ?)", rows)

    def _rows(self, query: str, *values: object) -> list[Any]:
        return self._database.healed(lambda db: db.execute(f"SELECT {query}", values).fetchall())


def body_of(note: Note, section: Section) -> list[str]:
    """The lines of a section below its heading, its subsections aside, without the blanks around them."""
    first = section.start - 1 + (section.heading_lines if section.level else 0)
    return [line.strip() for line in note.lines[first : section.end]]
