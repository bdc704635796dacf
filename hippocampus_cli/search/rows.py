"""Sections, paths and text as SQLite keeps them."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Sequence
from typing import Any

from hippocampus_cli.light import NamedTuple
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.workspace.note import Section

SectionRow = tuple[int, int, str | bytes, str | bytes, int, int, int, int, bytes, bytes, int, int]
PLACE_COLUMNS = "ordinal, level, title, parents, first, last, tree_last, heading_lines"
"""What a section is, without its text."""
SECTION_COLUMNS = f"{PLACE_COLUMNS}, units, digests, unit_count, stem_count"


def storable(text: str) -> str | bytes:
    """``text`` as SQLite can keep it: bytes where it holds escapes of invalid UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return encode(text)
    return text


def restored(value: str | bytes) -> str:
    """What :func:`storable` was given."""
    return value if isinstance(value, str) else decode(value)


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
    many they are, ``traits`` are those of :mod:`hippocampus_cli.search.traits`.
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
