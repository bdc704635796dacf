"""A line added to a note below a heading, and taken out again.

A note is a person's file: it is not among the files that one change writes as one. The line is written before the
index is: a kill between the two leaves the line, and what it answers is asked again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from hippocampus_cli.maintenance.actions import Action, Kind
from hippocampus_cli.markdown.lines import chomp, newline_of, split_lines
from hippocampus_cli.mind.beliefs import VERSIONS
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.note_store import change_note
from hippocampus_cli.workspace.own_files import CURATION, OUTDATED


def write_line(root: Path, path: str, heading: str, line: str, timeout: float) -> None:
    """Add a line at the end of the section with this heading, once. Raises as :func:`change_note`."""

    def change(text: str | None) -> str:
        note = Note(path, text or "")
        lines, newline = [*note.lines], newline_of(note.text)
        if line in map(chomp, lines):
            return note.text
        end = next((s.end for s in note.sections if s.title == heading), len(lines))
        if end and not lines[end - 1].endswith(("\n", "\r")):
            lines[end - 1] += newline
        return "".join((*lines[:end], line + newline, *lines[end:]))

    change_note(root, path, change, timeout)


def undo_lines(root: Path, actions: Iterable[Action], timeout: float) -> None:
    """Take the lines that these actions added out of their notes, and write those that they took out."""
    for action in actions:
        if action.kind is not Kind.NOTE or not (root / action.key).is_file():
            continue
        if action.after.startswith("- "):
            _take_out(root, action.key, action.after, timeout)
        else:
            write_line(root, action.key, action.after, action.before, timeout)


def _take_out(root: Path, path: str, line: str, timeout: float) -> None:
    def change(text: str | None) -> str:
        return "".join(one for one in split_lines(text or "") if chomp(one) != line)

    change_note(root, path, change, timeout)


def is_own_text(path: str) -> bool:
    """Whether a file of hippo's own is one that a change adds lines to."""
    return path in (CURATION, OUTDATED) or path.startswith(VERSIONS)


def without_lines(there: bytes | None, before: bytes | None, after: bytes | None) -> bytes | None:
    """A file without the lines that a change added, and with those that it took out; later ones stay."""
    if there == after:
        return before
    old, new = (Counter((side or b"").splitlines(keepends=True)) for side in (before, after))
    gone, kept = new - old, list[bytes]()
    for line in (there or b"").splitlines(keepends=True):
        if gone[line] > 0:
            gone[line] -= 1
        else:
            kept.append(line)
    return b"".join((*kept, *(old - new).elements()))
