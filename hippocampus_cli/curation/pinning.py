"""Pinning: an entry with ``pri=amygdala`` does not decay (INDEX §5.2, decision D10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hippocampus_cli.curation.finding import find
from hippocampus_cli.index import edit
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.entry import Entry, Form, parse_entry
from hippocampus_cli.index.fields import Priority

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


def pin(document: Document, keys: Sequence[str]) -> tuple[Document, list[Pinned]]:
    """The document with these entries pinned. Raises :class:`EntryNotFound` if one of them is unknown."""
    done = []
    for key in dict.fromkeys(keys):
        before = find(document, key).entry.pri
        if before is not Priority.AMYGDALA:
            document = edit.change_entry(document, key, _with_priority)
        done.append(Pinned(key, before.value, Priority.AMYGDALA.value))
    return document, done


def unpin(document: Document, keys: Sequence[str]) -> tuple[Document, list[Pinned]]:
    """The document with these entries at normal priority: what :func:`pin` wrote is gone to the byte.

    Raises :class:`EntryNotFound` if one of them is unknown.
    """
    done = []
    for key in dict.fromkeys(keys):
        before = find(document, key).entry.pri
        document = edit.change_entry(document, key, _without_priority)
        done.append(Pinned(key, before.value, Priority.NORMAL.value))
    return document, done


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
