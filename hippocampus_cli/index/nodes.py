"""The nodes of an index: each byte of the file belongs to exactly one (decision D1)."""

from __future__ import annotations

import re
from typing import Literal

from hippocampus_cli.index.entry import Entry
from hippocampus_cli.light import NamedTuple, pattern

_HEADER = pattern(
    r"[\ufeff ]{0,4}<!--[ \t]*hippocampus\.md[ \t]+v(?P<version>[\w.]+)(?P<rest>.*?)-->", re.DOTALL
)
_ENTRIES = pattern(r"\|[ \t]*entries:[ \t]*(\d+)")
_REINDEXED = pattern(r"\|[ \t]*reindexed:[ \t]*([^|\s]+)")


class Text(NamedTuple):
    """Prose, blank lines, code, comments: the writer's own. ``kind`` keeps it apart from a header of equal text."""

    raw: str
    kind: Literal["text"] = "text"


class Heading(NamedTuple):
    """A heading that is no entry: the file's title or a section."""

    raw: str
    level: int
    title: str


class View(NamedTuple):
    """A generated region, markers included (decision D4)."""

    raw: str
    name: str


class Header(NamedTuple):
    """``<!-- hippocampus.md vX.Y | entries: N | reindexed: ISO-8601 -->`` (decision D3)."""

    raw: str

    @property
    def version(self) -> str:
        found = _HEADER.match(self.raw)
        return found.group("version") if found else ""

    @property
    def entries(self) -> int | None:
        """The number of entries that the header states."""
        found = _ENTRIES.search(self.raw)
        return int(found.group(1)) if found and len(found.group(1)) < 10 else None

    @property
    def reindexed(self) -> str | None:
        """When strengths were last computed, raw."""
        found = _REINDEXED.search(self.raw)
        return found.group(1) if found else None

    def with_values(self, entries: int, reindexed: str | None = None) -> Header:
        """The header with new values in place; a field that it does not have is added."""
        raw = _put(self.raw, _ENTRIES, "entries", str(entries))
        return Header(raw if reindexed is None else _put(raw, _REINDEXED, "reindexed", reindexed))


Node = Text | Heading | View | Header | Entry


def is_header(line: str) -> bool:
    """Whether a line is the file's header comment."""
    return bool(_HEADER.match(line))


def _put(raw: str, pattern: re.Pattern[str], key: str, value: str) -> str:
    found = pattern.search(raw)
    if found:
        return raw[: found.start(1)] + value + raw[found.end(1) :]
    end = raw.rindex("-->")
    return f"{raw[:end].rstrip()} | {key}: {value} {raw[end:]}"
