"""A section as units: the smallest pieces that search ranks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hippocampus_cli.markdown.blocks import Kind

_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,9}[.)])\s")
_ROW = re.compile(r"\s*\|")
_RULE = re.compile(r"[\s|:=_*-]*$")  # a thematic break, or what is under a table's head
_SHOWN = frozenset((Kind.TEXT, Kind.CODE))
_FULL = (
    600  # characters: a paragraph or code is cut at the next line end, so that logs have units too
)


class Unit(NamedTuple):
    """A bullet with its continuation, paragraph, table row or group of code lines.

    ``start`` and ``end`` are 1-based and inclusive; ``text`` is those lines.
    """

    start: int
    end: int
    text: str


def units(lines: Sequence[str], kinds: Sequence[int], start: int, end: int) -> list[Unit]:
    """The units in 1-based lines ``start`` to ``end``; headings and comments have none."""
    return list(_units(lines, kinds, start, end))


def _units(lines: Sequence[str], kinds: Sequence[int], start: int, end: int) -> Iterator[Unit]:
    first, size = 0, 0  # the open unit's first line (0: none is open) and its characters
    in_row = False
    for at in range(start, end + 1):
        line = lines[at - 1]
        prose = line[:1].isalpha()  # nearly every line: no rule, no bullet, no row
        hidden = kinds[at - 1] not in _SHOWN or (not prose and bool(_RULE.match(line)))
        if first and (hidden or in_row or size >= _FULL or _parts(lines, kinds, at, prose)):
            yield Unit(first, at - 1, "".join(lines[first - 1 : at - 1]))
            first, size = 0, 0
        if not hidden:
            first = first or at
            size += len(line)
        in_row = not prose and kinds[at - 1] != Kind.CODE and bool(_ROW.match(line))
    if first:
        yield Unit(first, end, "".join(lines[first - 1 : end]))


def _parts(lines: Sequence[str], kinds: Sequence[int], at: int, prose: bool) -> bool:
    """Whether line ``at`` begins a unit of its own although one is open."""
    if kinds[at - 1] != kinds[at - 2]:
        return True
    if prose or kinds[at - 1] == Kind.CODE:
        return False
    return bool(_ITEM.match(lines[at - 1]) or _ROW.match(lines[at - 1]))
