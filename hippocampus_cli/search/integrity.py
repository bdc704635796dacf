"""Whether a store holds what was written to it: looked at in whole where its file is not as hippo left it.

SQLite keeps no checksums of its pages, so each file has one of its passages, and what its terms and passages come
to is compared with the postings.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from hippocampus_cli.search.indexing import COLUMNS, Row
from hippocampus_cli.search.postings import checked_length
from hippocampus_cli.search.writer import digest_of_file
from hippocampus_cli.workspace.database import check_pages, restored

_SECONDS = 3.0  # a bigger store is sooner built anew than waited for
_STEPS = 100_000  # of SQLite's machine between two looks at the clock
_PASSAGES = f"SELECT file, {COLUMNS} FROM passages ORDER BY file, ordinal"
_FACTS = (
    "path, size, mtime_ns, read_ns, ctime_ns, checksum, kind, first_day, last_day, first, passages, sections,"
    " length, heads"
)
_POSTINGS = "SELECT term, block, data FROM postings"
_TOTALS = (
    "SELECT count(*), total(sections), total(passages), total(length), total(heads) FROM files"
)


def check(db: sqlite3.Connection) -> None:
    """Raises :class:`sqlite3.DatabaseError` unless all is there as it was written."""
    with _limited(db, _SECONDS):
        try:
            check_pages(db)
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
    totals = db.execute("SELECT * FROM totals").fetchall()
    if totals != db.execute(_TOTALS).fetchall():
        return False
    passages = groupby(db.execute(_PASSAGES), itemgetter(0))
    group = next(passages, None)
    standing = 0
    for file, digest, *facts in db.execute(f"SELECT id, digest, {_FACTS} FROM files ORDER BY id"):
        rows: list[Row] = []
        if group is not None and group[0] == file:
            rows = [_restored(Row(*row[1:])) for row in group[1]]
            group = next(passages, None)
        if digest != digest_of_file((facts[0], *facts[5:]), rows):
            return False
        standing += sum(len({*row.body.split(), *row.others.split()}) for row in rows)
    return group is None and standing == sum(map(checked_length, db.execute(_POSTINGS)))


def _restored(row: Row) -> Row:
    return row._replace(
        headings=restored(row.headings),
        title=restored(row.title),
        body=restored(row.body),
        others=restored(row.others),
    )


@contextlib.contextmanager
def _limited(db: sqlite3.Connection, seconds: float) -> Iterator[None]:
    """Within, what takes longer is interrupted."""
    end = time.monotonic() + seconds
    db.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
    try:
        yield
    finally:
        db.set_progress_handler(None, _STEPS)
