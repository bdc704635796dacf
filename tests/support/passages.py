"""Notes and passages for the tests of drafting and bootstrap."""

from __future__ import annotations

from datetime import UTC, date, datetime

from hippocampus_cli.config.settings import Decay
from hippocampus_cli.entries.passages import Passage, day_of
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.workspace.note import Note

NOW = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)
CLOCK = DecayClock(NOW, Decay())
MODIFIED = date(2026, 1, 20)


def passages(path: str, text: str) -> list[Passage]:
    """The sections of one note that are worth an entry."""
    return one(path, text).parts


def one(path: str, text: str) -> Passage:
    """The note as a single passage."""
    return Passage(Note(path, text), day_of(path, MODIFIED) or MODIFIED)


def titled(path: str, text: str, title: str) -> Passage:
    """The passage of one section."""
    note = Note(path, text)
    section = next(section for section in note.sections if section.title == title)
    return Passage(note, day_of(path, MODIFIED) or MODIFIED, section)
