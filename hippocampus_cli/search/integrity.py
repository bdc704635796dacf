"""Whether a text cache holds what was written to it: looked at in whole where its file is not as hippo left it.

SQLite keeps no checksums of its pages, so each file has one of all that was derived from it.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from hippocampus_cli.search.schema import SECTION_COLUMNS
from hippocampus_cli.workspace.database import check_pages

_SECONDS = (
    3.0  # a bigger cache than can be looked at in this time is sooner built anew than waited for
)
_STEPS = 100_000  # of SQLite's machine between two looks at the clock
_SECTIONS = (
    f"SELECT file, {SECTION_COLUMNS}, passages.title, place, body FROM sections"
    " LEFT JOIN passages ON passages.rowid = sections.id ORDER BY file, ordinal"
).replace("title, parents", "sections.title, parents", 1)
_FILES = "SELECT id, path, checksum, kind, first_day, last_day, digest FROM files ORDER BY id"
_COUNTS = (
    "SELECT (SELECT count(*) FROM sections) = (SELECT count(*) FROM passages),"
    " (SELECT count(*) FROM sections), total(unit_count), total(stem_count) FROM sections"
)


def digest_of(
    facts: Sequence[object],
    sections: Iterable[Sequence[object]],
) -> int:
    """A checksum of a file's facts (path, checksum, kind, first and last day), and of its sections, each with its
    title, place and body in the full-text index."""
    found = zlib.crc32(repr(tuple(facts)).encode())
    for one in sections:
        found = zlib.crc32(repr(tuple(one)).encode("utf-8", "surrogatepass"), found)
    return found


def check(db: sqlite3.Connection) -> None:
    """Raises :class:`sqlite3.DatabaseError` unless all is there as it was written."""
    with _limited(db, _SECONDS):
        try:
            check_pages(db, "passages")
            whole = _is_whole(db)
        except (ValueError, TypeError, OverflowError) as error:  # text that is no text, say
            raise sqlite3.DatabaseError(str(error)) from error
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
                raise
            raise sqlite3.DatabaseError(str(error)) from error
    if not whole:
        raise sqlite3.DatabaseError("its rows are not what was written")


def _is_whole(db: sqlite3.Connection) -> bool:
    same, *counts = db.execute(_COUNTS).fetchone()
    totals = db.execute("SELECT sections, units, stems FROM totals").fetchall()
    if not same or [tuple(counts)] != totals:
        return False
    found = groupby(db.execute(_SECTIONS), itemgetter(0))
    sections = next(found, None)
    for file, *facts, digest in db.execute(_FILES):
        rows: Iterable[Sequence[object]] = ()
        if sections is not None and sections[0] == file:
            rows = [row[1:] for row in sections[1]]
            sections = next(found, None)
        if digest != digest_of(facts, rows):
            return False
    return sections is None


@contextlib.contextmanager
def _limited(db: sqlite3.Connection, seconds: float) -> Iterator[None]:
    """Within, what takes longer is interrupted."""
    end = time.monotonic() + seconds
    db.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
    try:
        yield
    finally:
        db.set_progress_handler(None, _STEPS)
