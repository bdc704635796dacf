"""The drafter: a passage becomes an entry that is ready to be written."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import date

from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.entries.summary import SUMMARY_CHARACTERS, summary_of
from hippocampus_cli.entries.tags import tags_of
from hippocampus_cli.entries.topic import common_words, topic_of
from hippocampus_cli.entries.vocabulary import Vocabulary
from hippocampus_cli.index import metadata
from hippocampus_cli.index.decay import DecayClock, factor_of, hours_between, retention
from hippocampus_cli.index.edit import Draft, block, free_id
from hippocampus_cli.index.metadata import plain_line
from hippocampus_cli.index.pointers import Pointer, format_pointers, parse_pointers
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.workspace.kinds import NoteKind
from hippocampus_cli.workspace.sections import SectionNames

ID_CHARACTERS = 24
TAGS_CHARACTERS = 34
_DAY_AT_END = re.compile(r" \((\d{4}-\d\d-\d\d)\)$")
_SHORTEST_SUMMARY = 62
_OF_A_TOKEN = 3  # characters, about
_WORDS_TOGETHER = 8  # words that are the summary of an entry for many days
_NAMED_TOGETHER = 4  # notes whose names are the summary of an entry for many


@dataclass(frozen=True, slots=True)
class Drafter:
    """What drafting depends on besides the passage. ``tokens`` is the size an entry aims at."""

    clock: DecayClock
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    tags: int = 3
    tokens: int = 90

    def draft(
        self,
        passage: Passage,
        *,
        ids: AbstractSet[str] = frozenset(),
        topics: Container[str] = (),
        src: metadata.Source = metadata.Source.AUTO,
        pri: metadata.Priority = metadata.Priority.NORMAL,
        also: Sequence[Passage] = (),
    ) -> Draft:
        """The entry of a passage, without relations. ``ids`` and folded ``topics`` are taken already.

        ``also`` are passages that say the same: it leads to them, too. A date in the future counts as today
        (decision D9). The summary is as long as the aimed size allows.
        """
        topic = topic_of(passage, self.vocabulary, topics)
        today = self.clock.now.date()
        day = min(passage.day, today)
        read = today if pri in (metadata.Priority.HIGH, metadata.Priority.AMYGDALA) else day
        draft = Draft(
            id=free_id(id_of(topic), ids),
            topic=topic,
            summary="",
            pointers=tuple(dict.fromkeys(map(pointer_to, (passage, *also)))),
            created=day,
            accessed=read,  # what comes first and stays begins at its full strength (decision D22)
            strength=self._strength(read, 0, pri),
            base=self.clock.rates.initial,
            tags=tags_of(passage, self.vocabulary, self.tags, TAGS_CHARACTERS, topic),
            src=src,
            pri=pri,
        )
        return draft.replaced(
            summary=summary_of(passage, topic, self._room(draft), self.vocabulary)
        )

    def of_many(self, passages: Sequence[Passage], *, ids: AbstractSet[str] = frozenset()) -> Draft:
        """One entry for notes of a folder, of which none has one of its own; ``passages`` are whole notes."""
        first, last = min(one.day for one in passages), max(one.day for one in passages)
        folder = passages[0].note.path.rpartition("/")[0] or "notes"
        days = (
            f", {first} to {last}" if passages[0].kind is NoteKind.DAILY and first != last else ""
        )
        topic = plain_line(f"{folder}: {len(passages)} notes{days}")
        day = min(last, self.clock.now.date())
        return Draft(
            id=free_id(id_of(topic), ids),
            topic=topic,
            summary=shorten(plain_line(self._of_all(passages)), SUMMARY_CHARACTERS),
            pointers=tuple(pointer_to(one) for one in passages),
            created=day,
            accessed=day,
            strength=self._strength(day, 0),
            base=self.clock.rates.initial,
        )

    def _of_all(self, passages: Sequence[Passage]) -> str:
        """What notes that share an entry are about: days have words in common, other notes are called by name."""
        if passages[0].kind is NoteKind.DAILY:
            return ", ".join(common_words(passages, _WORDS_TOGETHER))
        return "; ".join(topic_of(one, self.vocabulary) for one in passages[:_NAMED_TOGETHER])

    def related(self, draft: Draft, rel: tuple[str, ...]) -> Draft:
        """The draft with these relations; many of them slow its decay (decision D10)."""
        return draft.replaced(rel=rel, strength=self._strength(draft.accessed, len(rel), draft.pri))

    def _strength(
        self, day: date, relations: int, pri: metadata.Priority = metadata.Priority.NORMAL
    ) -> float:
        rates = self.clock.rates
        factor = rates.association_factor if relations >= rates.association_count else 1.0
        factor *= factor_of(pri, rates)
        return rates.initial * retention(hours_between(day, self.clock.now), rates, factor)

    def _room(self, draft: Draft) -> int:
        """The characters left for the summary, within reason."""
        left = (self.tokens - tokens(block(draft, 4))) * _OF_A_TOKEN
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
