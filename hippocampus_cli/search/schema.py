"""The tables of the full-text store, and the forms in which sections, paths and text stand in them."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Sequence
from typing import Any

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.workspace.database import Schema
from hippocampus_cli.workspace.database import restored as restored
from hippocampus_cli.workspace.database import storable as storable
from hippocampus_cli.workspace.file_table import COLUMNS
from hippocampus_cli.workspace.note import Section

SCHEMA_VERSION = 15

# One row of `passages` a section, under the section's id: stems between spaces, a line a unit.
# The tokenizer only has to split at white space: it knows every character that a stem can hold.
# `totals` is kept by `writer`: a trigger would make every insert a savepoint, at which FTS5 writes out what it has
# gathered, and the first build would take half as long again.
_TABLES = f"""
CREATE TABLE files(
    {COLUMNS}, checksum INTEGER NOT NULL, kind TEXT NOT NULL,
    first_day INTEGER, last_day INTEGER, digest INTEGER NOT NULL);
CREATE INDEX files_by_day ON files(first_day, last_day) WHERE first_day IS NOT NULL;
CREATE INDEX files_without_text ON files(path) WHERE checksum = -1;
CREATE TABLE sections(
    id INTEGER PRIMARY KEY, file INTEGER NOT NULL REFERENCES files(id), ordinal INTEGER NOT NULL,
    level INTEGER NOT NULL, title NOT NULL, parents NOT NULL, first INTEGER NOT NULL,
    last INTEGER NOT NULL, tree_last INTEGER NOT NULL, heading_lines INTEGER NOT NULL,
    units BLOB NOT NULL, digests BLOB NOT NULL, unit_count INTEGER NOT NULL, stem_count INTEGER NOT NULL,
    UNIQUE(file, ordinal));
CREATE VIRTUAL TABLE passages USING fts5(title, place, body, tokenize="ascii tokenchars '.+#-'");
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(passages, row);
CREATE TABLE totals(sections INTEGER NOT NULL, units INTEGER NOT NULL, stems INTEGER NOT NULL);
INSERT INTO totals VALUES(0, 0, 0);
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""


def schema_of(tokens_version: int) -> Schema:
    """The text cache of a version of the tokenizer."""
    return Schema(_TABLES, SCHEMA_VERSION * 10_000 + tokens_version, "passages", _check)


def _check(connection: sqlite3.Connection) -> None:
    from hippocampus_cli.search import integrity  # what most queries do without

    integrity.check(connection)


SectionRow = tuple[int, int, str | bytes, str | bytes, int, int, int, int, bytes, bytes, int, int]
PLACE_COLUMNS = "ordinal, level, title, parents, first, last, tree_last, heading_lines"
"""What a section is, without its text."""
SECTION_COLUMNS = f"{PLACE_COLUMNS}, units, digests, unit_count, stem_count"


def file_id(db: sqlite3.Connection, path: str) -> int | None:
    """The id of the file at ``path``; ``None`` if it is not known."""
    row = db.execute("SELECT id FROM files WHERE path = ?", (storable(path),)).fetchone()
    return None if row is None else int(row[0])


def section_of(row: Sequence[Any]) -> Section:
    """The section in :data:`PLACE_COLUMNS`, whatever stands behind them."""
    ordinal, level, title, parents, *lines = row[:8]
    above = tuple(restored(parents).split("\n")[1:])
    return Section(ordinal, level, restored(title), above, *lines)


class Spans(NamedTuple):
    """The units of a section in the order of the text, an array a column.

    ``starts`` and ``ends`` are lines, ``offsets`` and ``lengths`` say where a unit's stems begin in the body and how
    many they are, ``traits`` are those of :mod:`hippocampus_cli.search.unit_features`.
    """

    starts: Sequence[int]
    ends: Sequence[int]
    offsets: Sequence[int]
    lengths: Sequence[int]
    traits: Sequence[int]


def unit_spans(blob: bytes) -> Spans:
    """The units of a section as they are stored."""
    flat = array("I")
    flat.frombytes(blob)
    return Spans(flat[0::5], flat[1::5], flat[2::5], flat[3::5], flat[4::5])
