"""Emerging topics: entries that share a tag and have no section of their own get one (INDEX §8.2, monthly)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from hippocampus_cli.drafting.shelves import BY_TOPIC, SHELVES
from hippocampus_cli.drafting.words import key, keys
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.edit import SectionPath
from hippocampus_cli.index.files import MASTER
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.maintenance.steps.applying import applied
from hippocampus_cli.retrieval.write_back import LEARNED

NOTES = 3
"""A topic is spoken of in so many notes at least; one note is its own section already."""
SHARE = 4
"""A tag in more than one of so many entries tells nothing."""
_DAILY = "Daily Logs"
_OWN = frozenset(((*LEARNED,), *((BY_TOPIC, shelf) for shelf in SHELVES)))


class Topic(NamedTuple):
    """A tag, and the entries that are about it, in file order."""

    tag: str
    entries: tuple[Located, ...]

    @property
    def section(self) -> SectionPath:
        title = " ".join(self.tag.replace("-", " ").replace("_", " ").split())
        return (BY_TOPIC, title[:1].upper() + title[1:])

    @property
    def notes(self) -> int:
        return len({pointer.path for one in self.entries for pointer in one.entry.pointers})


def emerge(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """New sections under By Topic for the tags that enough entries of hippo's own sections share.

    What stands in such a section is never moved by this again, and a name that a section has is not taken,
    so the index does not change its shape back and forth.
    """
    movable = [one for one in index.master.entries if _movable(one, snapshot)]
    topics = list(_topics(movable, index, snapshot.config.upkeep.emerging_entries))
    result, done = applied(index, topics, _with_sections)
    return Planned(result, tuple(action for topic in done for action in _actions(topic)))


def _topics(movable: Sequence[Located], index: Hierarchy, least: int) -> Iterator[Topic]:
    """The largest topic first, then the largest of what that leaves."""
    common = Counter(tag for one in index.entries for tag in _forms(one))
    most = len(index.entries) // SHARE
    named = {_form(path[-1]) for file in index.files.values() for path in file.sections.values()}
    left = list(movable)
    while found := _largest(left, least, lambda tag: common[tag] <= most and tag not in named):
        yield found
        named.add(_form(found.tag))
        taken = {one.key for one in found.entries}
        left = [one for one in left if one.key not in taken]


def _largest(left: Sequence[Located], least: int, fit: Callable[[str], bool]) -> Topic | None:
    holders: dict[str, list[Located]] = defaultdict(list)
    for one in left:
        for tag in _forms(one):
            holders[tag].append(one)
    topics = [
        topic
        for tag, entries in holders.items()
        if len(entries) >= least and fit(tag)
        if len((topic := _about(tag, entries)).entries) >= least and topic.notes >= NOTES
    ]
    return min(topics, key=lambda topic: (-len(topic.entries), topic.tag), default=None)


def _about(tag: str, holders: Sequence[Located]) -> Topic:
    """The holders that do not have the tag by the way: they name it, or share another one with a holder."""
    others = Counter(other for one in holders for other in _forms(one) - {tag})
    about = tuple(one for one in holders if _names(tag, one) or _shares(tag, one, others))
    spelt = Counter(word for one in holders for word in one.entry.tags if _form(word) == tag)
    return Topic(min(spelt, key=lambda word: (-spelt[word], word)), about)


def _names(tag: str, located: Located) -> bool:
    entry = located.entry
    daily = located.section[-1] == _DAILY
    text = entry.topic if daily else f"{entry.topic} {entry.summary}"
    return {key(word) or word for word in tag.split("-")} <= {*keys(text.replace("-", " "))}


def _shares(tag: str, located: Located, others: Mapping[str, int]) -> bool:
    """Whether it shares a second tag; a day is of many things, so there that is not enough."""
    daily = located.section[-1] == _DAILY
    return not daily and any(others[other] > 1 for other in _forms(located) - {tag})


def _forms(located: Located) -> set[str]:
    return {_form(tag) for tag in located.entry.tags}


def _form(text: str) -> str:
    """What a tag and a title that name one thing have in common."""
    words = text.casefold().replace("_", " ").replace("-", " ").split()
    return "-".join(key(word) or word for word in words)


def _movable(located: Located, snapshot: Snapshot) -> bool:
    return located.section in _OWN and snapshot.may(Kind.SECTION, located)


def _with_sections(index: Hierarchy, topics: Sequence[Topic]) -> Hierarchy:
    for topic in topics:
        index = index.moved([one.key for one in topic.entries], topic.section, MASTER)
    return index


def _actions(topic: Topic) -> Iterator[Action]:
    reason = f"{len(topic.entries)} entries from {topic.notes} notes share the tag {topic.tag}"
    for one in topic.entries:
        yield Action(
            Kind.SECTION, one.key, reason, " > ".join(one.section), " > ".join(topic.section)
        )
