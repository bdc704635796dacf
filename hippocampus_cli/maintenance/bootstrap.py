"""The first index, and what it lacks since: a plan from notes and the index, and the plan carried out (INDEX §5.3).

Pure. A second plan over the same notes is empty: what is covered stays as it is, and where the budget is
used up, less than ``ENTRY_ROOM`` is left of it, in which no further entry is tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hippocampus_cli.config.settings import Bands, Config
from hippocampus_cli.entries.draft import Drafter
from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.entries.relations import Related, relations
from hippocampus_cli.entries.sections import BY_TOPIC, SHELVES, place_in, shelf_of
from hippocampus_cli.entries.tags import Vocabulary, learn
from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index import views
from hippocampus_cli.index.clock import reindexed
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import MASTER, Document, View
from hippocampus_cli.index.edit import Draft, block
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.pointers import can_be_named
from hippocampus_cli.index.views import Limits, refreshed
from hippocampus_cli.maintenance import candidates
from hippocampus_cli.maintenance.candidates import Coverage, LeftOut, NoteFile, Why, coverage
from hippocampus_cli.workspace.kinds import NoteKind

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


ENTRY_ROOM = 150
"""Tokens that must be left for a further entry; none is larger."""
_VIEWS_SHARE = 10  # one part in ten of the budget is kept for the views
_VIEWS_FRAME = 120  # tokens of their markers, headings and Meta, which they take in any case
_CHARACTERS = 4
_RELATION_CHARACTERS = 34
_LONGEST_POINTER = 230
_SLACK = 64  # an index that was full stays full, whatever its header's figures take
_OVERHEAD = 2  # the blank line that sets an entry off, and its line ending


@dataclass(frozen=True, slots=True)
class Addition:
    """An entry to be written: its draft, the section of the index (``shelf``), and where its passage stands."""

    shelf: str
    draft: Draft
    kind: NoteKind
    path: str
    line: int


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
    index: Hierarchy | None, files: Iterable[NoteFile], config: Config, clock: DecayClock
) -> BootstrapPlan:
    """Entries for every section of ``files`` that deserves one and has none, within the token budget."""
    parts = candidates.cut_all(files)
    everything = [passage for one in parts for passage in one.fine]
    covered = coverage(index, [one.note for one in parts])
    known = [passage for passage in everything if covered.entry_of(passage)]
    chooser = _Chooser(index, config, clock, learn(everything), covered, known)
    today = clock.now.date()
    cuts = candidates.uncovered(parts, covered, today, config.bootstrap.recent_days)
    said = known + [one.file for one in parts if covered.touches(one.note.path)]
    cuts, out = candidates.sift(cuts, said)
    chooser.choose(candidates.ranked(candidates.detailed(cuts, chooser.room_for()), today))
    return BootstrapPlan(
        additions=tuple(sorted(chooser.additions(), key=_reading_order)),
        left_out=tuple(sorted(out + chooser.left_out, key=lambda one: (one.path, one.line))),
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
        return Hierarchy(first_index(_blocks(plan.additions), clock, limits), *others)
    if not plan.additions:
        return index
    index = reindexed(with_additions(index, plan.additions), clock)
    own = bool(index.header and index.master.views)
    return index.with_file(MASTER, refreshed(index.master, clock, limits)) if own else index


def with_additions(index: Hierarchy, additions: Iterable[Addition]) -> Hierarchy:
    """The index with these entries in the master, each on its shelf."""
    for shelf, blocks in _blocks(additions).items():
        index = index.add(place_in(index.master, shelf), blocks)
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
    """Fills the budget with the best passages; drafts only what it tries."""

    def __init__(
        self,
        index: Hierarchy | None,
        config: Config,
        clock: DecayClock,
        vocabulary: Vocabulary,
        covered: Coverage,
        known: Sequence[Passage],
    ) -> None:
        self.config = config
        self.vocabulary = vocabulary
        self.known = list(known)
        self.known_ids = [covered.entry_of(passage) or "" for passage in known]
        self.drafter = Drafter(clock, vocabulary, config.bootstrap.tags, config.index.entry_tokens)
        self.related = Related(config.bootstrap.relations, _RELATION_CHARACTERS)
        self.chosen: list[Passage] = []
        self.drafts: list[Draft] = []
        self.left_out: list[LeftOut] = []
        document = index.master if index else None
        entries = index.entries if index else ()
        self.ids = set(index.taken if index else ())
        self.topics = {located.entry.topic.casefold() for located in entries}
        self.room = _room(document, config, clock)
        self.least = ENTRY_ROOM * _CHARACTERS + (0 if is_blank(document) else _SLACK)

    def room_for(self) -> int:
        """About how many entries of the aimed size fit."""
        return max(0, self.room // ((self.config.index.entry_tokens + 12) * _CHARACTERS))

    def choose(self, passages: Sequence[Passage]) -> None:
        """Take passages, best first, until no further entry is sure to fit.

        What relations will cost is known only once the others are chosen: each is counted at its most, and
        what that left over is filled in a further round.
        """
        waiting = list(reversed(passages))
        while waiting:
            left = self.room - self._used()
            if left < self.least:
                break
            while waiting and left >= self.least:
                left -= self._take(waiting.pop())
        self.left_out += [candidates.left_out(passage, Why.BUDGET) for passage in waiting]

    def additions(self) -> list[Addition]:
        """What was chosen, with relations."""
        return [
            Addition(shelf_of(passage), draft, passage.kind, passage.note.path, passage.line)
            for passage, draft in zip(self.chosen, self._with_relations(), strict=True)
        ]

    def _take(self, passage: Passage) -> int:
        """Draft one entry; returns the characters it may come to, 0 if it is too large for any index."""
        draft = self.drafter.draft(passage, ids=self.ids, topics=self.topics)
        if len(str(draft.pointers[0])) > _LONGEST_POINTER:
            self.left_out.append(candidates.left_out(passage, Why.LONG))
            return 0
        if not can_be_named(draft.pointers[0]):
            self.left_out.append(candidates.left_out(passage, Why.UNNAMEABLE))
            return 0
        self.chosen.append(passage)
        self.drafts.append(draft)
        self.ids.add(draft.id)
        self.topics.add(draft.topic.casefold())
        return _characters(draft) + _RELATION_CHARACTERS + len(" | rel=")

    def _used(self) -> int:
        return sum(map(_characters, self._with_relations()))

    def _with_relations(self) -> list[Draft]:
        passages = [*self.chosen, *self.known]
        ids = [*(draft.id for draft in self.drafts), *self.known_ids]
        found = relations(passages, ids, self.vocabulary, self.related)
        return [
            self.drafter.related(draft, rel) for draft, rel in zip(self.drafts, found, strict=False)
        ]


def _room(document: Document | None, config: Config, clock: DecayClock) -> int:
    """Characters for new entries: the budget, less the views' share and what is there already.

    The headings of all sections count from the start, so that a section's first entry costs no more than
    its second.
    """
    most = (config.index.max_tokens - _views_tokens(config)) * _CHARACTERS
    if document is None or is_blank(document):
        document = first_index({}, clock, view_limits(config))
    text = "".join(node.raw for node in document.nodes if not isinstance(node, View))
    missing = [shelf for shelf in SHELVES if f"# {shelf}\n" not in text]
    return most - len(text) - sum(len(shelf) + 6 for shelf in missing)


def _views_tokens(config: Config) -> int:
    return max(_VIEWS_FRAME, config.index.max_tokens // _VIEWS_SHARE)


def _characters(draft: Draft) -> int:
    return len(block(draft, 4)) + _OVERHEAD


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
