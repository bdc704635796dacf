"""The first index, and what it lacks since: a plan from notes and the index, and the plan carried out (INDEX §5.3).

Pure. Every note is reached: what has no room in the master is in topic files (decision D25), so that a second plan
over the same notes is empty.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hippocampus_cli.config.settings import Bands, Config
from hippocampus_cli.entries.draft import Drafter
from hippocampus_cli.entries.passages import Passage, whole
from hippocampus_cli.entries.priorities import priority_of
from hippocampus_cli.entries.relations import Related, relations
from hippocampus_cli.entries.sections import BY_TOPIC, SHELVES, place_in, shelf_of
from hippocampus_cli.entries.summary import is_routine
from hippocampus_cli.entries.vocabulary import Vocabulary, learn
from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index import views
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import MASTER, Document, View
from hippocampus_cli.index.edit import Draft, block
from hippocampus_cli.index.hierarchy import Hierarchy, topic_file
from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.pointers import Pointer, can_be_named
from hippocampus_cli.index.views import Limits, refreshed
from hippocampus_cli.maintenance import candidates
from hippocampus_cli.maintenance.candidates import (
    MOST_TOGETHER,
    Coverage,
    LeftOut,
    NoteFile,
    Place,
    Why,
    coverage,
    place_of,
)
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.workspace.kinds import NoteKind, is_core

_INTRODUCTION = """\
# HIPPOCAMPUS.md — Memory Index

Where this workspace's memories are: each entry leads to the file and the section that hold one. The lists
between `hippo:begin` and `hippo:end` are generated; everything else is yours to edit.
"""


def first_index(
    shelves: Mapping[str, Sequence[str]], clock: DecayClock, limits: Limits
) -> Document:
    """The index of these entry blocks, by section, with its header and its views.

    Raises :class:`IndexRefused` where an entry's text would not read back as one entry.
    """
    count = sum(map(len, shelves.values()))
    moment = clock.now.isoformat("T", "seconds")
    header = f"<!-- hippocampus.md v1.0 | entries: {count} | reindexed: {moment} -->\n"
    bare = parse(header + "\n".join(_parts(shelves, {})))
    if len(bare.entries) != count:
        raise IndexRefused(reason="an entry would not be read back as it was meant")
    generated = {name: views.view_lines(name, bare, clock, limits) for name in views.SECTIONS}
    return parse(header + "\n".join(_parts(shelves, generated)))


def _parts(shelves: Mapping[str, Sequence[str]], generated: Mapping[str, list[str]]) -> list[str]:
    def section(name: str) -> str:
        lines = generated.get(name, [])
        body = "\n".join([f"<!-- hippo:begin {name} -->", *lines, f"<!-- hippo:end {name} -->"])
        return f"## {views.SECTIONS[name]}\n{body}\n"

    parts = [_INTRODUCTION, section(views.QUICK_ACCESS), f"## {BY_TOPIC}\n"]
    for shelf, blocks in shelves.items():
        parts.append(f"### {shelf}\n")
        parts.extend(f"{block}\n" for block in blocks)
    after = (views.BY_TIME, views.ASSOCIATIONS, views.DECAY_QUEUE, views.META)
    return parts + [section(name) for name in after]


_LEAST_TOKENS = 1000
"""What the first index may hold however few notes there are."""
_FULL_SHARE = (
    3,
    2,
)  # of the index's most tokens two thirds are filled when it is drawn (decision D25)
_VIEWS_SHARE = 10  # one part in ten of the budget is kept for the views
_VIEWS_FRAME = 120  # tokens of their markers, headings and Meta, which they take in any case
_VIEWS_OF_AN_ENTRY = 12
_RELATION_CHARACTERS = 34
_RELATION_TOKENS = 12
_SHELF_TOKENS = 5
_SHELVES_USED = 6  # of the sections, about
_LONGEST_POINTER = 230
_OF_A_NOTE = 2
"""Notes are indexed by section while there are no more entries than so many a note, or than the master holds."""
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
    """What bootstrap would do. ``covered``: passages that the index led to already."""

    additions: tuple[Addition, ...]
    left_out: tuple[LeftOut, ...]
    covered: int
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
    everything = [passage for one in parts for passage in one.fine]
    covered = coverage(index, [one.note for one in parts])
    known = [passage for passage in everything if covered.entry_of(passage)]
    today = clock.now.date()
    cuts = candidates.uncovered(parts, covered, today, config.bootstrap.recent_days)
    said = known + [one.file for one in parts if covered.touches(one.note.path)]
    sifted = candidates.sift(cuts, said)
    if room is None:
        room = _room(index.master if index else None, config, clock, len(parts))
    chooser = _Chooser(index, config, clock, learn(everything), covered, known, room)
    linked = candidates.links(one.file for one in parts)
    wanted = candidates.detailed(sifted.cuts, max(chooser.room_for(), _OF_A_NOTE * len(parts)))
    alone: list[Passage] = []
    routine: list[Passage] = []
    for one in wanted:
        (routine if _is_routine(one, chooser.vocabulary) else alone).append(one)
    named = {one.note.path for one in (*alone, *known)}
    routine += [more for one in routine for more in sifted.also.get(place_of(one), ())]
    shared = [one for one in routine if one.note.path not in named]
    chooser.choose(candidates.ranked(alone, today, linked), sifted.also, shared)
    out = [candidates.left_out(one, Why.ROUTINE) for one in routine if one.note.path in named]
    return BootstrapPlan(
        additions=tuple(sorted(chooser.additions(), key=_reading_order)),
        left_out=tuple(
            sorted((*sifted.out, *out, *chooser.left_out), key=lambda one: (one.path, one.line))
        ),
        covered=len(known),
        notes=len(parts),
    )


def apply(
    index: Hierarchy | None, plan: BootstrapPlan, config: Config, clock: DecayClock
) -> Hierarchy:
    """The index with the plan carried out; the same document where there is nothing to add.

    A missing or blank index is built whole. In an existing one every other byte stays, save for the
    header's figures and, in an index with generated views, those.
    """
    limits = view_limits(config)
    if index is None or is_blank(index.master):
        others = (index.topics, index.archive) if index else ({}, {})
        master = [one for one in plan.additions if one.file == MASTER]
        whole = Hierarchy(first_index(_blocks(master), clock, limits), *others)
        beyond = [one for one in plan.additions if one.file != MASTER]
        return _listed(with_additions(whole, beyond), clock, limits) if beyond else whole
    if not plan.additions:
        return index
    index = with_additions(index, plan.additions).counted()
    own = bool(index.header and index.master.views)
    return _listed(index, clock, limits) if own else index


def _listed(index: Hierarchy, clock: DecayClock, limits: Limits) -> Hierarchy:
    """The index with its lists, which count what is in topic files."""
    beyond = len(index.entries) - len(index.master.entries)
    drawn = refreshed(index.master, clock, limits, beyond=beyond)
    return index.with_file(MASTER, drawn).counted()


def with_additions(index: Hierarchy, additions: Iterable[Addition]) -> Hierarchy:
    """The index with these entries, each in its file and on its shelf."""
    files: dict[str, list[Addition]] = {}
    for one in additions:
        files.setdefault(one.file, []).append(one)
    for file, found in files.items():
        for shelf, blocks in _blocks(found).items():
            place = place_in(index.master, shelf) if file == MASTER else (BY_TOPIC, shelf)
            index = index.add(place, blocks, file)
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
        covered: Coverage,
        known: Sequence[Passage],
        room: int,
    ) -> None:
        self.config = config
        self.vocabulary = vocabulary
        self.known = list(known)
        self.known_ids = [covered.entry_of(passage) or "" for passage in known]
        self.drafter = Drafter(clock, vocabulary, config.bootstrap.tags, config.index.entry_tokens)
        self.related = Related(config.bootstrap.relations, _RELATION_CHARACTERS)
        self.chosen: list[Passage] = []
        self.drafts: list[Draft] = []
        self.files: list[str] = []
        self.reasons: list[str] = []
        self.left_out: list[LeftOut] = []
        entries = index.entries if index else ()
        self.ids = set(index.taken if index else ())
        self.topics = {located.entry.topic.casefold() for located in entries}
        self.pinned = sum(one.entry.pri is Priority.AMYGDALA for one in entries)
        self.room = room

    def room_for(self) -> int:
        """About how many entries of the aimed size fit."""
        return max(0, self.room // (self.config.index.entry_tokens + _RELATION_TOKENS))

    def choose(
        self,
        passages: Sequence[Passage],
        also: Mapping[Place, Sequence[Passage]],
        routine: Sequence[Passage] = (),
    ) -> None:
        """Take the passages, best first: into the master until it is full, then into topic files.

        What is ``routine`` shares entries.
        """
        beyond = 0
        most = len(passages) // _PINNED_SHARE
        for at, passage in enumerate(passages):
            if beyond >= _ALONE:
                self._take_together([*passages[at:], *routine])
                return
            draft, why = self._draft(passage, also.get(place_of(passage), ()), most)
            if draft is None:
                continue
            cost = tokens(block(draft, 4)) + 1 + _RELATION_TOKENS
            file = MASTER if cost <= self.room else topic_file((shelf_of(passage),))
            self._add(passage, draft, file, why)
            if file == MASTER:
                self.room -= cost
            else:
                beyond += 1
        self._take_together(routine)

    def additions(self) -> list[Addition]:
        """What was chosen, with relations."""
        rows = zip(self.chosen, self._with_relations(), self.files, self.reasons, strict=True)
        return [
            Addition(
                shelf_of(passage), draft, passage.kind, passage.note.path, passage.line, file, why
            )
            for passage, draft, file, why in rows
        ]

    def _draft(
        self, passage: Passage, also: Sequence[Passage], pinned: int
    ) -> tuple[Draft | None, str]:
        """The entry of a passage and the reason for its priority; none for what cannot be pointed at."""
        pri, why = priority_of(passage)
        if pri is Priority.AMYGDALA:
            if self.pinned >= pinned:
                pri, why = Priority.HIGH, "it is a core file"
            else:
                self.pinned += 1
        draft = self.drafter.draft(passage, ids=self.ids, topics=self.topics, pri=pri, also=also)
        if len(str(draft.pointers[0])) > _LONGEST_POINTER:
            self.left_out.append(candidates.left_out(passage, Why.LONG))
            return None, ""
        if not can_be_named(draft.pointers[0]):
            self.left_out.append(candidates.left_out(passage, Why.UNNAMEABLE))
            return None, ""
        return draft, why

    def _add(self, passage: Passage, draft: Draft, file: str, why: str) -> None:
        self.chosen.append(passage)
        self.drafts.append(draft)
        self.files.append(file)
        self.reasons.append(why)
        self.ids.add(draft.id)
        self.topics.add(draft.topic.casefold())

    def _take_together(self, passages: Sequence[Passage]) -> None:
        """One entry in a topic file for the notes of a folder, or of a month, that no other leads to."""
        reached = {p.path for draft in self.drafts for p in draft.pointers}
        groups: dict[tuple[str, str, str], dict[str, Passage]] = defaultdict(dict)
        for one in passages:
            path = one.note.path
            if path not in reached and can_be_named(Pointer(path)) and len(path) < _LONGEST_POINTER:
                month = f"{one.day:%Y-%m}" if one.kind is NoteKind.DAILY else ""
                file = whole(one.note, one.kind, one.day)
                groups[shelf_of(file), path.rpartition("/")[0], month].setdefault(path, file)
        for (shelf, _, _), found in sorted(groups.items()):
            notes = [found[path] for path in sorted(found)]
            for at in range(0, len(notes), MOST_TOGETHER):
                some = notes[at : at + MOST_TOGETHER]
                if len(some) == 1:
                    draft = self.drafter.draft(some[0], ids=self.ids, topics=self.topics)
                else:
                    draft = self.drafter.of_many(some, ids=self.ids)
                self._add(some[0], draft, topic_file((shelf,)), "")

    def _with_relations(self) -> list[Draft]:
        passages = [*self.chosen, *self.known]
        ids = [*(draft.id for draft in self.drafts), *self.known_ids]
        found = relations(passages, ids, self.vocabulary, self.related)
        return [
            self.drafter.related(draft, rel) for draft, rel in zip(self.drafts, found, strict=False)
        ]


def _is_routine(passage: Passage, vocabulary: Vocabulary) -> bool:
    return not is_core(passage.note.path) and is_routine(passage, vocabulary)


def _room(document: Document | None, config: Config, clock: DecayClock, notes: int) -> int:
    """Tokens for new entries in the master: its budget, less what is there already and what its lists will take.

    A first index is two thirds full at most, and grows with the notes; later ones may use all of the budget that
    leaves the weekly cycle nothing to move out. The headings of all sections count from the start.
    """
    most = min(config.index.max_tokens, config.index.sharded_tokens)
    if document is None or is_blank(document):
        part, whole = _FULL_SHARE[1], _FULL_SHARE[0]
        most = min(most, config.index.max_tokens * part // whole)
        most = min(most, max(_LEAST_TOKENS, config.index.note_tokens * notes))
        document = first_index({}, clock, view_limits(config))
    text = "".join(node.raw for node in document.nodes if not isinstance(node, View))
    lists = max(2 * _VIEWS_FRAME, most * _VIEWS_OF_AN_ENTRY // config.index.entry_tokens)
    lists = min(_views_tokens(config), lists)
    return most - lists - tokens(text) - _SHELF_TOKENS * _SHELVES_USED


def _views_tokens(config: Config) -> int:
    return max(_VIEWS_FRAME, config.index.max_tokens // _VIEWS_SHARE)


def _blocks(additions: Iterable[Addition]) -> dict[str, list[str]]:
    """The blocks of the new entries by their section, sections in their order."""
    found: dict[str, list[str]] = {shelf: [] for shelf in SHELVES}
    for addition in additions:
        found[addition.shelf].append(block(addition.draft, 4))
    return {shelf: blocks for shelf, blocks in found.items() if blocks}


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
