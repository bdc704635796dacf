"""Two branches of an index file merged, entry by entry (decisions D4, D21): what a merge driver of git does. Pure.

Entries, views, the header and each line of prose are items of a sequence, and the sequences are merged as lines are.
An entry that both have is merged by value; one that one branch put away and the other used stays, marked with
:data:`merge_entry.SPLIT`; views and the header are made anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from hippocampus_cli.config.settings import Decay
from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index import merge_entry, metadata
from hippocampus_cli.index.decay import DecayClock, clock_for, reindexed
from hippocampus_cli.index.document import Document, Header, Text, View
from hippocampus_cli.index.edit import free_id, set_header
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.merge_entry import SPLIT, Clocks, Sides
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.views import Limits, refreshed
from hippocampus_cli.markdown.diff3 import Labels, Region, common, is_marked, marked, regions
from hippocampus_cli.markdown.lines import line_ending, newline_of, split_lines

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ENTRY, _VIEW, _HEADER = "\nentry ", "\nview ", "\nheader"  # no line begins so


class Setting(NamedTuple):
    """What a merge depends on beside the texts: the moment's clock, which knows the ids of other files, the views'
    limits, how many entries are in topic files, and whether the texts are of the master file: into the others,
    entries are moved."""

    clock: DecayClock
    limits: Limits
    beyond: int = 0
    master: bool = True


class Merged(NamedTuple):
    """The merged text, and how many conflicts are marked in it."""

    text: str
    conflicts: int


class _Side:
    """One text as a sequence: ``items`` are keys of entries and views, and lines of prose themselves.

    ``after`` are the blank lines behind an entry, a view or the header, which go where it goes.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.items: list[str] = []
        self.raws: dict[str, str] = {}
        self.after: dict[str, str] = {}
        self.entries = {one.key: one.entry for one in document.entries}
        keys = iter(self.entries)
        last = ""
        for node in document.nodes:
            if isinstance(node, Entry):
                last = self._take(_ENTRY + next(keys), node.raw)
            elif isinstance(node, View):
                last = self._take(f"{_VIEW}{node.name}", node.raw)
            elif isinstance(node, Header):
                last = self._take(_HEADER, node.raw)
            elif isinstance(node, Text):
                last = self._prose(node.raw, last)
            else:
                self.items.append(node.raw)
                last = ""

    def _take(self, key: str, raw: str) -> str:
        if key in self.raws:  # a second view of the name: prose
            self.items += split_lines(raw)
            return ""
        self.items.append(key)
        self.raws[key] = raw
        return key

    def _prose(self, raw: str, last: str) -> str:
        lines = split_lines(raw)
        blank = 0
        while last and blank < len(lines) and not lines[blank].strip():
            blank += 1
        if blank:
            self.after[last] = "".join(lines[:blank])
        self.items += lines[blank:]
        return "" if len(lines) > blank else last

    def text_of(self, item: str) -> str:
        return self.raws.get(item, item) + self.after.get(item, "")


def merge(base: str, ours: str, theirs: str, setting: Setting, labels: Labels) -> Merged:
    """The merged text. An empty ``base`` is none: both branches made the file.

    Raises :class:`IndexRefused` where an entry would be lost, as it may be in a text with marks of comments or fences
    that are never closed.
    """
    if ours == theirs or theirs == base:
        return Merged(ours, 0)
    if ours == base:
        return Merged(theirs, 0)
    texts, style = _one_style((base, ours, theirs))
    documents = _as_of_one_time([parse(text) for text in texts], setting.clock.rates)
    merged = _Merge(_distinct([_Side(one) for one in documents]), setting, labels).result()
    return Merged(style.apply(merged.text), merged.conflicts)


class _Merge:
    """One merge under way: the sides, and how many conflicts there are so far."""

    def __init__(self, sides: Sequence[_Side], setting: Setting, labels: Labels) -> None:
        self.base, self.ours, self.theirs = sides
        self.setting, self.labels = setting, labels
        self.conflicts = 0
        ids = setting.clock.ids.union(*(one.document.ids for one in sides[1:]))
        now, rates = setting.clock.now, setting.clock.rates
        clocks = (clock_for(one.document, now, rates)._replace(ids=ids) for one in sides)
        self.clocks = Clocks(*clocks)

    def result(self) -> Merged:
        items = self._once(self._kept(self._sequence()))
        text = _joined([(self._text(one), one.startswith(_ENTRY)) for one in items])
        document = parse(text)
        if not self.conflicts and not is_marked(split_lines(text), self.labels.size):
            self._verify(document)
            setting = self.setting
            clock = clock_for(document, setting.clock.now, setting.clock.rates).as_of_header()
            clock = clock._replace(ids=setting.clock.ids | document.ids)
            document = refreshed(document, clock, setting.limits, beyond=setting.beyond)
        else:
            self.conflicts = max(1, self.conflicts)
        return Merged(set_header(document).text, self.conflicts)

    def _sequence(self) -> list[str]:
        """The items in order; the lines of a conflict among prose are in it as they are."""
        base = self.base.items or common(self.ours.items, self.theirs.items)
        found: list[str] = []
        for region in regions(base, self.ours.items, self.theirs.items):
            settled = region.settled
            found += self._settle(region) if settled is None else settled
        return found

    def _settle(self, region: Region[str]) -> list[str]:
        """A stretch that both changed: each side's entries come and go, and prose is as git would have it."""
        base, ours, theirs = ([one for one in side if _is_prose(one)] for side in region)
        if theirs in (base, ours):
            return self._united(region.base, region.ours, region.theirs)
        if ours == base:
            return self._united(region.base, region.theirs, region.ours)
        if not base and all(
            one.lstrip(" ").startswith("#") for one in (*ours, *theirs) if one.strip()
        ):
            known = set(region.ours)  # new sections, and what is in them
            return [*_set_off(region.ours), *(one for one in region.theirs if one not in known)]
        self.conflicts += 1
        plain = marked(Region(base, ours, theirs), self.labels)
        entries = self._united(*([one for one in side if not _is_prose(one)] for side in region))
        return [*plain, *entries]

    def _united(self, base: Sequence[str], spine: Sequence[str], other: Sequence[str]) -> list[str]:
        """The spine without what the other took away, and with what it added, each after what precedes it there."""
        was, there, present = set(base), set(other), set(spine)
        found = [one for one in spine if _is_prose(one) or one in there or one not in was]
        before = ""
        for one in other:
            if not _is_prose(one) and one not in was and one not in present:
                at = found.index(before) + 1 if before in found else len(found)
                found.insert(at, one)
            before = one if one.strip() else before
        return found

    def _kept(self, items: list[str]) -> list[str]:
        """With what one side took away although the other used it, each after what preceded it."""
        present = set(items)
        for side, other in ((self.ours, self.theirs), (self.theirs, self.ours)):
            before = ""
            for one in side.items:
                if one.startswith(_ENTRY) and one not in present and one not in other.raws:
                    key = one.removeprefix(_ENTRY)
                    if self._must_stay(key, side):
                        items.insert(
                            items.index(before) + 1 if before in items else len(items), one
                        )
                        present.add(one)
                before = one if one in present and one.strip() else before
        return items

    def _must_stay(self, key: str, side: _Side) -> bool:
        """Whether an entry that only this side has is there for a reason: it is new, or was used or edited here."""
        base = self.base.entries.get(key)
        return base is None or merge_entry.used(base, side.entries[key])

    def _verify(self, document: Document) -> None:
        """Raises :class:`IndexRefused` where an entry would be lost; no merge does that."""
        wanted = set()
        for side, other in ((self.ours, self.theirs), (self.theirs, self.ours)):
            for key, entry in side.entries.items():
                if key in other.entries or self._must_stay(key, side):
                    wanted.add(entry.id)
        if missing := wanted - document.ids:
            raise IndexRefused(reason=f"the merge would lose {', '.join(sorted(missing)[:5])}")

    def _once(self, items: Iterable[str]) -> list[str]:
        """Each entry and view where it stands first: both may have moved it."""
        seen: set[str] = set()
        found = []
        for one in items:
            if _is_prose(one) or one not in seen:
                found.append(one)
            seen.add(one)
        return found

    def _text(self, item: str) -> str:
        if _is_prose(item):
            return item
        mine, other = item in self.ours.raws, item in self.theirs.raws
        if item.startswith(_ENTRY):
            raw = self._entry(item.removeprefix(_ENTRY), mine, other)
        elif item == _HEADER and mine and other:
            raw = max(self.ours.raws[item], self.theirs.raws[item], key=_header_time)
        else:
            raw = (self.ours if mine else self.theirs).raws[item]
        return raw + self._blank(item, mine, other)

    def _blank(self, item: str, mine: bool, other: bool) -> str:
        was, here, there = (
            side.after.get(item, "") for side in (self.base, self.ours, self.theirs)
        )
        if not (mine and other):
            return here if mine else there
        return there if here == was else here

    def _entry(self, key: str, mine: bool, other: bool) -> str:
        base = self.base.entries.get(key)
        if mine and other:
            ours, theirs = self.ours.entries[key], self.theirs.entries[key]
            moved = base is None and not self.setting.master
            sides = Sides(base, ours, theirs, moved)
            raw, conflicts = merge_entry.merged(sides, self.clocks, self.labels)
            self.conflicts += conflicts
            return raw
        entry = (self.ours if mine else self.theirs).entries[key]
        if base is None or SPLIT in entry.values or not entry.closed or not entry.hx_span:
            return entry.raw
        return entry.with_value(SPLIT, str(base.hits)).raw


def _is_prose(item: str) -> bool:
    return not item.startswith((_ENTRY, _VIEW, _HEADER))


def _joined(pieces: Sequence[tuple[str, bool]]) -> str:
    """The pieces, each on lines of its own, with a blank line between two that are entries."""
    nl = newline_of("".join(text for text, _ in pieces))
    parts: list[str] = []
    for (text, is_entry), (following, too) in zip(pieces, (*pieces[1:], ("", False)), strict=True):
        if following and not line_ending(text):
            text += nl
        ends = text.replace("\r\n", "\n").replace("\r", "\n").endswith("\n\n")
        apart = is_entry and too and not ends and not following.startswith("-")
        parts.append(text + nl if apart else text)
    return "".join(parts)


def _set_off(items: Sequence[str]) -> list[str]:
    """The items, the last one with a line ending where it is a line."""
    if not items or line_ending(items[-1]) or items[-1].startswith((_ENTRY, _VIEW)):
        return list(items)
    return [*items[:-1], items[-1] + "\n"]


def _header_time(raw: str) -> tuple[float, str]:
    moment = clock_for(Document((Header(raw),)), _EPOCH, Decay()).reindexed
    return (moment.timestamp() if moment else 0.0), raw


def _as_of_one_time(documents: list[Document], rates: Decay) -> list[Document]:
    """The documents with strengths that are reckoned from the header's time as of the same time in all."""
    clocks = [clock_for(one, _EPOCH, rates) for one in documents]
    times = {clock.reindexed for clock in clocks[1:]}
    if len({clock.reindexed for clock in clocks}) == 1 or None in times:
        return documents
    latest = max(one for one in times if one)
    settled = []
    for document, clock in zip(documents, clocks, strict=True):
        if clock.reindexed in (None, latest):
            settled.append(document)
            continue
        moved = reindexed(Hierarchy(document), clock._replace(now=latest)).master
        header = document.header
        at = next(n for n, node in enumerate(moved.nodes) if isinstance(node, Header))
        settled.append(moved.with_node(at, header) if header else moved)
    return settled


def _distinct(sides: list[_Side]) -> list[_Side]:
    """The sides, an entry that both made under one id, of different things, under an id of its own."""
    base, ours, theirs = sides
    made = [key for key in ours.entries if key in theirs.entries and key not in base.entries]
    taken = {*ours.entries, *theirs.entries}
    for key in made:
        if key not in ours.entries or key not in theirs.entries:
            continue  # an id that was there twice, and no longer is
        mine, other = ours.entries[key], theirs.entries[key]
        if merge_entry.same_thing(mine, other) or not (mine.hx_span and other.hx_span):
            continue
        side, entry = (ours, mine) if mine.raw > other.raw else (theirs, other)
        if not entry.closed:
            continue
        name = free_id(entry.id, taken)
        taken.add(name)
        at = next(one.node for one in side.document.entries if one.key == key)
        named = side.document.with_node(at, entry.with_value("id", metadata.write_text(name)))
        if side is ours:
            ours = _Side(named)
        else:
            theirs = _Side(named)
    return [base, ours, theirs]


class _Style(NamedTuple):
    """The line endings and the byte order mark that the merged text has."""

    newline: str | None = None
    mark: bool = False

    def apply(self, text: str) -> str:
        mark = "\ufeff" if self.mark else ""
        return mark + (text.replace("\n", self.newline) if self.newline else text)


def _one_style(texts: tuple[str, str, str]) -> tuple[list[str], _Style]:
    """The texts without marks; with ``\\n`` where each has one kind of line ending, but not all the same."""
    marks = [text.startswith("\ufeff") for text in texts]
    mark = marks[2] if marks[1] == marks[0] and texts[0] else marks[1]
    bare = [text.removeprefix("\ufeff") for text in texts]
    kinds = [_newlines(text) for text in bare]
    if len({kind for kind in kinds if kind}) < 2 or None in kinds:
        return bare, _Style(mark=mark)
    newline = kinds[2] if kinds[1] == kinds[0] else kinds[1]
    assert newline is not None
    plain = [
        text.replace(kind, "\n") if kind else text for text, kind in zip(bare, kinds, strict=True)
    ]
    return plain, _Style(newline if newline != "\n" else None, mark)


def _newlines(text: str) -> str | None:
    """The only line ending of a text, empty where it has none; ``None`` where it has several kinds."""
    kind = newline_of(text) if line_ending(text) or "\n" in text or "\r" in text else ""
    left = text.replace(kind, "") if kind else text
    return None if "\n" in left or "\r" in left else kind
