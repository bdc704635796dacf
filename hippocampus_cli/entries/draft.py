"""The drafter: a passage becomes an entry that is ready to be written."""

from __future__ import annotations

import re
from collections.abc import Container
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import date

from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.entries.tags import Vocabulary, tags_of
from hippocampus_cli.entries.topic import SUMMARY_CHARACTERS, summary_of, topic_of
from hippocampus_cli.index import metadata
from hippocampus_cli.index.decay import DecayClock, hours_between, retention
from hippocampus_cli.index.edit import Draft, block, free_id
from hippocampus_cli.index.pointers import Pointer, format_pointers, parse_pointers
from hippocampus_cli.workspace.sections import SectionNames

ID_CHARACTERS = 24
TAGS_CHARACTERS = 34
_DAY_AT_END = re.compile(r" \((\d{4}-\d\d-\d\d)\)$")
_SHORTEST_SUMMARY = 62
_BLOCK_CHARACTERS = 4  # one token, as `index.budget` counts


@dataclass(frozen=True, slots=True)
class Drafter:
    """What drafting depends on besides the passage. ``tokens`` is the size an entry aims at."""

    clock: DecayClock
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    tags: int = 6
    tokens: int = 60

    def draft(
        self,
        passage: Passage,
        *,
        ids: AbstractSet[str] = frozenset(),
        topics: Container[str] = (),
        src: metadata.Source = metadata.Source.AUTO,
    ) -> Draft:
        """The entry of a passage, without relations. ``ids`` and folded ``topics`` are taken already.

        A date in the future counts as today (decision D9). The summary is as long as the aimed size allows.
        """
        topic = topic_of(passage, self.vocabulary, topics)
        day = min(passage.day, self.clock.now.date())
        draft = Draft(
            id=free_id(id_of(topic), ids),
            topic=topic,
            summary="",
            pointers=(pointer_to(passage),),
            created=day,
            accessed=day,
            strength=self._strength(day, 0),
            base=self.clock.rates.initial,
            tags=tags_of(passage, self.vocabulary, self.tags, room=TAGS_CHARACTERS),
            src=src,
        )
        return draft.replaced(summary=summary_of(passage, topic, self._room(draft)))

    def related(self, draft: Draft, rel: tuple[str, ...]) -> Draft:
        """The draft with these relations; many of them slow its decay (decision D10)."""
        return draft.replaced(rel=rel, strength=self._strength(draft.accessed, len(rel)))

    def _strength(self, day: date, relations: int) -> float:
        rates = self.clock.rates
        factor = rates.association_factor if relations >= rates.association_count else 1.0
        return rates.initial * retention(hours_between(day, self.clock.now), rates, factor)

    def _room(self, draft: Draft) -> int:
        """The characters left for the summary, within reason."""
        left = self.tokens * _BLOCK_CHARACTERS - len(block(draft, 4))
        return max(_SHORTEST_SUMMARY, min(SUMMARY_CHARACTERS, left))


def id_of(topic: str) -> str:
    """The topic as a short id. Where it must be cut, a day at its end stays, and of ``Name: heading`` the
    heading; a day at the front stays by itself.
    """
    short = metadata.slug(topic, ID_CHARACTERS)
    if short == metadata.slug(topic, len(topic) + 1):
        return short
    if dated := _DAY_AT_END.search(topic):
        return f"{metadata.slug(topic[: dated.start()], ID_CHARACTERS - 10)}-{dated[1]}"
    name, colon, heading = topic.rpartition(": ")
    if colon and not name[:4].isdigit():
        return metadata.slug(f"{name.split()[0]} {heading}", ID_CHARACTERS)
    return short


def pointer_to(passage: Passage) -> Pointer:
    """The pointer that leads back to exactly this passage: the section where it can be named, else the note."""
    path, section = passage.note.path, passage.section
    if section is None:
        return Pointer(path)
    names = SectionNames(passage.note.sections)
    pointer = Pointer(path, names.pointer_name(section))
    if pointer.section and parse_pointers(format_pointers((pointer,))) == (pointer,):
        found = names.find(pointer.section, fuzzy=False)
        if found and found.section == section:
            return pointer
    return Pointer(path)
