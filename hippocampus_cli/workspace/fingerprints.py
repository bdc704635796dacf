"""What the notes were when upkeep last read them.

A fingerprint recognises a note that was moved, renamed or changed in part. The fingerprints are a cache: without
them, upkeep reads every note again and recognises less.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from hippocampus_cli.workspace.file_table import UNKNOWN, FileStat, is_fresh
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.own_files import CACHE
from hippocampus_cli.workspace.sections import SectionNames
from hippocampus_cli.workspace.state import IF_SENSIBLE, read_state, write_state

_FILE = f"{CACHE}/fingerprints.json"
_VERSION = 3


class SectionPrint(NamedTuple):
    """A section: its pointer name (``""`` for text before all headings), a checksum of its text below the
    heading, and one of each line of it that holds words."""

    name: str
    text: int
    lines: tuple[int, ...]


class Fingerprint(NamedTuple):
    """A note: ``size`` in bytes and ``mtime_ns`` when it was read, a checksum of its text, its sections.

    ``ctime_ns`` (:class:`~hippocampus_cli.workspace.file_table.FileStat`) is 0 where it is not known. ``size`` is
    :data:`~hippocampus_cli.workspace.file_table.UNKNOWN` where it was fresh when it was read.
    """

    size: int
    mtime_ns: int
    text: int
    sections: tuple[SectionPrint, ...]
    ctime_ns: int = 0

    def stat_of(self, path: str) -> FileStat:
        """How the note's file looked."""
        return FileStat(path, self.size, self.mtime_ns, self.ctime_ns)


Fingerprints = Mapping[str, Fingerprint]
"""By path from the workspace's root."""


def fingerprint(note: Note, stat: FileStat, read_ns: int) -> Fingerprint:
    """The fingerprint of a note that was read not before ``read_ns``, and whose file looked like ``stat`` before."""
    names = SectionNames(note.sections)
    sections = []
    for section in note.sections:
        body = body_of(note, section)
        lines = tuple(checksum(line) for line in body if line)
        sections.append(
            SectionPrint(names.pointer_name(section) or "", checksum("\n".join(body)), lines)
        )
    whole = checksum(note.text)
    size = UNKNOWN if is_fresh(stat.mtime_ns, read_ns) else stat.size
    return Fingerprint(size, stat.mtime_ns, whole, tuple(sections), stat.ctime_ns)


def checksum(text: str) -> int:
    """A checksum that is the same on every machine."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


def load(root: Path) -> dict[str, Fingerprint]:
    """The fingerprints as last saved; empty where there are none, or none that can be read."""
    with IF_SENSIBLE:
        state = read_state(root, _FILE)
        known = {path: _fingerprint(*row) for path, row in state["notes"].items()}
        if state["version"] == _VERSION:
            return known
        # what is known of a note still holds, but it is to be read again
        return {path: known_before._replace(size=UNKNOWN) for path, known_before in known.items()}
    return {}


def _fingerprint(
    size: int, mtime_ns: int, text: int, sections: list[Any], ctime_ns: int = 0
) -> Fingerprint:
    prints = tuple(SectionPrint(name, whole, tuple(lines)) for name, whole, lines in sections)
    return Fingerprint(int(size), int(mtime_ns), int(text), prints, int(ctime_ns))


def save(root: Path, prints: Fingerprints) -> None:
    """Keep the fingerprints for the next time; a folder that cannot be written keeps none."""
    write_state(root, _FILE, {"version": _VERSION, "notes": prints})


def body_of(note: Note, section: Section) -> list[str]:
    """The lines of a section below its heading, its subsections aside, without the blanks around them."""
    first = section.start - 1 + (section.heading_lines if section.level else 0)
    return [line.strip() for line in note.lines[first : section.end]]
