"""Comparing pointer names of sections, and names of files."""

from __future__ import annotations

import re

from hippocampus_cli.workspace.titles import fold

_NUMBER = re.compile(r"\s+#\d+$")
_WITHIN = " > "


def heading_of(section: str) -> str:
    """The heading in a pointer name, without its parents and its number, folded."""
    return fold(_NUMBER.sub("", section).rpartition(_WITHIN)[2])


def names_same(one: str, other: str) -> bool:
    """Whether two pointer names may mean one section: ``Deploy`` and ``Tools > deploy``."""
    one, other = fold(one), fold(other)
    return one == other or one.endswith(_WITHIN + other) or other.endswith(_WITHIN + one)


def file_name(path: str) -> str:
    """The name of the file, upper or lower case."""
    return path.rpartition("/")[2].casefold()


def parts_shared(one: str, other: str) -> int:
    """How many parts two paths have in common, counted from the file's name upwards."""
    count = 0
    for left, right in zip(
        reversed(one.casefold().split("/")), reversed(other.casefold().split("/")), strict=False
    ):
        if left != right:
            break
        count += 1
    return count
