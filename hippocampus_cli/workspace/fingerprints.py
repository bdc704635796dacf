"""What the notes were when upkeep last read them.

A fingerprint recognises a note that was moved, renamed or changed in part. The fingerprints are a cache: without
them, upkeep reads every note again and recognises less. Most are only asked whether their file looks as it did, so
their sections stay as they are written until somebody asks: of 100,000 notes they would take a gigabyte.
"""

from __future__ import annotations

import contextlib
import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.workspace.file_table import UNKNOWN, FileStat, is_fresh
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.own_files import CACHE, is_inside
from hippocampus_cli.workspace.regular import open_regular
from hippocampus_cli.workspace.sections import names_of
from hippocampus_cli.workspace.state import IF_SENSIBLE, encoded, keep

_FILE = f"{CACHE}/fingerprints.jsonl"
_VERSION = 4


class SectionPrint(NamedTuple):
    """A section: its pointer name (``""`` for text before all headings), a checksum of its text below the
    heading, and one of each line of it that holds words."""

    name: str
    text: int
    lines: tuple[int, ...]


class Fingerprint(NamedTuple):
    """A note: how its file looked when it was read, a checksum of its text, its sections as JSON. The size is
    :data:`~hippocampus_cli.workspace.file_table.UNKNOWN` where it was fresh when it was read.
    """

    stat: FileStat
    text: int
    written: str

    @property
    def sections(self) -> tuple[SectionPrint, ...]:
        """Its sections, in file order; none where what is written makes no sense."""
        with IF_SENSIBLE:
            rows = json.loads(self.written)
            return tuple(SectionPrint(name, text, tuple(lines)) for name, text, lines in rows)
        return ()


Fingerprints = Mapping[str, Fingerprint]
"""By path from the workspace's root."""


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
    if is_fresh(stat.mtime_ns, read_ns):
        stat = stat._replace(size=UNKNOWN)
    return Fingerprint(stat, checksum(note.text), written)


def checksum(text: str) -> int:
    """A checksum that is the same on every machine."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


def load(root: Path) -> dict[str, Fingerprint]:
    """The fingerprints as last saved; empty where there are none, or none that can be read."""
    kept = root / _FILE
    with IF_SENSIBLE, contextlib.suppress(OSError), open(open_regular(kept), "rb") as file:
        if is_inside(root, kept) and json.loads(next(file, b"0")) == _VERSION:
            rows = map(json.loads, file)
            return {str(row[0]): Fingerprint(FileStat(*row[:4]), *row[4:]) for row in rows}
    return {}


def save(root: Path, prints: Fingerprints) -> None:
    """Keep the fingerprints for the next time; a folder that cannot be written keeps none."""
    rows = (encoded((*each.stat, each.text, each.written)) for each in prints.values())
    keep(root, _FILE, b"".join((encoded(_VERSION), *rows)))


def body_of(note: Note, section: Section) -> list[str]:
    """The lines of a section below its heading, its subsections aside, without the blanks around them."""
    first = section.start - 1 + (section.heading_lines if section.level else 0)
    return [line.strip() for line in note.lines[first : section.end]]
