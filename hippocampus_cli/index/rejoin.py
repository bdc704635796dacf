"""An entry that one branch used while the other put it into another file is one entry again.

Git merges file by file: after such a merge the entry stands in both files. The used one says by
:data:`merge_entry.SPLIT` how many hits both had in common, so that those of neither are lost or counted twice.
"""

from __future__ import annotations

from hippocampus_cli.index import edit, fields
from hippocampus_cli.index.archive import MARKS
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.merge_entry import SPLIT, later


def rejoined(index: Hierarchy, *, archive: bool) -> Hierarchy:
    """The index with every such entry where it was used. ``archive``: whether the index was read with its archive;
    an entry that stands nowhere else then was removed by hand, and stays for having been used."""
    for key in [one.key for one in index.entries if SPLIT in one.entry.values]:
        marked = index.by_key[key]
        if not marked.entry.closed:
            continue
        twin = next(
            (
                one
                for one in index.by_key.values()
                if one.entry.id == marked.entry.id and one.key != key
            ),
            None,
        )
        if twin is None:
            index = index.change(key, _unmarked) if archive else index
        elif twin.entry.closed and twin.entry.hx_span:
            whole = _united(marked.entry, twin.entry)
            index = index.change(key, lambda _, whole=whole: whole)  # type: ignore[misc]
            index = _without(index, twin)
    return index


def _united(used: Entry, other: Entry) -> Entry:
    common = fields.read_int(used.values[SPLIT]) or 0
    tags = dict.fromkeys((*used.tags, *other.tags))
    values = {
        "hits": str(max(used.hits, other.hits, used.hits + other.hits - common)),
        "accessed": later("", used.values.get("accessed", ""), other.values.get("accessed", "")),
        "tags": fields.write_list(tags),
        "rel": fields.write_list(dict.fromkeys((*used.rel, *other.rel))),
        SPLIT: "",
    }
    if other.base is not None and used.base is not None and other.base > used.base:
        values["base"] = other.values["base"]
    if other.pri is fields.Priority.AMYGDALA:
        values["pri"] = other.pri.value
    for name, raw in other.values.items():
        if name not in used.values and name not in (*MARKS, "base"):
            values.setdefault(name, raw)
    return used.with_values(values)


def _unmarked(entry: Entry) -> Entry:
    return entry.without(SPLIT)


def _without(index: Hierarchy, located: Located) -> Hierarchy:
    document = index.files[located.file]
    there = next(
        one
        for one in document.entries
        if one.entry.id == located.entry.id
        and one.entry == located.entry
        and SPLIT not in one.entry.values
    )
    return index.with_file(located.file, edit.remove_entry(document, there.key))
