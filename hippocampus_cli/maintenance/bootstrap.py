"""The first index, and what it lacks since: a plan from notes and the index, and the plan carried out (INDEX §5.3).

Pure. Every note is reached: what has no room in the master is in topic files (decision D25), so that a second plan
over the same notes is empty.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from hippocampus_cli.config.settings import Bands, Config
from hippocampus_cli.entries.draft import Drafter
from hippocampus_cli.entries.passages import Passage, whole
from hippocampus_cli.entries.priorities import priority_of
from hippocampus_cli.entries.relations import Related, relations
from hippocampus_cli.entries.sections import BY_TOPIC, SHELVES, place_in, shelf_of
from hippocampus_cli.entries.vocabulary import Vocabulary, learn
from hippocampus_cli.index import views
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import MASTER, Document, View
from hippocampus_cli.index.edit import Draft, SectionPath, block
from hippocampus_cli.index.hierarchy import Hierarchy, topic_file
from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.pointers import Pointer, can_be_named
from hippocampus_cli.index.views import Limits, refreshed
from hippocampus_cli.maintenance import candidates
from hippocampus_cli.maintenance.candidates import (
    MOST_TOGETHER,
    LeftOut,
    NoteFile,
    Place,
    Why,
    coverage,
    place_of,
)
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.workspace.kinds import NoteKind

_INTRODUCTION = """\
# HIPPOCAMPUS.md — Memory Index

Where this workspace's memories are: each entry leads to the file and the section that hold one. The lists
between `hippo:begin` and `hippo:end` are generated; everything else is yours to edit.
"""


def _empty_index(clock: DecayClock) -> Document:
    """An index without entries: its header, and the sections for them and for the generated lists."""
    titles = [views.SECTIONS[name] for name in views.SECTIONS]
    sections = "".join(f"\n## {title}\n" for title in (titles[0], BY_TOPIC, *titles[1:]))
    moment = clock.now.isoformat("T", "seconds")
    header = f"<!-- hippocampus.md v1.0 | entries: 0 | reindexed: {moment} -->\n"
    return parse(header + _INTRODUCTION + sections)


_LEAST_TOKENS = 1000
"""What the first index may hold however few notes there are."""
_FULL_SHARE = (2, 3)  # of the index's most tokens, filled when it is made (decision D25)
_VIEWS_SHARE = 10  # one part in ten of the budget is kept for the views
_VIEWS_FRAME = 120  # tokens of their markers, headings and Meta, which they take in any case
_VIEWS_OF_AN_ENTRY = 12
_RELATION_CHARACTERS = 34
_RELATION_TOKENS = 12
_SHELF_TOKENS = 5
_SHELVES_USED = 6  # of the sections, about
_LONGEST_POINTER = 230
_ALONE = 300
"""So many passages beyond the master have an entry each in a topic file; the notes after them share some."""
_PINNED_SHARE = 10  # one entry in ten has the priority that never fades


@dataclass(frozen=True, slots=True)
class Addition:
    """An entry to be written: its draft, the section (``shelf``) and the file of the index, and where its passage
    stands. ``why`` is the reason for its priority."""

    shelf: str
    draft: Draft
    kind: NoteKind
    path: str
    line: int
    file: str = MASTER
    why: str = ""


@dataclass(frozen=True, slots=True)
class BootstrapPlan:
    """What bootstrap would do."""

    additions: tuple[Addition, ...]
    left_out: tuple[LeftOut, ...]
    notes: int

    @property
    def left_out_by_kind(self) -> dict[Why, dict[NoteKind, int]]:
        """How many passages got no entry, by the reason and by the kind of their note."""
        counts: dict[Why, Counter[NoteKind]] = {}
        for one in self.left_out:
            counts.setdefault(one.why, Counter())[one.kind] += 1
        return {why: dict(sorted(found.items())) for why, found in sorted(counts.items())}


def plan_bootstrap(
    index: Hierarchy | None,
    files: Iterable[NoteFile],
    config: Config,
    clock: DecayClock,
    room: int | None = None,
) -> BootstrapPlan:
    """Entries for every section of ``files`` that deserves one and has none, so that every note is reached (D25).

    What has no room in the master goes to topic files. ``room`` are the tokens that the master has for new entries;
    by default what the notes and the settings give it.
    """
    parts = candidates.cut_all(files)
    everything = [passage for part in parts for passage in part.fine]
    covered = coverage(index, [part.note for part in parts])
    known = [passage for passage in everything if covered.entry_of(passage)]
    today = clock.now.date()
    new = candidates.uncovered(parts, covered, today, config.bootstrap.recent_days)
    said = known + [part.file for part in parts if covered.touches(part.note.path)]
    sifted = candidates.sift(new, said)
    if room is None:
        room = _room(index.master if index else None, config, clock, len(parts))
    chooser = _Chooser(index, config, clock, learn(everything), room)
    order = candidates.ranked(sifted.new, today)
    chooser.choose(order, sifted.also)
    left_out = sorted((*sifted.out, *chooser.left_out), key=lambda one: (one.path, one.line))
    additions = chooser.additions({covered.entry_of(one) or "": one for one in known})
    ordered = sorted(additions, key=_reading_order)
    return BootstrapPlan(tuple(ordered), tuple(left_out), len(parts))


def apply(
    index: Hierarchy | None, plan: BootstrapPlan, config: Config, clock: DecayClock
) -> Hierarchy:
    """The index with the plan carried out; the same document where there is nothing to add.

    A missing or blank index is built whole. In an existing one every other byte stays, save for the
    header's figures and, in an index with generated views, those.
    """
    names: Iterable[str] | None = None
    if index is None or is_blank(index.master):
        others = (index.topics, index.archive) if index else ({}, {})
        index, names = Hierarchy(_empty_index(clock), *others), views.SECTIONS
    elif not plan.additions:
        return index
    index = with_additions(index, plan.additions).counted()
    own = names or (index.header and index.master.views)
    return with_lists(index, config, clock, names) if own else index


def with_lists(
    index: Hierarchy, config: Config, clock: DecayClock, names: Iterable[str] | None = None
) -> Hierarchy:
    """The index with these generated lists up to date; by default those that it has."""
    limits, beyond = view_limits(config), index.beyond
    return index.with_file(MASTER, refreshed(index.master, clock, limits, names, beyond=beyond))


def with_additions(index: Hierarchy, additions: Iterable[Addition]) -> Hierarchy:
    """The index with these entries, each in its file and on its shelf."""
    blocks: dict[tuple[str, SectionPath], list[str]] = defaultdict(list)
    for addition in sorted(additions, key=_reading_order):
        place = (
            place_in(index.master, addition.shelf)
            if addition.file == MASTER
            else (BY_TOPIC, addition.shelf)
        )
        blocks[addition.file, place].append(block(addition.draft, 4))
    for (file, place), there in blocks.items():
        index = index.add(place, there, file)
    return index


def is_blank(document: Document | None) -> bool:
    """Whether there is no index to speak of: no file, or one of white space."""
    return document is None or not document.text.strip("\ufeff \t\r\n")


def view_limits(config: Config) -> Limits:
    """The views' share of the index's budget."""
    bands = config.bands
    return Limits(
        quick_access=config.index.quick_access,
        tokens=_views_tokens(config) - _VIEWS_FRAME,
        bands=Bands(bands.strong, bands.moderate, bands.weak, bands.silent, bands.prune),
    )


class _Chooser:
    """Fills the master with the best passages, and topic files with the others."""

    def __init__(
        self,
        index: Hierarchy | None,
        config: Config,
        clock: DecayClock,
        vocabulary: Vocabulary,
        room: int,
    ) -> None:
        self.config = config
        self.vocabulary = vocabulary
        self.drafter = Drafter(clock, vocabulary, config.bootstrap.tags, config.index.entry_tokens)
        self.chosen: list[tuple[Passage, Addition]] = []
        self.left_out: list[LeftOut] = []
        entries = index.entries if index else ()
        self.ids = set(index.taken if index else ())
        self.topics = {located.entry.topic.casefold() for located in entries}
        self.pinned = sum(located.entry.pri is Priority.AMYGDALA for located in entries)
        self.room = room

    def choose(self, order: Sequence[Passage], also: Mapping[Place, Sequence[Passage]]) -> None:
        """Take the passages, best first: into the master until it is full, then into topic files, the last ones
        together."""
        beyond = 0
        for at, passage in enumerate(order):
            if beyond >= _ALONE:
                self._take_together(order[at:])
                return
            draft, why = self._draft(passage, also.get(place_of(passage), ()), len(order))
            pointer = draft.pointers[0]
            if len(str(pointer)) > _LONGEST_POINTER or not can_be_named(pointer):
                self.left_out.append(candidates.left_out(passage, Why.UNNAMEABLE))
                continue
            cost = tokens(block(draft, 4)) + 1 + _RELATION_TOKENS
            if cost <= self.room:
                self.room -= cost
                self._add(passage, draft, MASTER, why)
            else:
                beyond += 1
                self._add(passage, draft, topic_file((shelf_of(passage),)), why)

    def additions(self, known: Mapping[str, Passage]) -> list[Addition]:
        """What was chosen, with relations, also to entries that are ``known`` by the passage they lead to."""
        passages = [*(passage for passage, _ in self.chosen), *known.values()]
        ids = [*(one.draft.id for _, one in self.chosen), *known]
        limits = Related(self.config.bootstrap.relations, _RELATION_CHARACTERS)
        found = relations(passages, ids, self.vocabulary, limits)
        return [
            replace(one, draft=self.drafter.related(one.draft, rel))
            for (_, one), rel in zip(self.chosen, found, strict=False)
        ]

    def _draft(self, passage: Passage, also: Sequence[Passage], count: int) -> tuple[Draft, str]:
        """The entry of a passage and the reason for its priority."""
        pri, why = priority_of(passage)
        if pri is Priority.AMYGDALA and self.pinned >= count // _PINNED_SHARE:
            pri, why = Priority.HIGH, "it is a core file"
        draft = self.drafter.draft(passage, ids=self.ids, topics=self.topics, pri=pri, also=also)
        return draft, why

    def _add(self, passage: Passage, draft: Draft, file: str, why: str = "") -> None:
        shelf, (path, line) = shelf_of(passage), place_of(passage)
        addition = Addition(shelf, draft, passage.kind, path, line, file, why)
        self.chosen.append((passage, addition))
        self.pinned += draft.pri is Priority.AMYGDALA
        self.ids.add(draft.id)
        self.topics.add(draft.topic.casefold())

    def _take_together(self, passages: Sequence[Passage]) -> None:
        """One entry in a topic file for the notes of a folder, or of a month, that these are in."""
        groups: dict[tuple[str, str, str], dict[str, Passage]] = defaultdict(dict)
        for one in passages:
            path = one.note.path
            if can_be_named(Pointer(path)) and len(path) < _LONGEST_POINTER:
                month = f"{one.day:%Y-%m}" if one.kind is NoteKind.DAILY else ""
                file = whole(one.note, one.kind, one.day)
                groups[shelf_of(file), path.rpartition("/")[0], month].setdefault(path, file)
        for (shelf, _, _), there in sorted(groups.items()):
            notes = [there[path] for path in sorted(there)]
            for at in range(0, len(notes), MOST_TOGETHER):
                some = notes[at : at + MOST_TOGETHER]
                draft = self.drafter.of_many(some, ids=self.ids)
                if len(some) == 1:
                    draft = self.drafter.draft(some[0], ids=self.ids, topics=self.topics)
                self._add(some[0], draft, topic_file((shelf,)))


def _room(document: Document | None, config: Config, clock: DecayClock, notes: int) -> int:
    """Tokens for new entries in the master: its budget, less what is there already and what its lists will take.

    A first index is two thirds full at most, and grows with the notes; later ones may use all of the budget that
    leaves the weekly cycle nothing to move out. The headings of all sections count from the start.
    """
    most = min(config.index.max_tokens, config.index.sharded_tokens)
    if document is None or is_blank(document):
        part, whole = _FULL_SHARE
        most = min(most, config.index.max_tokens * part // whole)
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
