"""What the notes were when they were last read, and what has changed since.

A fingerprint recognises a note that was moved, renamed or changed in part. The fingerprints are a cache: without
them, upkeep reads every note again and recognises less.
"""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from hippocampus_cli.errors import HippoError
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.own_files import CACHE, ensure_folder
from hippocampus_cli.workspace.regular import read_regular
from hippocampus_cli.workspace.scan import FileStat
from hippocampus_cli.workspace.sections import SectionNames

_FILE = f"{CACHE}/fingerprints.json"
_VERSION = 2
_WITH_SECRETS = 1  # when notes were not redacted before anything was derived from them
TICK_NS = 2_000_000_000
"""The longest tick of a file system's clock (FAT), in nanoseconds."""


def is_fresh(mtime_ns: int, read_ns: int) -> bool:
    """Whether a file may have changed after it was read, and look unchanged: it was modified less than a tick before
    ``read_ns``, a moment not after the reading, or since. It is to be compared by content once more, as git does."""
    return mtime_ns >= read_ns - TICK_NS


class SectionPrint(NamedTuple):
    """A section: its pointer name (``""`` for text before all headings), a checksum of its text below the
    heading, and one of each line of it that holds words."""

    name: str
    text: int
    lines: tuple[int, ...]


class Fingerprint(NamedTuple):
    """A note: ``size`` in bytes and ``mtime_ns`` when it was read, a checksum of its text, its sections.

    ``ctime_ns`` (:class:`~hippocampus_cli.workspace.scan.FileStat`) is 0 where it is not known. ``size`` is -1 where
    the note is to be read again: it was fresh (:func:`is_fresh`) when it was read.
    """

    size: int
    mtime_ns: int
    text: int
    sections: tuple[SectionPrint, ...]
    ctime_ns: int = 0

    def settles(self, stat: FileStat) -> bool:
        """Whether a file that looks like ``stat`` need not be read to know that it has this text."""
        return (self.size, self.mtime_ns, self.ctime_ns) == stat[1:]


Fingerprints = Mapping[str, Fingerprint]
"""By path from the workspace's root."""


def fingerprint(note: Note, stat: FileStat, read_ns: int) -> Fingerprint:
    """The fingerprint of a note that was read not before ``read_ns``, and whose file looked like ``stat`` before."""
    names = SectionNames(note.sections)
    sections = []
    for section in note.sections:
        body = [line.strip() for line in note.lines[_body(section) : section.end]]
        lines = tuple(checksum(line) for line in body if line)
        sections.append(
            SectionPrint(names.pointer_name(section) or "", checksum("\n".join(body)), lines)
        )
    whole = checksum(note.text)
    size = -1 if is_fresh(stat.mtime_ns, read_ns) else stat.size
    return Fingerprint(size, stat.mtime_ns, whole, tuple(sections), stat.ctime_ns)


def checksum(text: str) -> int:
    """A checksum that is the same on every machine."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


def load(root: Path) -> dict[str, Fingerprint]:
    """The fingerprints as last saved; empty where there are none, or none that can be read."""
    import json

    try:
        kept = json.loads(read_regular(root / _FILE))
        if kept["version"] not in (_WITH_SECRETS, _VERSION):
            return {}
        known = {path: _restored(row) for path, row in kept["notes"].items()}
        if (
            kept["version"] == _WITH_SECRETS
        ):  # what is known of a note still holds, but it is to be read again
            known = {path: one._replace(size=-1) for path, one in known.items()}
        return known
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}


def save(root: Path, prints: Fingerprints) -> None:
    """Keep the fingerprints for the next time; a folder that cannot be written keeps none."""
    import json

    kept = {"version": _VERSION, "notes": prints}
    with contextlib.suppress(HippoError):
        path = ensure_folder(root, _FILE)
        replace_bytes(path, json.dumps(kept, separators=(",", ":")).encode("utf-8"), _FILE)


def _body(section: Section) -> int:
    """How many lines stand before the section's text."""
    return section.start - 1 + (section.heading_lines if section.level else 0)


def _restored(row: Any) -> Fingerprint:
    size, mtime_ns, text, sections, *ctime_ns = row  # the last was not always kept
    restored = tuple(SectionPrint(name, whole, tuple(lines)) for name, whole, lines in sections)
    return Fingerprint(int(size), int(mtime_ns), int(text), restored, *map(int, ctime_ns))


class Diff(NamedTuple):
    """Files by what became of them, each sorted by path. ``changed`` and ``added`` hold what was found."""

    added: list[FileStat]
    changed: list[FileStat]
    removed: list[FileStat]

    def __bool__(self) -> bool:
        """Whether anything changed."""
        return bool(self.added or self.changed or self.removed)


def merge_diff(
    known: Iterable[FileStat], found: Iterable[FileStat], other: Collection[str] = ()
) -> Diff:
    """The difference between two streams sorted by path, in one pass.

    ``other`` are the paths of which it is known that their text is another one: that decides where only ``ctime_ns``
    is, which an edit changes whose time was set back, and other rights as well.

    Raises ``ValueError`` if a stream is not sorted: a silent disorder would report files as removed.
    """
    diff = Diff([], [], [])
    old_files, new_files = _sorted(known), _sorted(found)
    old, new = next(old_files, None), next(new_files, None)
    while old is not None or new is not None:
        if new is None or (old is not None and old.path < new.path):
            assert old is not None
            diff.removed.append(old)
            old = next(old_files, None)
        elif old is None or new.path < old.path:
            diff.added.append(new)
            new = next(new_files, None)
        else:
            if old[:3] != new[:3] or (old != new and new.path in other):
                diff.changed.append(new)
            old, new = next(old_files, None), next(new_files, None)
    return diff


def _sorted(files: Iterable[FileStat]) -> Iterator[FileStat]:
    last = ""
    for file in files:
        if file.path <= last and last:
            raise ValueError(f"not sorted by path: {file.path!r} after {last!r}")
        last = file.path
        yield file
