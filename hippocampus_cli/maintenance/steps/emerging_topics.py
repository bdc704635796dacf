"""Emerging topics: entries that share a tag and have no section of their own get one (INDEX §8.2, monthly)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hippocampus_cli.entries.sections import BY_TOPIC, SHELVES
from hippocampus_cli.index.document import MASTER, Located
from hippocampus_cli.index.edit import SectionPath
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Action, Kind, Planned, applied
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.query.write_back import LEARNED

NOTES = 3
"""A topic is spoken of in so many notes at least; one note is its own section already."""
SHARE = 4
"""A tag in more than one of so many entries tells nothing."""
_OWN = frozenset(((*LEARNED,), *((BY_TOPIC, shelf) for shelf in SHELVES)))


class Topic(NamedTuple):
    """A tag, and the entries that have it, in file order."""

    tag: str
    entries: tuple[Located, ...]

    @property
    def section(self) -> SectionPath:
        title = " ".join(self.tag.replace("-", " ").replace("_", " ").split())
        return (BY_TOPIC, title[:1].upper() + title[1:])

    @property
    def notes(self) -> int:
        return len({pointer.path for located in self.entries for pointer in located.entry.pointers})


def emerge(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """New sections under By Topic for the tags that enough entries of hippo's own sections share.

    What is in such a section is never moved by this again, and a name that a section has is not taken,
    so the index does not change its shape back and forth.
    """
    topics = list(_topics(index, snapshot))
    result, done = applied(index, topics, _with_sections)
    return Planned(result, tuple(action for topic in done for action in _actions(topic)))


def _topics(index: Hierarchy, snapshot: Snapshot) -> Iterator[Topic]:
    """The largest topic first, then the largest of what that leaves."""
    counts = Counter(tag for located in index.entries for tag in _tags(located))
    most = len(index.entries) // SHARE
    named = {
        path[-1].casefold() for file in index.files.values() for path in file.sections.values()
    }
    movable = [
        located
        for located in index.master.entries
        if located.section in _OWN and snapshot.may(Kind.SECTION, located)
    ]
    while True:
        holders: dict[str, list[Located]] = defaultdict(list)
        for located in movable:
            for tag in _tags(located):
                holders[tag].append(located)
        topics = (Topic(tag, tuple(some)) for tag, some in holders.items() if counts[tag] <= most)
        fitting = [
            topic
            for topic in topics
            if len(topic.entries) >= snapshot.config.upkeep.emerging_entries
            if topic.notes >= NOTES and topic.section[-1].casefold() not in named
        ]
        if not fitting:
            return
        topic = min(fitting, key=lambda topic: (-len(topic.entries), topic.tag))
        yield topic
        taken = {located.key for located in topic.entries}
        movable = [located for located in movable if located.key not in taken]


def _tags(located: Located) -> set[str]:
    return {tag.casefold() for tag in located.entry.tags}


def _with_sections(index: Hierarchy, topics: Sequence[Topic]) -> Hierarchy:
    return index.moved_to(
        {(MASTER, topic.section): [located.key for located in topic.entries] for topic in topics}
    )


def _actions(topic: Topic) -> Iterator[Action]:
    reason = f"{len(topic.entries)} entries from {topic.notes} notes share the tag {topic.tag}"
    for located in topic.entries:
        yield Action(
            Kind.SECTION,
            located.key,
            reason,
            " > ".join(located.section),
            " > ".join(topic.section),
        )
