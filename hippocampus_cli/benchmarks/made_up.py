"""Many notes made of a workspace's own lines, for questions of speed and none of quality."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.workspace.note import Note

_FIRST = date(2020, 1, 1)
_SECTIONS, _LINES = 4, 6


def write_notes(root: Path, notes: Sequence[Note], files: int, seed: int = 1) -> None:
    """Write ``files`` dailies of about 2 KB below ``root``, the same ones for the same arguments."""
    dice = random.Random(seed)
    lines = [
        line.strip("\r\n")
        for note in notes
        for at, line in enumerate(note.lines)
        if note.blocks.kinds[at] == Kind.TEXT and 20 < len(line) < 300
    ]
    titles = [section.title for note in notes for section in note.sections if section.title]
    for number in range(files):
        day = _FIRST + timedelta(days=number)
        path = root / "memory" / f"{day:%Y}" / f"{day}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        sections = [
            f"## {dice.choice(titles)}\n\n" + "\n\n".join(dice.choices(lines, k=_LINES)) + "\n"
            for _ in range(_SECTIONS)
        ]
        text = f"# {day}\n\n" + "\n".join(sections)
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
