"""Two branches of an index file merged, entry by entry (decisions D4, D21): what a merge driver of git does. Pure.

Entries, views, the header and each line of prose are items of a sequence. Which entries stay is decided first; then
the sequences are merged as lines are, and an entry that both have is merged by value. Views and the header are
made anew.

Git merges file by file. Where one branch used an entry and the other moved it to another file, it is in both
files after the merge. The used one says by :data:`merge_entry.SPLIT` how many hits both had in common, so that
:func:`rejoin` counts no hit twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial

from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index import metadata
from hippocampus_cli.index.conflicts import conflict_lines
from hippocampus_cli.index.decay import DecayClock, clock_for
from hippocampus_cli.index.document import Document, Header, Located, Text, View
from hippocampus_cli.index.edit import set_header, set_many
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.merge_entry import (
    SPLIT,
    Resolve,
    Sides,
    is_used,
    keep_both,
    merge_entry,
    rejoin_entry,
)
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.views import Limits, refreshed
from hippocampus_cli.markdown.diff3 import Labels, Region, common, marked, regions
from hippocampus_cli.markdown.lines import line_ending, newline_of, split_lines

_ENTRY, _VIEW, _HEADER = "\nentry ", "\nview ", "\nheader"  # no line begins so


class MergeSetting(NamedTuple):
    """What a merge depends on beside the texts: the moment's clock, which knows the ids of other files, the views'
    limits, the entries in topic files, whether the texts are of the master file (into the others, entries are
    moved), and what decides where both changed a field."""

    clock: DecayClock
    limits: Limits
    beyond: tuple[Located, ...] = ()
    master: bool = True
    resolve: Resolve = keep_both


class Merged(NamedTuple):
    """The merged text, and how many conflicts are marked in it."""

    text: str
    conflicts: int


def merge(base: str, ours: str, theirs: str, setting: MergeSetting, labels: Labels) -> Merged:
    """The merged text. An empty ``base`` is none: both branches made the file.

    Raises :class:`IndexRefused` where an entry would be lost, as it may be in a text with marks of comments or fences
    that are never closed.
    """
    if ours == theirs or theirs == base:
        return Merged(ours, 0)
    if ours == base:
        return Merged(theirs, 0)
    texts, mark = _one_style(base, ours, theirs)
    documents = _with_distinct_ids(*map(parse, texts))
    merged = _Merge(documents, setting, labels).result()
    return merged._replace(text=mark + merged.text)


def rejoin(index: Hierarchy, *, archive: bool) -> Hierarchy:
    """The index with every entry that a merge left in two files where it was used.

    ``archive``: whether the index was read with its archive; an entry that stands nowhere else then was removed by
    hand, and stays for having been used.
    """
    for used in [located for located in index.entries if SPLIT in located.entry.values]:
        if not used.entry.closed:
            continue
        twins = (each for each in index.by_key.values() if each.entry.id == used.entry.id)
        twin = next((each for each in twins if each.key != used.key), None)
        if twin is None and archive:
            index = index.set_values({used.key: {SPLIT: ""}})
        elif twin and twin.entry.is_editable:
            index = index.without([twin.key])
            key = used.key if used.key in index.by_key else used.entry.id
            index = index.change(key, partial(rejoin_entry, other=twin.entry))
    return index


class _Side:
    """One text as a sequence: ``items`` are keys of entries and views, and lines of prose themselves.

    ``after`` are the blank lines behind an entry, a view or the header, which go where it goes.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.items: list[str] = []
        self.raws: dict[str, str] = {}
        self.after: dict[str, str] = {}
        self.entries = {located.key: located.entry for located in document.entries}
        keys = iter(self.entries)
        last = ""
        for node in document.nodes:
            item = ""
            if isinstance(node, Entry):
                item = _ENTRY + next(keys)
            elif isinstance(node, View):
                item = f"{_VIEW}{node.name}"
            elif isinstance(node, Header):
                item = _HEADER
            if item and item not in self.raws:
                self.items.append(item)
                self.raws[item] = node.raw
                last = item
            else:  # a second view of the same name is prose
                last = self._take_prose(node.raw, last if isinstance(node, Text) else "")

    def _take_prose(self, raw: str, last: str) -> str:
        lines = split_lines(raw)
        words = next((n for n, line in enumerate(lines) if line.strip()), len(lines))
        blank = words if last else 0
        if blank:
            self.after[last] = "".join(lines[:blank])
        self.items += lines[blank:]
        return "" if len(lines) > blank else last


class _Merge:
    """One merge under way: the sides, and how many conflicts there are so far."""

    def __init__(
        self, documents: Iterable[Document], setting: MergeSetting, labels: Labels
    ) -> None:
        self.base, self.ours, self.theirs = map(_Side, documents)
        self.sides = (self.base, self.ours, self.theirs)
        self.setting, self.labels = setting, labels
        self.conflicts = 0
        ids = setting.clock.ids | self.ours.document.ids | self.theirs.document.ids
        self.clocks = [self._clock(side.document, ids) for side in self.sides]
        both = self.ours.entries.keys() & self.theirs.entries.keys()
        self.staying = {key for side in self.sides[1:] for key in side.entries if self._stays(key)}
        self._keep_items(self.base, both)
        self._keep_items(self.ours, self.staying)
        self._keep_items(self.theirs, self.staying)

    def _clock(self, document: Document, ids: frozenset[str]) -> DecayClock:
        clock = self.setting.clock
        return clock_for(document, clock.now, clock.rates)._replace(ids=ids)

    def _stays(self, key: str) -> bool:
        base, ours, theirs = (side.entries.get(key) for side in self.sides)
        if base is None or (ours and theirs):  # one branch made it, or both have it
            return True
        held = ours or theirs
        return held is not None and is_used(base, held)  # one branch archived it, the other used it

    def _keep_items(self, side: _Side, keys: Iterable[str]) -> None:
        wanted = {_ENTRY + key for key in keys}
        side.items = [item for item in side.items if not item.startswith(_ENTRY) or item in wanted]

    def result(self) -> Merged:
        items = _without_doubles(self._sequence())
        text = _joined([(self._text(item), item.startswith(_ENTRY)) for item in items])
        document = parse(text)
        if self.conflicts or conflict_lines(text):
            return Merged(set_header(document).text, max(1, self.conflicts))
        self._verify(document)
        clock = self._clock(document, self.setting.clock.ids | document.ids).as_of_header()
        document = refreshed(document, clock, self.setting.limits, beyond=self.setting.beyond)
        return Merged(set_header(document).text, 0)

    def _sequence(self) -> list[str]:
        """The items in order; the lines of a conflict among prose are in it as they are."""
        base = self.base.items or common(self.ours.items, self.theirs.items)
        items: list[str] = []
        for region in regions(base, self.ours.items, self.theirs.items):
            settled = region.settled
            items += self._settle(region) if settled is None else settled
        return items

    def _settle(self, region: Region[str]) -> list[str]:
        """A stretch that both changed: each side's added and removed entries, and prose merged as git does."""
        prose = Region(*([item for item in side if _is_prose(item)] for side in region))
        if prose.settled == prose.ours:  # only entries differ, or only ours changed the prose
            return _unite(region.base, region.ours, region.theirs)
        if prose.settled is not None:  # only theirs changed the prose
            return _unite(region.base, region.theirs, region.ours)
        lines = (line.lstrip(" ") for line in (*prose.ours, *prose.theirs) if line.strip())
        if not prose.base and all(line.startswith("#") for line in lines):
            known = set(region.ours)  # new sections, and what is in them
            return [*region.ours, *(item for item in region.theirs if item not in known)]
        self.conflicts += 1
        rest = ([item for item in side if not _is_prose(item)] for side in region)
        return [*marked(prose, self.labels), *_unite(*rest)]

    def _verify(self, document: Document) -> None:
        """Raises :class:`IndexRefused` where an entry would be lost; no merge does that."""
        wanted = {
            side.entries[key].id
            for side in self.sides[1:]
            for key in self.staying & side.entries.keys()
        }
        if missing := wanted - document.ids:
            raise IndexRefused(reason=f"the merge would lose {', '.join(sorted(missing)[:5])}")

    def _text(self, item: str) -> str:
        if _is_prose(item):
            return item
        holders = [side for side in self.sides[1:] if item in side.raws]
        raws = [side.raws[item] for side in holders]
        if item.startswith(_ENTRY):
            raw = self._entry_text(item.removeprefix(_ENTRY))
        else:
            raw = (
                max(raws, key=lambda raw: (Header(raw).reindexed or "", raw))
                if item == _HEADER
                else raws[0]
            )
        blank = [side.after.get(item, "") for side in holders]
        is_changed = blank[0] != self.base.after.get(item, "")
        return raw + (blank[0] if is_changed else blank[-1])

    def _entry_text(self, key: str) -> str:
        base, ours, theirs = (side.entries.get(key) for side in self.sides)
        if ours and theirs:
            moved = base is None and not self.setting.master
            sides = Sides(base, ours, theirs, moved)
            raw, conflicts = merge_entry(sides, self.clocks, self.labels, self.setting.resolve)
            self.conflicts += conflicts
            return raw
        entry = ours or theirs
        assert entry is not None
        if base is None or SPLIT in entry.values or not entry.is_editable:
            return entry.raw
        return entry.with_value(SPLIT, str(base.hits)).raw


def _is_prose(item: str) -> bool:
    return not item.startswith((_ENTRY, _VIEW, _HEADER))


def _unite(base: Sequence[str], spine: Sequence[str], other: Sequence[str]) -> list[str]:
    """The spine without what the other side removed, and with what it added, each at its place."""
    items = [item for item in spine if _is_prose(item) or item in other or item not in base]
    before = ""
    for item in other:
        if not _is_prose(item) and item not in base and item not in spine:
            place = items.index(before) + 1 if before in items else len(items)
            items.insert(place, item)
        before = item if item.strip() else before
    return items


def _without_doubles(items: Iterable[str]) -> list[str]:
    """The first place of each entry and view: both sides may have moved it."""
    seen: set[str] = set()
    kept = []
    for item in items:
        if _is_prose(item) or item not in seen:
            kept.append(item)
        seen.add(item)
    return kept


def _joined(pieces: Sequence[tuple[str, bool]]) -> str:
    """The pieces, each on lines of its own, with a blank line between two that are entries."""
    nl = newline_of("".join(text for text, _ in pieces))
    parts: list[str] = []
    for (text, is_entry), (following, too) in zip(pieces, (*pieces[1:], ("", False)), strict=True):
        if following and not line_ending(text):
            text += nl
        ends = text.endswith(nl + nl)
        apart = is_entry and too and not ends and not following.startswith("-")
        parts.append(text + nl if apart else text)
    return "".join(parts)


def _with_distinct_ids(base: Document, ours: Document, theirs: Document) -> list[Document]:
    """The documents; an id under which both made an entry, of different things, is another one on one side."""
    taken = {*ours.by_key, *theirs.by_key}
    renamed: dict[bool, dict[str, dict[str, str]]] = {True: {}, False: {}}  # ours, theirs
    for key in sorted((ours.by_key.keys() & theirs.by_key.keys()) - base.by_key.keys()):
        mine, other = ours.by_key[key].entry, theirs.by_key[key].entry
        same = mine.topic == other.topic or (mine.pointers and mine.pointers == other.pointers)
        if mine.hx_span and other.hx_span and not same:
            name = metadata.free_id(mine.id, taken)
            taken.add(name)
            # the same one on both machines
            renamed[mine.raw > other.raw][key] = {"id": metadata.write_text(name)}
    return [base, set_many(ours, renamed[True]), set_many(theirs, renamed[False])]


def _one_style(base: str, ours: str, theirs: str) -> tuple[list[str], str]:
    """The texts without byte order marks and with one kind of line ending, and the mark that the merged text has.

    The style is that of the side that changed it.
    """
    style = theirs if base and _style(ours) == _style(base) else ours
    mark, newline = _style(style)
    texts = [text.removeprefix("\ufeff") for text in (base, ours, theirs)]
    if len({newline_of(text) for text in texts if text}) > 1:
        texts = [re.sub(r"\r\n|\r|\n", newline, text) for text in texts]
    return texts, mark


def _style(text: str) -> tuple[str, str]:
    return "\ufeff" if text.startswith("\ufeff") else "", newline_of(text)
