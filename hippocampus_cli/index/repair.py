"""Repairs of an index that need no decision: each adds a marker or corrects one of hippo's own values.

No line of a person's is changed, moved or removed; where a repair is not certain, the finding stays.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index import metadata
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.entry import Entry, parse_entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.markdown.lines import split_lines

_DATES = frozenset(("created", "accessed", "queued", "stale"))


class Repair(NamedTuple):
    """One repair: the ``code`` of its finding, where it stands, and what was done."""

    code: str
    path: str
    key: str
    done: str


Repaired = tuple[Hierarchy, list[Repair]]


def repair(index: Hierarchy) -> Repaired:
    """The index with all that put right. A second run finds nothing to do."""
    done: list[Repair] = []
    for step in (_close_comments, _separate_ids, _count):
        index, repairs = step(index)
        done += repairs
    return index, done


def _close_comments(index: Hierarchy) -> Repaired:
    """Close ``hx`` comments of which only the end is missing."""
    done: list[Repair] = []
    for located in index.by_key.values():
        if located.entry.closed or not _is_whole(located.entry.comment):
            continue
        with contextlib.suppress(IndexRefused):  # other text would be read differently
            index = index.change(located.key, _close)
            text = "the hx comment is closed"
            done.append(Repair("unclosed-hx", located.file, located.key, text))
    return index, done


def _close(entry: Entry) -> Entry:
    _, end = entry.hx_span or (0, 0)
    return parse_entry(f"{entry.raw[:end].rstrip()} -->{entry.raw[end:]}", entry.form)


def _is_whole(comment: str) -> bool:
    """Whether an unclosed comment is one line of fields, the last of them with a value."""
    closed = f"{comment} -->"
    fields = metadata.items(closed)
    if len(split_lines(comment.strip())) != 1 or not fields or metadata.junk(closed):
        return False
    last = fields[-1]
    return metadata.read_date(last.value) is not None if last.key in _DATES else bool(last.value)


def _separate_ids(index: Hierarchy) -> Repaired:
    """Give the later ones of several entries with one id an id of their own."""
    taken = set(index.taken)
    values: dict[str, Mapping[str, str]] = {}
    done: list[Repair] = []
    for located in index.entries:
        entry = located.entry
        if located.key == entry.id or not entry.is_editable:
            continue
        new = metadata.free_id(entry.id, taken)
        taken.add(new)
        values[located.key] = {"id": metadata.write_text(new)}
        text = f"a second {entry.id!r} is {new!r} now"
        done.append(Repair("duplicate-id", located.file, new, text))
    return index.set_values(values), done


def _count(index: Hierarchy) -> Repaired:
    """State in the headers how many entries there are."""
    after = index.counted()
    text = "the header's count is correct"
    changed = [path for path in index.files if index.files[path] != after.files[path]]
    return after, [Repair("entry-count", path, MASTER, text) for path in changed]
