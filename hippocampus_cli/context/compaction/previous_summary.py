"""An earlier summary as entries, so that the next summary merges it instead of nesting it.

Summaries of hippo and of the reference give back their entries, which decay further. Any other summary (a
model's own words) is read block by block, each with the importance of a decision: its originals are gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from hippocampus_cli.config.context import Compaction
from hippocampus_cli.context.compaction.classify import TYPES
from hippocampus_cli.context.compaction.score import DecayParameters, Entry, Use
from hippocampus_cli.context.compaction.summary_format import (
    Line,
    read_call,
    read_code,
    read_id,
    read_line,
    unfenced,
    unquoted,
)
from hippocampus_cli.context.key_data import PLURALS, KeyDatum
from hippocampus_cli.context.transcripts import Message, Part
from hippocampus_cli.context.transcripts.message import PartKind
from hippocampus_cli.markdown.tokens import tokens

TITLE = "# hippocampus.md Compaction"
KEY_DATA = "## Key Data"
_ACTIVE = re.compile(r"### \[(?P<type>\w{1,40})\] \(r=(?P<retention>\d+(?:\.\d+)?)\)")
_NOTE = re.compile(
    r"<!-- (?:decay_|entries: |hippocampus stats: |\d+ additional entries |the original of ).* -->"
)
_FENCE = re.compile(r"`{3,}|~{3,}")
_BLOCK = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[-*•]|\d+[.)])[ \t])")
_LISTS = ("Goal", "Active", "Compressed", "Sparse", "Prior", "Key Data")


class PreviousSummary(NamedTuple):
    """What an earlier summary tells, oldest first, and its key data."""

    items: tuple[Line, ...] = ()
    key_data: tuple[KeyDatum, ...] = ()

    def messages(self) -> Iterator[Message]:
        """The same as messages, newest first, for what uses them."""
        for line in reversed(self.items):
            role = "tool" if line.type == "tool_result" else line.role
            kind: PartKind = "tool_result" if role == "tool" else "text"
            part = Part(kind, f"{line.text} {line.call}")
            yield Message(line.id, role, (part,), {}, tool=line.tool)

    def entries(self, count: int, used: Mapping[int, Use], settings: Compaction) -> list[Entry]:
        """The same as entries, faded by ``count`` messages more. Exponential decay can go on where it was."""
        places = range(-len(self.items), 0)
        return [
            _decayed(line, place, count, used.get(place), settings)
            for place, line in zip(places, self.items, strict=True)
        ]


def read_summary(summary: Message | None) -> PreviousSummary:
    """What a summary tells."""
    if summary is None:
        return PreviousSummary()
    text = unfenced(summary.text)
    if not text.lstrip().startswith(TITLE):
        return PreviousSummary(tuple(_blocks(text, summary.id)))
    reader = _Reader()
    for line in text.split("\n"):
        reader.read(line)
    reader.close()
    other = _blocks("\n".join(reader.other), summary.id)
    items = _distinct([*other, *reader.items])
    return PreviousSummary(tuple(items), tuple(dict.fromkeys(reader.key_data)))


class _Reader:
    """Reads a summary line by line; ``other`` is what it tells in other words."""

    def __init__(self) -> None:
        self.items: list[Line] = []
        self.key_data: list[KeyDatum] = []
        self.other: list[str] = []
        self._section = ""  # the list it is in, empty for text in other words
        self._fence = ""
        self._open: Line | None = None  # the entry whose text goes on
        self._text: list[str] = []

    def read(self, line: str) -> None:
        if self._fence:
            if line == self._fence:
                self._fence = ""
            else:
                self._text.append(line)
        elif line == TITLE or _NOTE.fullmatch(line):
            self.close()
        elif line.startswith("## "):
            self.close()
            self._section = next((name for name in _LISTS if line[3:].startswith(name)), "")
            if not self._section:
                self.other.append(line)
        elif self._section == "Active":
            self._read_active(line)
        elif self._section == "Goal" and line.startswith("- "):
            text, identity = read_id(line[2:])
            self.items.append(Line("user", "user_intent", "", 0, text, id=identity))
        elif self._section == "Key Data":
            self.key_data += _read_key_data(line)
        elif self._section and (entry := read_line(line)):
            self.close()
            self._open = entry
        elif self._open is not None and line:
            self._text.append(line)
        elif self._section in ("", "Prior"):
            self.other.append(line)

    def close(self) -> None:
        """Finish the entry that is open."""
        if self._open is not None:
            full = self._section == "Active"
            text = "\n".join(filter(None, [self._open.text, "\n".join(self._text).strip("\n")]))
            text = text if full else unquoted(text)
            size = self._open.tokens or tokens(text)
            self.items.append(self._open._replace(text=text, tokens=size, full=full))
        self._open, self._text = None, []

    def _read_active(self, line: str) -> None:
        head = _ACTIVE.match(line)
        rest, identity = read_id(line[head.end() :]) if head else (line, "")
        call, rest = read_call(rest)
        if head and not rest:
            self.close()
            kind = head["type"] if head["type"] in TYPES else "context"
            role = {"user_intent": "user", "tool_result": "tool"}.get(kind, "assistant")
            tool = "unknown" if role == "tool" else ""
            self._open = Line(role, kind, tool, 0, "", call, identity, float(head["retention"]))
        elif not self._text and _FENCE.fullmatch(line):
            self._fence = line
        else:
            self._text.append(line)


def _distinct(lines: list[Line]) -> Iterator[Line]:
    """Each entry once: the reference names a wish among the goals and again in its list."""
    seen: dict[str, Line] = {}
    for line in lines:
        key = line.id or f"{line.type} {line.text[:60]}"
        if line.role == "prior":
            seen[f"{key} {line.text}"] = line
        elif key not in seen or (line.full and not seen[key].full):
            seen[key] = line
    yield from seen.values()


def _blocks(text: str, identity: str) -> Iterator[Line]:
    """The paragraphs and bullets of a text in other words."""
    for block in map(str.strip, _BLOCK.split(text)):
        if block and not (block.startswith("#") and "\n" not in block):
            yield Line("prior", "decision", "", tokens(block), block, id=identity, full=True)


def _read_key_data(line: str) -> Iterator[KeyDatum]:
    label, _, rest = line.removeprefix("- ").partition(": ")
    kind = next((kind for kind, plural in PLURALS.items() if plural == label), None)
    start = 0
    while kind and (span := read_code(rest, start)):
        yield KeyDatum(kind, span[0])
        start = span[1] + 1


def _decayed(line: Line, place: int, count: int, use: Use | None, settings: Compaction) -> Entry:
    kind = next(kind for kind in TYPES if kind == line.type)
    parameters = DecayParameters.of(kind, settings)
    importance, age = parameters.importance, count - 1 - place
    if use is not None and use.place >= 0:  # others were counted when that summary was made
        age = count - 1 - use.place
        importance = min(1.0, importance + settings.use_bonus)
        retention = parameters.retention(importance, age)
    else:
        retention = parameters.retention(_last_retention(line, importance, settings), count)
    return Entry(
        place, line.id, 0, line.role, kind, line.tool, line.tokens, importance, retention, age, use
    )


def _last_retention(line: Line, importance: float, settings: Compaction) -> float:
    """The retention in the earlier summary; a list of pointers does not state it: below its threshold."""
    if line.retention is not None:
        return line.retention
    if line.role == "prior" or line.type == "user_intent":
        return importance
    return min(importance, settings.sparse_threshold / 2)
