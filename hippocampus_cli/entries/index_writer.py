"""Entries written into an index on disk: each method reads, decides by pure code, and writes under the lock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hippocampus_cli.config import Config
from hippocampus_cli.entries.check import Follower
from hippocampus_cli.errors import IndexRefused, UsageError
from hippocampus_cli.index.decay import DecayClock, clock_for
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.workspace import resolve
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.kinds import period_of
from hippocampus_cli.workspace.own_files import INDEX
from hippocampus_cli.workspace.scan import scan
from hippocampus_cli.workspace.store import IndexStore

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Opener
    from hippocampus_cli.entries import adopt
    from hippocampus_cli.entries.add import Added, AddRequest
    from hippocampus_cli.entries.draft import Drafter
    from hippocampus_cli.entries.passages import Passage
    from hippocampus_cli.index.edit import Draft

_Report = TypeVar("_Report")


@dataclass(frozen=True, slots=True)
class IndexWriter:
    """Writes entries of one workspace. ``now`` is when the work is done; ``opener`` opens the embedder of the
    settings, for what follows the notes."""

    root: Path
    config: Config
    store: IndexStore
    now: datetime
    opener: Opener | None = None

    def adopt(self, *, dry_run: bool = False) -> list[adopt.Adopted]:
        """Give every bare bullet metadata; with ``dry_run`` only say which."""
        from hippocampus_cli.entries import adopt

        def change(index: Hierarchy) -> tuple[Hierarchy, list[adopt.Adopted]]:
            return adopt.adopt(index, self._clock(index), self._day_of)

        if dry_run:
            return change(self.store.read(archive=True))[1]
        return self.change(change, archive=True)[1]

    def add(self, wish: AddRequest) -> Added:
        """Write an entry by hand; see :meth:`Workspace.add` for what is raised."""
        from hippocampus_cli.entries import add
        from hippocampus_cli.entries.add import passage_at, section_path
        from hippocampus_cli.entries.arguments import require_priority, require_text
        from hippocampus_cli.entries.sections import shelf_of
        from hippocampus_cli.workspace.redaction import redactor_for

        require_priority(wish.pri)
        require_text(wish.topic, errors="surrogateescape")
        require_text(wish.summary, wish.id or "", wish.section or "")
        if not wish.to:
            advice = 'name one at least: --to "TOOLS.md §Deploy"'
            raise UsageError(reason="an entry needs a pointer", advice=advice)
        index = self.store.read()
        wish, kept_out = add.without_secrets(wish, redactor_for(self.root))
        if not wish.force:
            add.check_relations(index, wish.rel)
        pointers, remarks = add.chosen_pointers(
            wish.to, self._follower(), self._paths, force=wish.force
        )
        passage = passage_at(pointers[0], self._follower(), self.now.date())
        section = section_path(wish.section) if wish.section else None
        draft = self._draft(wish, pointers, passage)
        own_id = wish.id is not None
        notices = (*kept_out, *remarks)
        return self.add_draft(draft, shelf_of(passage), section, own_id=own_id, notices=notices)

    def add_draft(
        self,
        draft: Draft,
        shelf: str,
        section: tuple[str, ...] | None = None,
        *,
        own_id: bool = False,
        notices: tuple[str, ...] = (),
    ) -> Added:
        """Write a draft as an entry of ``section``, else beside its like or on its shelf.

        Raises :class:`EntryExists`.
        """
        from hippocampus_cli.entries import add
        from hippocampus_cli.entries.add import Added, place_for

        def change(index: Hierarchy) -> tuple[Hierarchy, str]:
            place = section or place_for(index, draft.pointers[0], shelf)
            return add.add(index, draft, place, own_id=own_id)

        index, key = self.change(change, archive=True)
        there = index.by_key[key]
        pointers = tuple(map(str, there.entry.pointers))
        return Added(key, there.entry.topic, pointers, there.section, there.line, notices)

    def change(
        self,
        change: Callable[[Hierarchy], tuple[Hierarchy, _Report]],
        *,
        archive: bool = False,
    ) -> tuple[Hierarchy, _Report]:
        """Apply ``change`` under the lock; the index as written and the last run's report.

        It runs on what was read first: what fails, or changes nothing, leaves no trace on disk.
        """
        before = self.store.read(archive=archive, settled=True)
        self.store.require_whole(before, archive=archive)
        try:
            after, report = change(before)
            if after == before:
                return after, report
            return self.store.change(change, archive=archive, at=self.now)
        except IndexRefused as refused:
            refused.path = refused.path or INDEX
            raise

    def drafter(self, index: Hierarchy) -> Drafter:
        """Makes entries of passages as the settings want them."""
        from hippocampus_cli.entries.draft import Drafter

        return Drafter(self._clock(index), self.config.bootstrap.tags)

    def _draft(self, wish: AddRequest, pointers: tuple[Pointer, ...], passage: Passage) -> Draft:
        """The entry as wished; what was left out is drafted from the passage it points at."""
        from hippocampus_cli.entries import add, tag
        from hippocampus_cli.entries.draft import ID_CHARACTERS
        from hippocampus_cli.entries.summary import summary_of
        from hippocampus_cli.entries.tags import tags_of
        from hippocampus_cli.index import metadata
        from hippocampus_cli.index.edit import Draft

        today, initial = self.now.date(), self.config.decay.initial
        most = self.config.bootstrap.tags
        return Draft(
            id=metadata.slug(wish.topic, ID_CHARACTERS)
            if wish.id is None
            else add.checked_id(wish.id),
            topic=wish.topic,
            summary=wish.summary or summary_of(passage, wish.topic),
            pointers=pointers,
            created=today,
            accessed=today,
            base=initial,
            tags=tag.clean_tags(wish.tags) or tags_of(passage, most),
            rel=tuple(dict.fromkeys(wish.rel)),
            pri=metadata.Priority(wish.pri),
            src=metadata.Source.MANUAL,
        )

    def _clock(self, index: Hierarchy) -> DecayClock:
        return clock_for(index, self.now, self.config.decay)

    def _follower(self) -> Follower:
        return Follower(self.root, self.config.scan.max_file_bytes)

    def _paths(self) -> list[str]:
        return [stat.path for stat in scan(self.root, self.config.scan).files]

    def _day_of(self, pointer: Pointer) -> date | None:
        """The day of the file pointed at: in its name, else when it was last written; ``None``: no such file."""
        found = self._follower().follow(Pointer(pointer.path))
        if found.status not in (resolve.Status.OK, resolve.Status.ABSOLUTE):
            return None
        if period := period_of(found.path):
            return period[1]
        try:
            written = FileStat.of((self.root / found.path).stat()).changed_at
        except OSError:
            return None
        return datetime.fromtimestamp(written, self.now.tzinfo).date()
