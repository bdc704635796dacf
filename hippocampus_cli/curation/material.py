"""What tasks are made from: the index, the notes, the journal, episodes and beliefs, at one moment.

Each part is read when a task first asks for it: the tasks of sessions need no note, and descriptions no episode.
Within one :class:`Material` nothing is read twice, so that all tasks are of the same state.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import cached_property
from pathlib import Path

from hippocampus_cli.config import Config
from hippocampus_cli.curation.task import DAYS, TaskLog
from hippocampus_cli.index.document import Document, Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.pointers import parse_pointers
from hippocampus_cli.mind.beliefs import Belief, BeliefStore, beliefs_of
from hippocampus_cli.mind.episodes import Episode, EpisodeStore, digest
from hippocampus_cli.mind.held import beliefs_about
from hippocampus_cli.text.terms import telling_terms
from hippocampus_cli.workspace.journal import Event, read
from hippocampus_cli.workspace.kinds import date_of
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.resolve import Notes, Status

_CLUSTER = 4  # notes whose entries share a word


class Material:
    """A workspace at the moment ``now``. Notes are without their secrets."""

    def __init__(self, root: Path, config: Config, index: Hierarchy, now: datetime) -> None:
        self.root = root
        self.config = config
        self.index = index
        self.now, self.day = now, str(now.date())
        self.notes = Notes(root, config.scan.max_file_bytes)
        self.log = TaskLog(root, now)
        self.episodes = EpisodeStore(root)
        self.since = now - timedelta(days=DAYS)

    @cached_property
    def events(self) -> Sequence[Event]:
        """The questions of the last days, oldest first."""
        return tuple(read(self.root, self.since))

    @cached_property
    def questions(self) -> Mapping[str, Event]:
        """Each question as it was asked last, by the hash of its words, the last one first."""
        found: dict[str, Event] = {}
        for event in reversed(self.events):
            found.setdefault(digest(event.query)[:12], event)
        return found

    @cached_property
    def held(self) -> Document:
        """The file of beliefs."""
        return BeliefStore(self.root, self.config.lock.timeout_seconds).document()

    @cached_property
    def beliefs(self) -> Mapping[str, Belief]:
        """What is held, and what was, by id."""
        return {belief.id: belief for belief in beliefs_of(self.held)}

    @cached_property
    def addresses(self) -> Mapping[str, Sequence[Belief]]:
        """What is held, by its address."""
        found: defaultdict[str, list[Belief]] = defaultdict(list)
        for belief in self.beliefs.values():
            if belief.address and belief.status == "held":
                found[str(belief.address)].append(belief)
        return found

    @cached_property
    def recalled(self) -> Mapping[str, date]:
        """When each belief last came with an answer, by its id."""
        asked = reversed([*self.questions.values()])
        return {
            belief.id: event.at.date()
            for event in (asked if self.beliefs else ())
            for belief in beliefs_about(self.root, event.query, self.now, self.config.mind.rate)
        }

    @cached_property
    def sessions(self) -> Mapping[str, Sequence[Episode]]:
        """The episodes of the last days by their session, the latest session first."""
        found: defaultdict[str, list[Episode]] = defaultdict(list)
        for episode in sorted(self.episodes.all(), key=lambda episode: episode.until, reverse=True):
            if episode.until[:10] >= str(self.since.date()):
                found[episode.session].insert(0, episode)
        return found

    @cached_property
    def emerging(self) -> Mapping[str, Sequence[Located]]:
        """The entries that share a word of their topics, one a note, by the word: several of the last days, by the
        dates of their notes, and no other. A note without a date may be as old as the workspace."""
        found: defaultdict[str, dict[str, Located]] = defaultdict(dict)
        old: set[str] = set()
        for located in self.index.entries:
            words = telling_terms(located.entry.topic)
            days = [date_of(pointer.path) for pointer in located.entry.pointers]
            if any(day and day > self.since.date() for day in days):
                for word in words:
                    found[word].setdefault(located.entry.pointers[0].path, located)
            else:
                old.update(words)
        return {
            word: [*each.values()]
            for word, each in found.items()
            # every January has entries of a new year
            if word not in old and len(each) >= _CLUSTER and not word.isdecimal()
        }

    def place(self, target: str) -> tuple[Note, Section] | None:
        """The section that a pointer, as text, leads to by its very name."""
        for pointer in parse_pointers(f"→ {target}"):
            found = self.notes.follow(pointer)
            if found.status is Status.OK and (note := self.notes.note(found.path)):
                sections = [found.section] if found.section else note.sections
                if len(sections) == 1:
                    return note, sections[0]
        return None
