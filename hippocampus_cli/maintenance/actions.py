"""What upkeep does, one typed action at a time, each with its reason (INDEX §8.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Source

if TYPE_CHECKING:
    from hippocampus_cli.maintenance.snapshot import Snapshot


DRAFTED = (Source.AUTO, Source.RETRIEVAL, Source.DEFRAG)
"""The sources of entries that hippo wrote itself."""


class Kind(StrEnum):
    """The kinds of action, in the order in which a plan shows them."""

    REDACT = "redact"  # a secret taken out
    FORGET = "forget"  # what was forgotten taken out
    PRUNE = "prune"  # weak beyond use: to the archive
    ARCHIVE = "archive"  # silent for long: to the archive
    MERGE = "merge"  # says what another says: into that one
    REPOINT = "repoint"  # what it points at has moved
    FLAG = "flag"  # what it points at is gone: marked stale
    CLEAR = "clear"  # and there again
    QUEUE = "queue"  # silent: into the Decay Queue
    REVIVE = "revive"  # no longer silent: back to its section
    REDRAW = "redraw"  # says what its section says now
    ADD = "add"  # a new entry
    ACCESS = "access"  # a use that could not be written down when it happened
    ALIAS = "alias"  # a question that keeps coming back: a phrase of what answered it
    REPLAY = "replay"  # reviewed by a defrag cycle
    CONSOLIDATE = "consolidate"  # strong for long: upkeep leaves it alone from now on
    SECTION = "section"  # into a section of its own: as older versions did
    RELATE = "relate"  # relations
    COMPRESS = "compress"  # a shorter summary: as older versions did
    SHARD = "shard"  # to a topic file
    PROMOTE = "promote"  # back from a topic file
    STRENGTH = "strength"  # how strong it is now
    LIST = "list"  # a generated list or file
    RESTORE = "restore"  # back from a snapshot of the index
    REPAIR = "repair"  # put right
    BELIEVE = "believe"  # what is held: a belief that is new or has changed
    DESCRIBE = "describe"  # says what whoever read its section says of it
    NOTE = "note"  # a line of MEMORY.md
    OUTDATE = "outdate"  # a line that whoever read it called outdated


LOSSES = frozenset((Kind.PRUNE, Kind.ARCHIVE, Kind.MERGE))
"""What counts against the loss limit: an entry that would be elsewhere afterwards."""


class Action(NamedTuple):
    """One thing that upkeep does, or says. ``key`` is the entry's; of a generated list, its name.

    ``before`` and ``after`` are short texts for people: a strength, a pointer, a section.
    """

    kind: Kind
    key: str
    reason: str
    before: str = ""
    after: str = ""


class Planned(NamedTuple):
    """What a step comes to: the index with its actions carried out, and the actions."""

    result: Hierarchy
    actions: tuple[Action, ...] = ()


_ROUNDS = 20
"""Far more than it takes: each round but the last moves an entry away or changes what is left."""

Step = Callable[[Hierarchy, "Snapshot"], Planned]
"""One part of a cycle. Pure: the same index and snapshot give the same result, and a second time none."""


def in_turn(steps: Iterable[Step], index: Hierarchy, snapshot: Snapshot) -> Planned:
    """The steps one after the other, each on what the one before it left."""
    actions: list[Action] = []
    for step in steps:
        index, done = step(index, snapshot)
        actions += done
    return Planned(index, tuple(actions))


def until_settled(*steps: Step) -> Step:
    """The steps in turn, again until they change nothing: what a later one does may call for an earlier one."""

    def run(index: Hierarchy, snapshot: Snapshot) -> Planned:
        actions: list[Action] = []
        for _ in range(_ROUNDS):
            before = index
            index, done = in_turn(steps, index, snapshot)
            actions += done
            if index == before:
                break
        return Planned(index, tuple(actions))

    return run


_Part = TypeVar("_Part")


def applied(
    index: Hierarchy,
    parts: Sequence[_Part],
    apply: Callable[[Hierarchy, Sequence[_Part]], Hierarchy],
) -> tuple[Hierarchy, list[_Part]]:
    """Parts of a step carried out; one that the text of an index does not allow keeps back no other.

    Returns the index after ``apply`` with as many of ``parts`` as it does not refuse, and those."""
    if not parts:
        return index, []
    try:
        return apply(index, parts), [*parts]
    except IndexRefused:
        if len(parts) == 1:
            return index, []
    half = len(parts) // 2
    index, first = applied(index, parts[:half], apply)
    index, second = applied(index, parts[half:], apply)
    return index, first + second


def carried_out(
    index: Hierarchy,
    actions: Sequence[Action],
    apply: Callable[[Hierarchy, Sequence[Action]], Hierarchy],
) -> Planned:
    """As many of the actions as the index does not refuse."""
    result, done = applied(index, actions, apply)
    return Planned(result, tuple(done))


class Edit(NamedTuple):
    """What becomes of one entry, and what is said of it."""

    key: str
    change: Callable[[Entry], Entry]
    actions: tuple[Action, ...]


def with_values(values: Mapping[str, str], *actions: Action) -> Edit:
    """Metadata of the entry that the actions are about set."""
    return Edit(actions[0].key, lambda entry: entry.with_values(values), actions)


def becoming(after: Entry, action: Action) -> Edit:
    """The entry replaced by what was made of it."""
    return Edit(action.key, lambda entry: after, (action,))


def edited(index: Hierarchy, edits: Sequence[Edit]) -> Planned:
    """The index with these entries changed as far as it does not refuse, and the actions of those."""

    def apply(index: Hierarchy, edits: Sequence[Edit]) -> Hierarchy:
        return index.change_all({edit.key: edit.change for edit in edits})

    result, done = applied(index, edits, apply)
    return Planned(result, tuple(action for one in done for action in one.actions))
