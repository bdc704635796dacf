"""Sections, paths and text as SQLite keeps them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.workspace.note import Section

SectionRow = tuple[int, int, str | bytes, str | bytes, int, int, int, int, bytes, int, int]
SECTION_COLUMNS = (
    "ordinal, level, title, parents, first, last, tree_last, heading_lines,"
    " units, unit_count, stem_count"
)


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


def section_of(row: Sequence[Any]) -> Section:
    """The section in the first eight of :data:`SECTION_COLUMNS`."""
    ordinal, level, title, parents, *lines = row[:8]
    above = tuple(restored(parents).split("\n")[1:])
    return Section(ordinal, level, restored(title), above, *lines)


def unit_spans(blob: bytes) -> tuple[array[int], array[int], array[int], array[int]]:
    """The starts, ends, offsets and lengths of a section's units, each in the order of the text."""
    flat = array("I")
    flat.frombytes(blob)
    return flat[0::4], flat[1::4], flat[2::4], flat[3::4]
