"""``python -m bench.fit.shared FOLDER``: the sentences and headings that several of the workspaces in FOLDER have.

Templates and programs write them. Each that :data:`LEAST` workspaces have is kept as a checksum, for ``is_shared``.
Skills are left out: they are installed in many places, and their text is about them all the same.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from hippocampus_cli.config import Config
from hippocampus_cli.entries import passages
from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.entries.telling import sentences
from hippocampus_cli.workspace.kinds import NoteKind, kind_of
from hippocampus_cli.workspace.resolve import Notes
from hippocampus_cli.workspace.scan import scan

LEAST = 3
_LEFT_OUT = (NoteKind.SKILL, NoteKind.AGENT, NoteKind.STATE)


def texts(root: Path) -> Iterator[str]:
    """What the notes of a workspace say: each sentence and heading."""
    config = Config()
    notes = Notes(root, config.scan.max_file_bytes)
    for stat in scan(root, config.scan).files:
        note = notes.note(stat.path) if kind_of(stat.path) not in _LEFT_OUT else None
        if note:
            yield from (said.text for said in sentences(Passage(note, date.min).lines()))
            yield from (section.title for section in note.sections)


def shared(roots: list[Path]) -> list[str]:
    """The checksums of what :data:`LEAST` of the workspaces say, sorted."""
    said: dict[str, set[Path]] = defaultdict(set)
    for root in roots:
        for text in texts(root):
            said[passages.form_checksum(text)].add(root)
    empty = passages.form_checksum("")
    return sorted(sum for sum, there in said.items() if len(there) >= LEAST and sum != empty)


if __name__ == "__main__":
    found = shared([path for path in sorted(Path(sys.argv[1]).iterdir()) if path.is_dir()])
    passages.SHARED.write_text("".join(f"{one}\n" for one in found), encoding="ascii")
