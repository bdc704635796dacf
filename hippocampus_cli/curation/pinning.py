"""Pinning: an entry with ``pri=amygdala`` does not decay (INDEX §5.2, decision D10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hippocampus_cli.curation.finding import find
from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry, Form, parse_entry
from hippocampus_cli.index.fields import Priority
from hippocampus_cli.index.hierarchy import Hierarchy

_EMPTY_COMMENT = "<!-- hx: -->"


@dataclass(frozen=True, slots=True)
class Pinned:
    """The priority of an entry before and after."""

    id: str
    before: str
    after: str

    @property
    def changed(self) -> bool:
        return self.before != self.after


def pin(index: Hierarchy, keys: Sequence[str]) -> tuple[Hierarchy, list[Pinned]]:
    """The index with these entries pinned. Raises :class:`EntryNotFound` if one of them is unknown."""
    done = []
    for key in dict.fromkeys(keys):
        found = find(index, key)
        before = found.entry.pri
        if before is not Priority.AMYGDALA:
            index = _pinned(index, found)
        done.append(Pinned(found.key, before.value, Priority.AMYGDALA.value))
    return index, done


def unpin(index: Hierarchy, keys: Sequence[str]) -> tuple[Hierarchy, list[Pinned]]:
    """The index with these entries at normal priority: what :func:`pin` wrote is gone to the byte.

    Raises :class:`EntryNotFound` if one of them is unknown.
    """
    done = []
    for key in dict.fromkeys(keys):
        found = find(index, key)
        before = found.entry.pri
        index = index.change(found.key, _without_priority)
        done.append(Pinned(found.key, before.value, Priority.NORMAL.value))
    return index, done


def _pinned(index: Hierarchy, found: Located) -> Hierarchy:
    at = index.entries.index(found)
    after = index.change(found.key, _with_priority)
    if (
        after.entries[at].entry.pri is not Priority.AMYGDALA
    ):  # the text swallows what is put behind it
        reason = "a comment in the entry's line is not closed"
        raise IndexRefused(path=found.file, line=found.line, reason=reason)
    return after


def _with_priority(entry: Entry) -> Entry:
    return entry.with_value("pri", Priority.AMYGDALA.value)


def _without_priority(entry: Entry) -> Entry:
    while entry.pri is not Priority.NORMAL:
        entry = entry.without("pri")
    if entry.form is Form.BULLET and entry.comment == _EMPTY_COMMENT and entry.hx_span:
        # the comment that pinning gave a bare bullet
        start, end = entry.hx_span
        return parse_entry(entry.raw[:start].removesuffix(" ") + entry.raw[end:], entry.form)
    return entry
