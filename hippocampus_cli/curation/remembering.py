"""Remembering: a new experience goes to today's log, and into the index (INDEX §10.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from hippocampus_cli.errors import FileUnwritable, UsageError
from hippocampus_cli.index.fields import plain_line
from hippocampus_cli.markdown.lines import chomp, line_ending, newline_of, split_lines
from hippocampus_cli.workspace.note import Note, Section

_TITLE = 60  # characters of a title made from the first words
_TELLING = 12  # characters from which a first sentence will do
_SENTENCE = re.compile(r"(?<=[.!?…])\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Memory:
    """Something to remember, at a moment. ``text`` is kept word for word, ``title`` is one line."""

    text: str
    title: str
    at: datetime

    @property
    def heading(self) -> str:
        return f"{self.at:%H:%M} {self.title}"


@dataclass(frozen=True, slots=True)
class Remembered:
    """Where a memory was written down, and its entry (``None`` where there is no index to hold one).

    ``start_line`` and ``end_line`` are 1-based and inclusive, in the log at ``path``.
    """

    path: str
    section: str
    start_line: int
    end_line: int
    entry: str | None
    notices: tuple[str, ...] = ()


def memory_of(text: str, title: str | None, at: datetime) -> Memory:
    """``text`` as a memory; without a ``title`` its first words are one. Raises :class:`UsageError`."""
    if not text.strip():
        advice = 'say what: hippo remember "The staging database moved to port 5433"'
        raise UsageError(reason="there is nothing to remember", advice=advice)
    if "\0" in text:
        advice = "hippo remembers text; describe what the file is and where it lies"
        raise UsageError(reason="that is binary data, not text", advice=advice)
    words = plain_line(title) if title else _first_words(text)
    return Memory(text, _cut(words, _TITLE) or "note", at)


def remembered(log: str | None, memory: Memory, path: str) -> tuple[str, Section]:
    """The log with the memory as its last section, in the log's line endings, and that section.

    The log's own bytes stay as they are. The text stands as it is if it reads as the text of one section
    there; headings, open fences and the like are quoted with ``> ``, each line word for word.
    Raises :class:`FileUnwritable` where the log would swallow it even so.
    """
    before = _begun(log, memory)
    old = Note(path, before)
    for core in _forms(memory):
        new = Note(path, before + _with_endings(core, before))
        if _holds_one_more(old, new, memory):
            return new.text, new.sections[-1]
    raise FileUnwritable(path=path, reason="what it holds would swallow a new section")


def saying(note: Note, memory: Memory) -> Section | None:
    """The section of a log that this memory was written down as, if it was."""
    for section in note.sections:
        titled = " ".join(section.title.split()) == " ".join(memory.heading.split())
        body = note.text_of(section.start + section.heading_lines, section.end)
        if titled and _bare(body) == _bare(memory.text):
            return section
    return None


def _bare(text: str) -> list[str]:
    return " ".join(line.removeprefix(">") for line in split_lines(text)).split()


def _first_words(text: str) -> str:
    """The first sentence, with the next one where it says little."""
    lines = (plain_line(line[: 10 * _TITLE]) for line in split_lines(text))
    words = ""
    for sentence in _SENTENCE.split(next(filter(None, lines), "")):
        words = f"{words} {sentence}".strip()
        if len(words) >= _TELLING:
            break
    return words.removesuffix(".")


def _begun(log: str | None, memory: Memory) -> str:
    if log is None or not log.strip("\ufeff \t\r\n"):
        return (log or "") + f"# {memory.at:%Y-%m-%d}\n"
    return log


def _forms(memory: Memory) -> Iterator[str]:
    """The section's lines in the ways it may stand, the plainest first."""
    lines = [chomp(line) for line in split_lines(memory.text)]
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    heading = f"## {memory.heading}"
    quoted = [f"> {line}".rstrip(" ") if not line.strip() else f"> {line}" for line in lines]
    yield "\n".join([heading, "", *lines])
    yield "\n".join([heading, "", *quoted])
    # A comment that the log never closes would end at a "-->" of the text; another comment stops it first.
    yield "\n".join(["<!-- -->", "", heading, "", *quoted])


def _with_endings(core: str, before: str) -> str:
    """``core`` after a blank line, with the line endings of the text before it."""
    newline = newline_of(before)
    last = split_lines(before)[-1]
    if last.endswith("\r") and newline == "\n":  # a bare "\n" would join it to one line ending
        newline = "\r\n"
    lead = "" if not last.strip() else newline
    if not line_ending(last):
        lead += newline
    return lead + core.replace("\n", newline) + newline


def _holds_one_more(old: Note, new: Note, memory: Memory) -> bool:
    kept = [(one.level, one.title, one.start, one.end) for one in old.sections]
    there = [(one.level, one.title, one.start) for one in new.sections]
    if len(there) != len(kept) + 1 or [row[:3] for row in kept] != there[:-1]:
        return False
    level, title, _ = there[-1]
    open_ = len(new.blocks.unclosed) > len(old.blocks.unclosed)
    return level == 2 and " ".join(title.split()) == memory.heading and not open_


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    head = text[: most - 1]
    words, blank, _ = head.rpartition(" ")
    return (words if blank and len(words) > most // 2 else head).rstrip(" ,;:–—-") + "…"
