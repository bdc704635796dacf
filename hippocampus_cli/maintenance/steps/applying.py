"""Carrying out the parts of a step: one that the text of an index does not allow keeps back no other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy

_Part = TypeVar("_Part")


def applied(
    index: Hierarchy,
    parts: Sequence[_Part],
    apply: Callable[[Hierarchy, Sequence[_Part]], Hierarchy],
) -> tuple[Hierarchy, list[_Part]]:
    """The index after ``apply`` with as many of ``parts`` as it does not refuse, and those."""
    if not parts:
        return index, []
    try:
        return apply(index, parts), [*parts]
    except IndexRefused:
        if len(parts) == 1:
            return index, []
    half = len(parts) // 2
    index, first = applied(index, parts[:half], apply)
    index, second = applied(index, parts[half:], apply)
    return index, first + second


def changed(
    index: Hierarchy, changes: Mapping[str, Callable[[Entry], Entry]]
) -> tuple[Hierarchy, list[str]]:
    """The index with these entries changed as far as it does not refuse, and their keys."""
    return applied(
        index, [*changes], lambda whole, keys: whole.change_all({key: changes[key] for key in keys})
    )
