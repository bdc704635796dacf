"""The first index, and what it lacks since: a plan from notes and the index, and the plan carried out (INDEX §5.3).

Pure. Every note is reached: what has no room in the master is in topic files (decision D25), so that a second plan
over the same notes is empty.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from hippocampus_cli.config.settings import Config
from hippocampus_cli.entries.draft import draft, draft_group
from hippocampus_cli.entries.passages import Passage, priority_of
from hippocampus_cli.entries.relations import relations
from hippocampus_cli.entries.sections import BY_TOPIC, SHELVES, place_in, shelf_of
from hippocampus_cli.entries.worth import SERIES, form_of, worth_of
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index import views
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import MASTER, Document, View
from hippocampus_cli.index.edit import Draft, SectionPath, block
from hippocampus_cli.index.hierarchy import Hierarchy, topic_file
from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.views import Limits, refreshed
from hippocampus_cli.maintenance.candidates import (
    LeftOut,
    Place,
    coverage,
    passages_of,
    place_of,
    sift,
)
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.workspace.kinds import NoteKind, is_core

_INTRODUCTION = """\
# HIPPOCAMPUS.md — Memory Index

Where this workspace's memories are: each entry leads to the file and the section that hold one. The lists
between `hippo:begin` and `hippo:end` are generated; everything else is yours to edit.
"""


def _empty_index(clock: DecayClock) -> Document:
    """An index without entries: its header, and the sections for them and for the generated lists."""
    sections = [
        f"\n## {title}\n<!-- hippo:begin {name} -->\n<!-- hippo:end {name} -->\n"
        for name, title in views.SECTIONS.items()
    ]
    sections.insert(1, f"\n## {BY_TOPIC}\n")
    moment = clock.now.isoformat("T", "seconds")
    header = f"<!-- hippocampus.md v1.0 | entries: 0 | reindexed: {moment} -->\n"
    return parse("".join((header, _INTRODUCTION, *sections)))


_LEAST_TOKENS = 900
"""What the first index may hold however few notes there are."""
_FULL = 1.5  # times what is filled of the index when it is made is its most tokens (decision D25)
_VIEWS_SHARE = 10  # one part in ten of the budget is kept for the views
_VIEWS_FRAME = 120  # tokens of their markers, headings and Meta, which they take in any case
_VIEWS_OF_AN_ENTRY = 12
_RELATION_TOKENS = 8
_SHELF_TOKENS = 5
_SHELVES_USED = 6  # of the sections, about
_ALONE, _SECTIONS = 1000, 300
"""So many notes may have an entry of their own, and so many sections; further notes share some."""
_GROUP = 100  # notes that one entry leads to at most
_TELLING = 0.5  # of a section's worth for how telling its sentences are
_PINNED_SHARE = 10  # one entry in ten has the priority that never fades


class Addition(Frozen):
    """An entry to be written: its draft, the section (``shelf``) and the file of the index, and where its passage
    stands. ``why`` is the reason for its priority."""

    shelf: str
    draft: Draft
    kind: NoteKind
    path: str
    line: int
    file: str
    why: str


class BootstrapPlan(Frozen):
    """What bootstrap would do."""

    additions: tuple[Addition, ...]
    left_out: tuple[LeftOut, ...]
    notes: int


def plan_bootstrap(index: Hierarchy, snapshot: Snapshot, room: int | None = None) -> BootstrapPlan:
    """Entries for what deserves one in the fresh notes and has none, so that every note is reached (D25).

    What has no room in the master goes to topic files. ``room`` are the tokens that the master has for new entries;
    by default what the notes and the settings give it.
    """
    clock = snapshot.clock(index)
    covered = coverage(index, (file.note for file in snapshot.fresh))
    everything = list(passages_of(snapshot.fresh, snapshot.frequencies, covered))
    paths = {passage.note.path for passage in everything}
    sifted = sift(everything, covered)
    if room is None:
        room = _room(index.master, snapshot.config, clock, len(paths))
    chooser = _Chooser(index, clock, room, paths)
    chooser.choose(sifted.new, sifted.also)
    known = {entry: passage for passage in everything if (entry := covered.entry_of(passage))}
    ordered = sorted(chooser.additions(known), key=_reading_order)
    return BootstrapPlan(tuple(ordered), tuple(sifted.out), len(paths))


def apply(index: Hierarchy, plan: BootstrapPlan, config: Config, clock: DecayClock) -> Hierarchy:
    """The index with the plan carried out; the same document where there is nothing to add.

    A missing or blank index is built whole. In an existing one every other byte stays, save for the
    header's figures and, in an index with generated views, those.
    """
    if is_blank(index.master):
        index = index.with_file(MASTER, _empty_index(clock))
    elif not plan.additions:
        return index
    index = with_additions(index, plan.additions).counted()
    return with_lists(index, config, clock) if index.header else index


def with_lists(
    index: Hierarchy, config: Config, clock: DecayClock, names: Iterable[str] | None = None
) -> Hierarchy:
    """The index with these generated lists up to date; by default those that it has."""
    limits = view_limits(config)
    master = refreshed(index.master, clock, limits, names, beyond=index.beyond)
    return index.with_file(MASTER, master)


def with_additions(index: Hierarchy, additions: Iterable[Addition]) -> Hierarchy:
    """The index with these entries in this order, each in its file and on its shelf."""
    blocks: dict[tuple[str, SectionPath], list[str]] = defaultdict(list)
    for addition in additions:
        place = (
            place_in(index.master, addition.shelf)
            if addition.file == MASTER
            else (BY_TOPIC, addition.shelf)
        )
        blocks[addition.file, place].append(block(addition.draft))
    for (file, place), there in blocks.items():
        index = index.add(place, there, file)
    return index


def is_blank(document: Document) -> bool:
    """Whether there is no index to speak of: no file, or one of white space."""
    return not document.text.strip("\ufeff \t\r\n")


def view_limits(config: Config) -> Limits:
    """The views' share of the index's budget."""
    return Limits(
        quick_access=config.index.quick_access,
        tokens=_views_tokens(config) - _VIEWS_FRAME,
        bands=config.bands,
    )


class _Chooser:
    """Fills the master with the notes of most worth, and topic files with the others and with sections."""

    def __init__(
        self, index: Hierarchy, clock: DecayClock, room: int, paths: Iterable[str]
    ) -> None:
        self.clock = clock
        self.chosen: list[tuple[Passage, Addition]] = []
        pointers = [located.entry.pointers for located in index.entries]
        notes = {*paths, *(pointer.path for each in pointers for pointer in each)}
        self.series = Counter(map(form_of, notes))
        self.ids = set(index.taken)
        self.topics = {located.entry.topic.casefold() for located in index.entries}
        self.pinned = sum(located.entry.pri is Priority.AMYGDALA for located in index.entries)
        of_sections = sum(any(pointer.section for pointer in each) for each in pointers)
        self.free = max(0, _ALONE - len(index.entries) + of_sections)
        self.free_sections = max(0, _SECTIONS - of_sections)
        self.room = room

    def choose(self, passages: Sequence[Passage], also: defaultdict[Place, list[Passage]]) -> None:
        """Take the passages: notes by their worth into the master until it is full and then into topic files, what
        programs made together, and sections as long as there may be more entries."""
        made: list[Passage] = []
        kept: list[Passage] = []
        sections: list[Passage] = []
        for passage in sorted(passages, key=self._rank):
            many = (
                passage.kind is NoteKind.STATE or self.series[form_of(passage.note.path)] >= SERIES
            )
            (sections if passage.section else made if many else kept).append(passage)
        for passage in (*kept[: self.free], *sections[: self.free_sections]):
            self._take(passage, also[place_of(passage)], len(kept))
        together = (*made, *kept[self.free :])
        self._take_together(
            [*together, *(copy for each in together for copy in also[place_of(each)])]
        )

    def _rank(self, passage: Passage) -> tuple[float, str, int]:
        path = passage.note.path
        worth = worth_of(path, passage.day, self.clock.now.date(), self.series)
        if passage.section:
            worth += _TELLING * passage.interest
        return -round(worth, 6), path, passage.line

    def additions(self, known: Mapping[str, Passage]) -> list[Addition]:
        """What was chosen, with relations, also to entries that are ``known`` by the passage they lead to."""
        passages = [*(passage for passage, _ in self.chosen), *known.values()]
        ids = [*(addition.draft.id for _, addition in self.chosen), *known]
        found = relations(passages, ids)
        return [
            addition.replaced(draft=addition.draft.replaced(rel=rel))
            for (_, addition), rel in zip(self.chosen, found, strict=False)
        ]

    def _take(self, passage: Passage, also: Sequence[Passage], count: int) -> None:
        pri, why = priority_of(passage)
        if pri is Priority.AMYGDALA and self.pinned >= count // _PINNED_SHARE:
            pri, why = Priority.HIGH, "it is a core file"
        drafted = draft(passage, self.clock, ids=self.ids, topics=self.topics, also=also)
        drafted = drafted.replaced(pri=pri)
        cost = tokens(block(drafted)) + 1 + _RELATION_TOKENS
        part_of_core = passage.section is not None and is_core(passage.note.path)
        fits = cost <= self.room and not part_of_core
        self.room -= cost * fits
        self._add(passage, drafted, why, MASTER if fits else "")

    def _add(self, passage: Passage, draft: Draft, why: str = "", file: str = "") -> None:
        path, line = place_of(passage)
        shelf = shelf_of(path)
        file = file or topic_file((shelf,))
        addition = Addition(shelf, draft, passage.kind, path, line, file, why)
        self.chosen.append((passage, addition))
        self.pinned += draft.pri is Priority.AMYGDALA
        self.ids.add(draft.id)
        self.topics.add(draft.topic.casefold())

    def _take_together(self, passages: Sequence[Passage]) -> None:
        """One entry in a topic file for the notes of a folder, or of a month, that these are in; data files of an
        outermost folder share one."""
        groups: dict[tuple[str, str, str], list[Passage]] = defaultdict(list)
        for passage in passages:
            path = passage.note.path
            month = f"{passage.day:%Y-%m}" if passage.kind is NoteKind.DAILY else ""
            data = passage.kind is NoteKind.STATE  # of which each folder has some, all alike
            folder = path.rpartition("/")[0].partition("/" if data else "\n")[0]
            groups[shelf_of(path), folder, month].append(passage)
        for _, notes in sorted(groups.items()):
            notes.sort(key=place_of)
            for start in range(0, len(notes), _GROUP):
                some = notes[start : start + _GROUP]
                drafted = draft_group(some, self.clock, self.ids)
                if len(some) == 1:
                    drafted = draft(some[0], self.clock, ids=self.ids, topics=self.topics)
                self._add(some[0], drafted)


def _room(document: Document, config: Config, clock: DecayClock, notes: int) -> int:
    """Tokens for new entries in the master: its budget, less what is there already and what its lists will take.

    A first index is two thirds full at most, and grows with the notes; later ones may use all of the budget that
    leaves the weekly cycle nothing to move out. The headings of all sections count from the start.
    """
    most = min(config.index.max_tokens, config.index.sharded_tokens)
    if is_blank(document):
        most = min(most, int(config.index.max_tokens / _FULL))
        most = min(most, max(_LEAST_TOKENS, config.index.note_tokens * notes))
        document = _empty_index(clock)
    text = "".join(node.raw for node in document.nodes if not isinstance(node, View))
    lists = max(2 * _VIEWS_FRAME, most * _VIEWS_OF_AN_ENTRY // config.index.entry_tokens)
    lists = min(_views_tokens(config), lists)
    return most - lists - tokens(text) - _SHELF_TOKENS * _SHELVES_USED


def _views_tokens(config: Config) -> int:
    return max(_VIEWS_FRAME, config.index.max_tokens // _VIEWS_SHARE)


def _reading_order(addition: Addition) -> tuple[int, int, bool, str, int]:
    """By section, dailies from the newest, MEMORY.md before other files, then as in the files."""
    daily = addition.kind is NoteKind.DAILY
    newest = -addition.draft.created.toordinal() if daily else 0
    return (
        SHELVES.index(addition.shelf),
        newest,
        addition.path.lower() != "memory.md",
        addition.path,
        addition.line,
    )
