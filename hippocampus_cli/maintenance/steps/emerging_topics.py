"""Emerging topics: entries that share a tag and have no section of their own get one (INDEX §8.2, monthly)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from hippocampus_cli.entries.sections import BY_TOPIC, SHELVES
from hippocampus_cli.index.document import MASTER, Located
from hippocampus_cli.index.edit import SectionPath
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Action, Kind, Planned, applied
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.query.write_back import LEARNED
from hippocampus_cli.text.words import key, keys

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

    What is in such a section is never moved by this again, and a name that a section has is not taken,
    so the index does not change its shape back and forth.
    """
    movable = [one for one in index.master.entries if _movable(one, snapshot)]
    topics = list(_topics(movable, index, snapshot.config.upkeep.emerging_entries))
    result, done = applied(index, topics, _with_sections)
    return Planned(result, tuple(action for topic in done for action in _actions(topic)))


class _Tagged(NamedTuple):
    """An entry, the forms of its tags, and the keys of the words that name what it is about."""

    located: Located
    forms: frozenset[str]
    named: frozenset[str]


def _topics(movable: Sequence[Located], index: Hierarchy, least: int) -> Iterator[Topic]:
    """The largest topic first, then the largest of what that leaves."""
    common = Counter(tag for one in index.entries for tag in _forms(one))
    most = len(index.entries) // SHARE
    named = {_form(path[-1]) for file in index.files.values() for path in file.sections.values()}
    holders = _holders(movable)
    topics = {
        tag: topic
        for tag, some in holders.items()
        if common[tag] <= most and tag not in named
        if (topic := _topic(tag, some, least))
    }
    while topics:
        tag, found = min(topics.items(), key=lambda item: (-len(item[1].entries), item[1].tag))
        yield found
        del topics[tag]
        for touched in _removed(holders, found):
            if touched in topics:
                topics.pop(touched)
                if topic := _topic(touched, holders[touched], least):
                    topics[touched] = topic


def _holders(movable: Sequence[Located]) -> dict[str, list[_Tagged]]:
    """The entries that hold a tag, by its form."""
    holders: dict[str, list[_Tagged]] = defaultdict(list)
    for located in movable:
        one = _Tagged(located, frozenset(_forms(located)), _names(located))
        for tag in one.forms:
            holders[tag].append(one)
    return holders


def _removed(holders: dict[str, list[_Tagged]], topic: Topic) -> set[str]:
    """Take a topic's entries from the holders of their tags; the forms of those tags."""
    taken = {one.key for one in topic.entries}
    touched = {tag for one in topic.entries for tag in _forms(one)}
    for tag in touched:
        holders[tag] = [one for one in holders[tag] if one.located.key not in taken]
    return touched


def _topic(tag: str, holders: Sequence[_Tagged], least: int) -> Topic | None:
    """What the holders of a tag come to, where that is a topic."""
    if len(holders) < least:
        return None
    topic = _about(tag, holders)
    return topic if len(topic.entries) >= least and topic.notes >= NOTES else None


def _about(tag: str, holders: Sequence[_Tagged]) -> Topic:
    """The holders that do not have the tag by the way: they name it, or share another one with a holder."""
    others = Counter(other for one in holders for other in one.forms)
    words = {key(word) or word for word in tag.split("-")}
    about = tuple(one.located for one in holders if words <= one.named or _shares(tag, one, others))
    spelt = Counter(
        word for one in holders for word in one.located.entry.tags if _form(word) == tag
    )
    return Topic(min(spelt, key=lambda word: (-spelt[word], word)), about)


def _names(located: Located) -> frozenset[str]:
    entry = located.entry
    daily = located.section[-1] == _DAILY
    text = entry.topic if daily else f"{entry.topic} {entry.summary}"
    return frozenset(keys(text.replace("-", " ")))


def _shares(tag: str, one: _Tagged, others: Mapping[str, int]) -> bool:
    """Whether it shares a second tag; a day is of many things, so there that is not enough."""
    daily = one.located.section[-1] == _DAILY
    return not daily and any(others[other] > 1 for other in one.forms - {tag})


def _forms(located: Located) -> set[str]:
    return {_form(tag) for tag in located.entry.tags}


@lru_cache(maxsize=10_000)
def _form(text: str) -> str:
    """What a tag and a title that name one thing have in common."""
    words = text.casefold().replace("_", " ").replace("-", " ").split()
    return "-".join(key(word) or word for word in words)


def _movable(located: Located, snapshot: Snapshot) -> bool:
    return located.section in _OWN and snapshot.may(Kind.SECTION, located)


def _with_sections(index: Hierarchy, topics: Sequence[Topic]) -> Hierarchy:
    return index.moved_to(
        {(MASTER, topic.section): [one.key for one in topic.entries] for topic in topics}
    )


def _actions(topic: Topic) -> Iterator[Action]:
    reason = f"{len(topic.entries)} entries from {topic.notes} notes share the tag {topic.tag}"
    for one in topic.entries:
        yield Action(
            Kind.SECTION, one.key, reason, " > ".join(one.section), " > ".join(topic.section)
        )
