"""The index as a frozen sequence of nodes; printing it is a join.

Each byte of a file belongs to exactly one node (decision D1). The files that hold entries: INDEX §9.2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from hippocampus_cli.fast_types import Frozen, NamedTuple, pattern
from hippocampus_cli.index import ARCHIVE as ARCHIVE
from hippocampus_cli.index import FOLDER as FOLDER
from hippocampus_cli.index import MASTER as MASTER
from hippocampus_cli.index import TOPICS as TOPICS
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.metadata import free_id, read_int

_HEADER = pattern(
    r"[\ufeff ]{0,4}<!--[ \t]*hippocampus\.md[ \t]+v(?P<version>[\w.]++)(?P<rest>(?:(?!-->).)*+)-->",
    re.DOTALL,
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
        match = _HEADER.match(self.raw)
        return match["version"] if match else ""

    @property
    def entries(self) -> int | None:
        """The number of entries that the header states."""
        match = _ENTRIES.search(self.raw)
        return read_int(match[1]) if match else None

    @property
    def reindexed(self) -> str | None:
        """When strengths were last computed, raw."""
        match = _REINDEXED.search(self.raw)
        return match[1] if match else None

    def with_values(self, entries: int, reindexed: str | None = None) -> Header:
        """The header with new values in place; a field that it does not have is added."""
        raw = _put(self.raw, _ENTRIES, "entries", str(entries))
        return Header(raw if reindexed is None else _put(raw, _REINDEXED, "reindexed", reindexed))


Node = Text | Heading | View | Header | Entry


def is_header(line: str) -> bool:
    """Whether a line is the file's header comment."""
    return bool(_HEADER.match(line))


def _put(raw: str, pattern: re.Pattern[str], key: str, value: str) -> str:
    match = pattern.search(raw)
    if match:
        return raw[: match.start(1)] + value + raw[match.end(1) :]
    end = raw.rindex("-->")
    return f"{raw[:end].rstrip()} | {key}: {value} {raw[end:]}"


class Located(NamedTuple):
    """An entry in its place: node position, 1-based ``line``, enclosing section titles, and a unique ``key``.

    ``key`` is the entry's id; where an id stands twice, the second one's key is ``id~2``. ``file`` is the
    path of the file it is in, ``alone`` whether no other living entry has its id.
    """

    entry: Entry
    key: str
    node: int
    line: int
    section: tuple[str, ...]
    file: str = MASTER
    alone: bool = True

    @property
    def is_archived(self) -> bool:
        return self.file.startswith(ARCHIVE)


class Document(Frozen):
    """``HIPPOCAMPUS.md`` as nodes. Equal documents have equal text."""

    nodes: tuple[Node, ...]

    @property
    def text(self) -> str:
        """The file's text, byte for byte what was parsed where nothing was edited. Not kept: it may be large."""
        return "".join(node.raw for node in self.nodes)

    @cached_property
    def entries(self) -> tuple[Located, ...]:
        """Every entry in file order."""
        return tuple(self._locate())

    @cached_property
    def by_key(self) -> dict[str, Located]:
        """Entries by their unique key."""
        return {located.key: located for located in self.entries}

    @cached_property
    def ids(self) -> frozenset[str]:
        """Every id in the file."""
        return frozenset(located.entry.id for located in self.entries)

    @property
    def header(self) -> Header | None:
        return next((node for node in self.nodes if isinstance(node, Header)), None)

    @cached_property
    def views(self) -> dict[str, View]:
        """Generated regions by name; of two with one name, the first."""
        return {node.name: node for node in reversed(self.nodes) if isinstance(node, View)}

    @cached_property
    def sections(self) -> dict[int, tuple[str, ...]]:
        """The titles of every section from the outside in, by the position of its heading's node."""
        return {
            number: tuple(heading.title for heading in above if heading.level > 1)
            for number, node, above in self._walk()
            if isinstance(node, Heading) and node.level > 1
        }

    def with_node(self, position: int, node: Node) -> Document:
        """The document with one node replaced."""
        return self.replaced(nodes=(*self.nodes[:position], node, *self.nodes[position + 1 :]))

    def _locate(self) -> Iterator[Located]:
        line = 1
        taken: set[str] = set()
        for number, node, above in self._walk():
            if isinstance(node, Entry):
                deepest = node.level or 7
                section = tuple(h.title for h in above if 1 < h.level < deepest)
                key = unique_key(node.id, taken)
                yield Located(node, key, number, line, section)
            line += line_breaks(node.raw)

    def _walk(self) -> Iterator[tuple[int, Node, list[Heading]]]:
        """Every node with its position and the headings that it stands under, from the outside in."""
        above: list[Heading] = []
        for number, node in enumerate(self.nodes):
            if isinstance(node, Heading):
                while above and above[-1].level >= node.level:
                    above.pop()
                above.append(node)
            yield number, node, above


def unique_key(key: str, taken: set[str]) -> str:
    """``key``, or ``key~2``, ``key~3`` ... where it is taken; it is taken then."""
    free = free_id(key, taken, "~")
    taken.add(free)
    return free


def line_breaks(text: str) -> int:
    """How many lines end in ``text``."""
    return text.count("\n") + text.count("\r") - text.count("\r\n")
