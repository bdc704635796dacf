"""A section as units: its smallest pieces, by which a note is known as a very large one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.workspace.note import MOST_HEADINGS, Note

_ITEM = pattern(r"\s*(?:[-*+•]|\d{1,9}[.)])\s")
_BULLETS = "-*+•"
_RULE = pattern(r"[\s|:=_*-]*$")  # a thematic break, or what is under a table's head
_RULES = "|:=_*-"
_CODE = int(Kind.CODE)
_SHOWN = (int(Kind.TEXT), _CODE)  # plain numbers: an enumeration's are slower to compare
_FULL = (
    600  # characters: a paragraph or code is cut at the next line end, so that logs have units too
)

MOST_UNITS = 50_000
"""Units of one note from which it is a coarse one."""


class Unit(NamedTuple):
    """A bullet with its continuation, paragraph, table row or group of code lines.

    ``start`` and ``end`` are 1-based and inclusive; ``text`` is those lines.
    """

    start: int
    end: int
    text: str


def is_coarse(note: Note) -> bool:
    """Whether a part of ``note`` is in large units, or below headings that open no section."""
    signs = sum(map(note.text.count, ("#", "=", "--")))  # as many headings at most
    if max(signs, len(note.lines)) < min(MOST_HEADINGS, MOST_UNITS):
        return False
    kinds = note.blocks.kinds
    found = islice(units(note.lines, kinds, 1, len(note.lines)), MOST_UNITS)
    return len(note.blocks.headings) >= MOST_HEADINGS or sum(1 for _ in found) >= MOST_UNITS


def units(lines: Sequence[str], kinds: Sequence[int], start: int, end: int) -> Iterator[Unit]:
    """The units in 1-based lines ``start`` to ``end``; headings and comments have none."""
    first, size = 0, 0  # the open unit's first line (0: none is open) and its characters
    in_row = False
    before = -1  # the kind of the line above
    for at in range(start, end + 1):
        line, kind = lines[at - 1], kinds[at - 1]
        head = line.lstrip()[:1]  # a letter begins nearly every line: no rule, no bullet, no row
        hidden = kind not in _SHOWN or head == "" or (head in _RULES and bool(_RULE.match(line)))
        if first and (
            hidden or in_row or size >= _FULL or kind != before or _begins(line, head, kind)
        ):
            yield Unit(first, at - 1, "".join(lines[first - 1 : at - 1]))
            first, size = 0, 0
        if not hidden:
            first = first or at
            size += len(line)
        in_row = head == "|" and kind != _CODE
        before = kind
    if first:
        yield Unit(first, end, "".join(lines[first - 1 : end]))


def _begins(line: str, head: str, kind: int) -> bool:
    """Whether a line, whose first sign is ``head``, begins a unit of its own although one is open."""
    if kind == _CODE:
        return False
    return head == "|" or ((head in _BULLETS or head.isdecimal()) and bool(_ITEM.match(line)))
