"""An index of one file, and one field of one of its entries set, as most tests need it."""

from __future__ import annotations

from collections.abc import Mapping

from hippocampus_cli.index import edit
from hippocampus_cli.index.document import MASTER, Document
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse


def index_of(text: str) -> Hierarchy:
    """The index whose master holds ``text``."""
    return Hierarchy({MASTER: parse(text)})


def set_values(document: Document, key: str, values: Mapping[str, str]) -> Document:
    """The document with raw values of one entry set; what has no metadata yet is read back in its place."""
    entry = edit.find(document.by_key, key).entry
    if entry.is_editable:
        return edit.set_many(document, {key: values})
    return edit.change_entries(document, {key: lambda old: old.with_values(values)})
