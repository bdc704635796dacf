"""The markers that an unfinished merge leaves in a file of the index."""

from __future__ import annotations

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.markdown.blocks import Kind, scan
from hippocampus_cli.markdown.lines import split_lines

_OUTER = pattern(r"(?:<{7}|>{7})(?:\s|$)")
_INNER = pattern(r"(?:\|{7}(?:\s|$)|={7}\s*$)")


def conflict_lines(text: str) -> list[int]:
    """The 1-based lines that hold markers; none in a text without a conflict.

    ``=======`` and ``|||||||`` count between the outer markers, or before one without a beginning; elsewhere they
    are the underline of a heading and a row of a table. Markers in fenced code are examples.
    """
    if "<<<<<<<" not in text and ">>>>>>>" not in text:  # nearly every file
        return []
    lines = split_lines(text)
    kinds = scan(lines).kinds
    marked: list[int] = []
    waiting: list[int] = []
    begun = False
    for number, line in enumerate(lines, 1):
        if kinds[number - 1] == Kind.CODE:
            continue
        if _OUTER.match(line):
            begun = line.startswith("<")
            marked += [number] if begun else [*waiting, number]
            waiting = []
        elif _INNER.match(line):
            waiting.append(number)
        elif line.startswith("#") and not begun:
            waiting = []  # the underline of a heading further up
    return marked + waiting if begun else marked
