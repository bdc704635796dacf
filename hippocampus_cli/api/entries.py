"""The entries of a workspace, its state and its forecast, as methods."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import date, datetime
from typing import TYPE_CHECKING

from hippocampus_cli.api.argument_checks import Raw
from hippocampus_cli.api.opened import Opened, present, without_beliefs
from hippocampus_cli.errors import HippoError, UsageError
from hippocampus_cli.workspace.own_files import BELIEFS

if TYPE_CHECKING:
    from pathlib import Path

    from hippocampus_cli.api.related import Related
    from hippocampus_cli.entries.add import Added
    from hippocampus_cli.entries.adopt import Adopted
    from hippocampus_cli.entries.brief import Brief
    from hippocampus_cli.entries.check import Checked, Follower
    from hippocampus_cli.entries.forecast import Forecast
    from hippocampus_cli.entries.graph import Graph
    from hippocampus_cli.entries.index_writer import IndexWriter
    from hippocampus_cli.entries.remember import Remembered
    from hippocampus_cli.entries.select import EntryState, Shown
    from hippocampus_cli.entries.shared_memory import Received, Shared
    from hippocampus_cli.entries.status import Status
    from hippocampus_cli.entries.tag import Tagged
    from hippocampus_cli.index.decay import DecayClock
    from hippocampus_cli.index.hierarchy import Hierarchy
    from hippocampus_cli.mind.answers import Contradiction
    from hippocampus_cli.report.health import Health

_MOST_WEEKS = 520


class Entries(Opened):
    """What a :class:`Workspace` does with entries, and what it tells of itself."""

    def entries(
        self,
        *,
        tags: Iterable[str] = (),
        kinds: Iterable[str] = (),
        paths: Iterable[Raw] = (),
        priorities: Iterable[str] = (),
        bands: Iterable[str] = (),
        since: date | None = None,
        until: date | None = None,
        sort: str = "strength",
        reverse: bool = False,
        archived: bool = False,
        now: datetime | None = None,
    ) -> list[EntryState]:
        """The entries of the index, or of its archive, with their strength now, filtered as :meth:`query` filters.

        ``sort`` is ``strength``, ``hits``, ``age`` (the newest first), ``topic`` or ``file``. Raises
        :class:`UsageError` for another, :class:`IndexNotFound`.
        """
        from hippocampus_cli.entries import select

        if sort not in select.SORTS:
            advice = f"use one of {', '.join(select.SORTS)}"
            raise UsageError(reason=f"unknown order {sort!r}", advice=advice)
        which = select.Which(
            tags=frozenset(tag.casefold() for tag in tags),
            priorities=frozenset(priorities),
            bands=frozenset(bands),
            kinds=frozenset(kinds),
            paths=tuple(paths),
            since=since,
            until=until,
        )
        index = self._index_store().read(archive=archived)
        among = index.archived if archived else index.entries
        states = select.choose(among, self._clock(index, now), self.config.bands, which)
        return select.order(states, sort, reverse=reverse)

    def show(self, key: Raw, *, now: datetime | None = None) -> Shown:
        """One entry, and what its pointers and relations lead to. Raises :class:`EntryNotFound`."""
        from hippocampus_cli.entries import select

        index = self._index_store().read()
        if index.find(key) is None:
            index = self._index_store().read(archive=True)
        return select.show(index, key, self._clock(index, now), self.config.bands, self._follower())

    def add(
        self,
        topic: Raw,
        to: Iterable[str],
        *,
        summary: str = "",
        tags: Iterable[str] = (),
        rel: Iterable[str] = (),
        pri: str = "normal",
        id: str | None = None,
        section: str | None = None,
        force: bool = False,
        now: datetime | None = None,
    ) -> Added:
        """Write an entry by hand (``src=manual``). ``to`` are pointers such as ``"TOOLS.md §Deploy"``.

        ``section`` is a path such as ``"By Topic/People"``. ``force`` allows pointers and relations that lead
        nowhere yet, but none that leads outside. Raises :class:`IndexNotFound`, :class:`EntryExists`,
        :class:`PointerBroken`, :class:`OutsideWorkspace`, :class:`EntryNotFound` for an unknown relation,
        :class:`UsageError`.
        """
        from hippocampus_cli.entries.add import AddRequest

        wish = AddRequest(
            *(topic, tuple(to), summary, tuple(tags), tuple(rel), pri, id, section, force),
        )
        return self._writer(now).add(wish)

    def remember(
        self,
        text: str,
        *,
        title: str | None = None,
        tags: Iterable[str] = (),
        pri: str = "normal",
        now: datetime | None = None,
    ) -> Remembered:
        """Append ``text``, word for word, to today's log as a section, and index it (INDEX §10.1).

        Without an index the log alone is written, and a notice says so. Raises :class:`UsageError` for an
        empty text, :class:`FileUnwritable`, :class:`OutsideWorkspace`; then nothing was changed.
        """
        from dataclasses import replace

        from hippocampus_cli.entries.remember import remember

        done = remember(self._writer(now), text, title=title, tags=tuple(tags), pri=pri)
        try:
            against = self.contradicted(text, now=now)
        except HippoError as error:  # the log is written: who tried again would write it twice
            return replace(done, notices=(*done.notices, without_beliefs(error)))
        if against is None:
            return done
        said = f"contradicts what is held: {against.line}"
        return replace(done, notices=(*done.notices, said))

    def contradicted(self, text: str, *, now: datetime | None = None) -> Contradiction | None:
        """What ``text`` says against a belief, if anything; nothing is loaded where there are none.

        Raises :class:`BeingWritten`, :class:`FileUnreadable`.
        """
        if not os.path.lexists(self.root / BELIEFS):
            return None
        from hippocampus_cli.mind.answers import contradicted

        return contradicted(self.root, text, (now or present()).date())

    def tag(
        self,
        key: Raw,
        *,
        add: Iterable[str] = (),
        remove: Iterable[str] = (),
        priority: str | None = None,
    ) -> Tagged:
        """Add and remove tags of an entry, and change its priority; ``amygdala`` keeps it from decaying.

        Raises :class:`EntryNotFound`, :class:`UsageError`.
        """
        from hippocampus_cli.entries import tag
        from hippocampus_cli.index.metadata import Priority

        words = tuple(add), tuple(remove)
        level = None if priority is None else Priority(priority)
        return self._writer().change(lambda index: tag.retag(index, key, *words, level))[1]

    def adopt(
        self, *, whole: bool = False, dry_run: bool = False, now: datetime | None = None
    ) -> list[Adopted]:
        """Give every bare bullet of the index metadata in place (decision D6); with ``whole`` also every heading that
        has pointers and no metadata."""
        return self._writer(now).adopt(whole=whole, dry_run=dry_run)

    def check(self, *, now: datetime | None = None) -> Checked:
        """Every diagnostic of the index, pointers included, and the notes that are no UTF-8. Nothing is changed."""
        from hippocampus_cli.entries import check
        from hippocampus_cli.entries.kept import waiting_lines
        from hippocampus_cli.workspace import descriptions
        from hippocampus_cli.workspace.scan import scan

        store, today = self._index_store(), (now or present()).date()
        index = store.read(archive=True)
        follower = self._follower()
        moved_on = follower.moved_on(descriptions.load(self.root))
        found = check.check(index, today, follower.follow, moved_on)
        found = check.with_losses(found, index, store.loss(index))
        found = check.with_waiting(found, waiting_lines(self.root, now or present()))
        notes = [*index.texts, *(one.path for one in scan(self.root, self.config.scan).files)]
        return check.with_undecoded(found, self.root, notes, self.config.scan.max_file_bytes)

    def brief(self, asked: str = "", *, now: datetime | None = None) -> Brief:
        """What an agent should know at the start of a session, in at most 400 tokens: how to ask, rules, open tasks,
        the first subjects; for the prompt ``asked`` also what the memory has on it, where it is sure (INDEX §5.2).

        The same text byte for byte until the notes or the index say something else. Nothing is written, and nothing
        counts as a retrieval. Raises :class:`IndexNotFound`.
        """
        from hippocampus_cli.api.brief import brief

        return brief(self, asked.strip(), now or present())

    def related(self, about: Raw, *, depth: int = 2, now: datetime | None = None) -> Related:
        """What is related to an entry (its id), a note (its path) or words, by ways of at most ``depth`` edges (1 to
        3) through the knowledge graph (INDEX §9.3): relations, links, shared tags, people, what was used together.

        Nothing is written. Raises :class:`IndexNotFound`, :class:`EntryNotFound` where no entry is behind it,
        :class:`UsageError`.
        """
        from hippocampus_cli.api.related import related

        return related(self, about, depth, now or present())

    def export_graph(self, file: str | Path, *, now: datetime | None = None) -> Graph:
        """Write the knowledge graph to ``file``, as GraphML or, where it ends in ``.json``, as JSON.

        Raises :class:`UsageError` for another ending or where something else is there, :class:`FileUnwritable`.
        """
        from pathlib import Path

        from hippocampus_cli.api.related import export_graph

        return export_graph(self, Path(file), now or present())

    def share(
        self,
        folder: str | Path,
        agent: Raw,
        *,
        paths: Iterable[str] = (),
        tags: Iterable[str] = (),
        dry_run: bool = False,
        now: datetime | None = None,
    ) -> Shared:
        """Give entries to other agents, with the texts that they lead to, in a folder of shared memory as synapse.md
        has it (INDEX §10). ``agent`` is who shares; ``paths`` (as in ``.gitignore``, of the notes) and ``tags`` say
        what. Secrets stay out. What the folder has already is not written again, and nothing there is changed.

        Raises :class:`UsageError` where nothing is named or for a name that none can be, :class:`IndexNotFound`,
        :class:`FileUnwritable`.
        """
        from pathlib import Path

        from hippocampus_cli.api.shared_memory import share
        from hippocampus_cli.entries.select import Which

        which = Which(tags=frozenset(map(str.casefold, tags)), paths=tuple(paths))
        return share(self, Path(folder), agent, which, now or present(), dry_run=dry_run)

    def receive(
        self,
        folder: str | Path,
        agent: Raw,
        *,
        dry_run: bool = False,
        now: datetime | None = None,
    ) -> Received:
        """Take in what other agents share with ``agent``, in a folder of shared memory (INDEX §10).

        An entry gets the sender's name before its id, and is never pinned. Its texts are copied below
        ``shared-memory/`` unless the folder is in the workspace; their origin is ``import``. What holds a secret,
        what was forgotten here and what the gate refuses stays out; what was changed here stays as it is.

        Raises :class:`UsageError`, :class:`FileUnreadable`, :class:`IndexNotFound`, :class:`OutsideWorkspace`.
        """
        from pathlib import Path

        from hippocampus_cli.api.shared_memory import receive

        return receive(self, Path(folder), agent, now or present(), dry_run=dry_run)

    def status(self, *, now: datetime | None = None) -> Status:
        """Counts of the index and of the notes, and what is due."""
        from dataclasses import replace

        from hippocampus_cli.entries.kept import waiting_lines
        from hippocampus_cli.entries.status import coarse_notes, measure
        from hippocampus_cli.workspace.meta import read_meta
        from hippocampus_cli.workspace.reader import unread_notes
        from hippocampus_cli.workspace.scan import scan

        store, limits = self._index_store(), self.config.scan
        index = store.read(archive=True)
        found = scan(self.root, limits)
        about = found, self._follower().follow, read_meta(self.root), unread_notes(self.root, found)
        figures = measure(index, self._clock(index, now), self.config, *about)
        coarse = coarse_notes(self.root, found, limits.max_file_bytes)
        waiting = tuple(waiting_lines(self.root, now or present()))
        figures = replace(figures, coarse=coarse, waiting=waiting)
        loss = store.loss(index)
        return replace(figures, lost=len(loss.ids), known=loss.total) if loss else figures

    def report(self, *, weeks: int = 12, now: datetime | None = None) -> Health:
        """The health of the index, with queries and growth of the last ``weeks`` weeks (1 to 520).

        Nothing is changed. Raises :class:`UsageError` for another number of weeks.
        """
        from hippocampus_cli.report.assess import report

        if not 1 <= weeks <= _MOST_WEEKS:
            advice = f"give a number from 1 to {_MOST_WEEKS}"
            raise UsageError(reason=f"a report cannot cover {weeks} weeks", advice=advice)
        index = self._index_store().read()
        clock, follow = self._clock(index, now), self._follower().follow
        return report(self.root, self.config, index, clock, follow, weeks)

    def forecast(
        self, *keys: Raw, days: int = 90, steps: int = 30, now: datetime | None = None
    ) -> Forecast:
        """Which entries fall below which bound within ``days`` days if nobody asks for them (INDEX §7).

        With ids, only for these entries, and with the curve of each at ``steps`` evenly spaced steps. Raises
        :class:`EntryNotFound`, :class:`IndexNotFound`, :class:`UsageError`.
        """
        from hippocampus_cli.entries.forecast import forecast
        from hippocampus_cli.entries.select import find

        index = self._index_store().read()
        chosen = [find(index, key) for key in dict.fromkeys(keys)] or index.entries
        clock, bands = self._clock(index, now), self.config.bands
        return forecast(chosen, clock, bands, days=days, steps=steps, curves=bool(keys))

    def _clock(self, index: Hierarchy, now: datetime | None) -> DecayClock:
        from hippocampus_cli.workspace.learned_decay import clock_at

        return clock_at(self.root, index, now or present(), self.config.decay)

    def _follower(self) -> Follower:
        from hippocampus_cli.entries.check import Follower

        return Follower(self.root, self.config.scan.max_file_bytes)

    def _writer(self, now: datetime | None = None) -> IndexWriter:
        from hippocampus_cli.entries.index_writer import IndexWriter

        return IndexWriter(
            self.root, self.config, self._index_store(), now or present(), self._opener
        )


def write_report(health: Health, *, html: Path | None = None, markdown: Path | None = None) -> None:
    """Write a report as pages; all are made before the first is written.

    Raises :class:`ExtraMissing` where charts cannot be drawn, :class:`UsageError` where something else is at a path.
    """
    from hippocampus_cli import __version__
    from hippocampus_cli.report import pages

    texts = {}
    if html:
        texts[html] = pages.html_page(health, __version__)
    if markdown:
        texts[markdown] = pages.markdown(health)
    for path, text in texts.items():
        pages.write_page(path, text)
