"""The drafter: a passage becomes an entry that is ready to be written."""

from __future__ import annotations

import posixpath
from collections.abc import Container, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date

from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.entries.summary import SUMMARY_CHARACTERS, summary_of
from hippocampus_cli.entries.tags import tags_of
from hippocampus_cli.entries.topic import note_name, topic_of
from hippocampus_cli.index import metadata
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.edit import Draft
from hippocampus_cli.index.metadata import plain_line
from hippocampus_cli.index.pointers import Pointer, can_be_named
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.workspace.kinds import NoteKind
from hippocampus_cli.workspace.sections import SectionNames

ID_CHARACTERS = 16


@dataclass(frozen=True, slots=True)
class Drafter:
    """What drafting depends on besides the passage: the moment, and how many tags an entry may have."""

    clock: DecayClock
    tags: int = 3

    def draft(
        self,
        passage: Passage,
        *,
        ids: AbstractSet[str] = frozenset(),
        topics: Container[str] = (),
        src: metadata.Source = metadata.Source.AUTO,
        also: Sequence[Passage] = (),
    ) -> Draft:
        """The entry of a passage, without relations. ``ids`` and folded ``topics`` are taken already.

        ``also`` are passages that say the same: it leads to them, too. A date in the future counts as today
        (decision D9). The entry begins at its full strength: drafting it is its first access.
        """
        topic = topic_of(passage, topics)
        summary = summary_of(passage, topic)
        return self._draft(topic, summary, (passage, *also), passage.day, ids).replaced(
            tags=tags_of(passage, self.tags), src=src
        )

    def draft_group(
        self, passages: Sequence[Passage], ids: AbstractSet[str] = frozenset()
    ) -> Draft:
        """One entry for notes of a folder, of which none has one of its own; ``passages`` are whole notes."""
        first, last = min(each.day for each in passages), max(each.day for each in passages)
        folders = [posixpath.dirname(each.note.path) for each in passages]
        folder = posixpath.commonpath(folders) or "notes"
        dated = passages[0].kind is NoteKind.DAILY and first != last
        days = f", {first} to {last}" if dated else ""
        topic = plain_line(f"{folder}: {len(passages)} files{days}")
        names = "; ".join(dict.fromkeys(map(note_name, passages)))
        summary = shorten(plain_line(names), SUMMARY_CHARACTERS)
        return self._draft(topic, summary, passages, last, ids)

    def _draft(
        self,
        topic: str,
        summary: str,
        passages: Iterable[Passage],
        day: date,
        ids: AbstractSet[str],
    ) -> Draft:
        today = self.clock.now.date()
        return Draft(
            id=metadata.free_id(metadata.slug(topic, ID_CHARACTERS), ids),
            topic=topic,
            summary=summary,
            pointers=tuple(dict.fromkeys(map(pointer_to, passages))),
            created=min(day, today),
            accessed=today,
            base=self.clock.rates.initial,
        )


def pointer_to(passage: Passage) -> Pointer:
    """The pointer that leads back to exactly this passage: the section where it can be named, else the note."""
    path, section = passage.note.path, passage.section
    if section is None:
        return Pointer(path)
    names = SectionNames(passage.note.sections)
    pointer = Pointer(path, names.pointer_name(section))
    if pointer.section and can_be_named(pointer):
        found = names.find(pointer.section, fuzzy=False)
        if found and found.section == section:
            return pointer
    return Pointer(path)
