"""What a session leaves behind in MEMORY.md (CONTEXT §9.2). Pure."""

from __future__ import annotations

from hippocampus_cli.context.lifecycle.entry import ContextEntry
from hippocampus_cli.context.lifecycle.window import said
from hippocampus_cli.index.budget import tokens
from hippocampus_cli.workspace.note import Note, Section

MEMORY = "MEMORY.md"


def memory_text(entry: ContextEntry, text: str | None, most: int) -> str:
    """The words to keep of an entry: its content, or, above ``most`` tokens, its summary and key data."""
    if text is not None and text.strip() and tokens(text) <= most:
        return text.strip()
    return said(entry.summary, entry.key_data)


def section_saying(note: Note, text: str) -> Section | None:
    """The section that holds exactly this text, quoted or not, so that nothing is written down twice."""
    wanted = _folded(text)
    for section in note.sections:
        body = note.text_of(section.start + section.heading_lines, section.end)
        if section.level and _folded(body) == wanted:
            return section
    return None


def _folded(text: str) -> str:
    lines = (line.removeprefix(">").strip() for line in text.splitlines())
    return " ".join(" ".join(lines).split())
