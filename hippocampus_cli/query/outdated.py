"""Lines of notes that somebody who read them called outdated: known by their words, wherever they stand now.

A mark follows its line through edits around it and moves, and ends with it. The file has a line a mark:

- ``path`` says where the line stood when it was marked, for a person who reads the file;
- ``sha`` is the hash of its words, by which it is known again;
- ``by`` and ``day`` say who marked it, and when.

A place is shown as outdated only where every line of it is marked: what was added or changed since speaks for itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.workspace.commit import read_or_none
from hippocampus_cli.workspace.own_files import OUTDATED

_SIGNS = pattern(r"[\s*_`~>#|-]+")


class Mark(NamedTuple):
    """One line: its note when it was marked, the hash of its words, who said so, the day."""

    path: str
    sha: str
    by: str
    day: str


def lines_of(text: str) -> Iterator[str]:
    """The lines of a text that say something, headings aside."""
    for line in text.splitlines():
        if not line.lstrip().startswith("#") and any(map(str.isalnum, line)):
            yield line


def digest(line: str) -> str:
    """The hash of a line's words; marks of markdown and blanks do not count."""
    words = _SIGNS.sub(" ", line.casefold()).strip()
    return hashlib.sha256(words.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def read_marks(data: bytes | None) -> Iterator[Mark]:
    """The marks of the file; a line that cannot be read is skipped."""
    for line in (data or b"").splitlines():
        try:
            yield Mark(**json.loads(line))
        except (ValueError, TypeError):
            continue


def written(marks: Iterable[Mark]) -> bytes:
    """Marks as lines of the file."""
    return "".join(f"{json.dumps(mark._asdict())}\n" for mark in marks).encode()


class Marks:
    """The marks of a workspace."""

    def __init__(self, root: Path) -> None:
        self._marks = {mark.sha: mark for mark in read_marks(read_or_none(root, OUTDATED))}

    def reason(self, text: str) -> str:
        """Who called a text outdated, where every line of it is marked; empty for nobody."""
        marks = [self._marks.get(digest(line)) for line in lines_of(text)]
        if not marks or None in marks:
            return ""
        first = marks[0]
        return f"outdated, said by {first.by} on {first.day}" if first else ""
