"""The entries of the index: listed, shown, written by hand (INDEX §5, §7, §9.3)."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING, Any

from hippocampus_cli.api.turns import WorkspacePart, in_turn
from hippocampus_cli.entries.add import Added, AddRequest, add_entry
from hippocampus_cli.entries.check import Follower
from hippocampus_cli.entries.select import EntryShown, EntryState, choose, order, show
from hippocampus_cli.entries.tag import Tagged, clean_tags, require_priority, retag, texts
from hippocampus_cli.index.decay import clock_for
from hippocampus_cli.index.metadata import read_date
from hippocampus_cli.search.filters import Filter

if TYPE_CHECKING:
    from hippocampus_cli.api import types

    States = list[EntryState]
    Adoptions = list[types.Adopted]
    Takings = list[types.TakenBack]


@in_turn
class Entries(WorkspacePart):
    """What ``workspace.entries`` can do. Every call raises :class:`IndexNotFound` where there is no index."""

    def __call__(self, **conditions: Any) -> States:
        """:meth:`list`, by its name up to version 0.1."""
        message = "Workspace.entries() is now Workspace.entries.list()"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return self.list(**conditions)

    def list(
        self,
        *,
        tags: Iterable[str] = (),
        kinds: Iterable[str] = (),
        paths: Iterable[str] = (),
        priorities: Iterable[str] = (),
        bands: Iterable[str] = (),
        since: date | None = None,
        until: date | None = None,
        sort: str = "strength",
        reverse: bool = False,
        archived: bool = False,
    ) -> States:
        """The entries of the index, or of its archive, with their strength now; filtered as :meth:`Workspace.query`.

        ``sort`` is ``strength``, ``hits``, ``age`` (the newest first), ``topic`` or ``file``. Raises
        :class:`UsageError` for another.
        """
        where = Filter(tuple(paths), frozenset(kinds), since, until)
        wanted = {"tags": map(str.casefold, tags), "pri": priorities, "band": bands}
        index = self._workspace.store.read(archive=archived)
        clock = clock_for(index, self._now, self._config.decay)
        entries = index.archived if archived else index.entries
        chosen = choose(entries, clock, self._config.bands, where, **wanted)
        return order(chosen, sort, reverse=reverse)

    def show(self, key: str) -> EntryShown:
        """One entry, and what its pointers and relations lead to. Raises :class:`EntryNotFound`."""
        store, config = self._workspace.store, self._config
        index = store.read()
        if index.find(key) is None:
            index = store.read(archive=True)
        clock = clock_for(index, self._now, config.decay)
        follower = Follower(self._root, config.scan.max_file_bytes)
        return show(index, key, clock, config.bands, follower)

    def add(
        self,
        topic: str,
        to: Iterable[str],
        *,
        summary: str = "",
        tags: Iterable[str] = (),
        rel: Iterable[str] = (),
        pri: str = "normal",
        id: str | None = None,
        section: str | None = None,
        force: bool = False,
    ) -> Added:
        """Write an entry by hand (``src=manual``). ``to`` are pointers such as ``"TOOLS.md §Deploy"``.

        ``section`` is a path such as ``"By Topic/People"``. ``force`` allows pointers and relations that lead
        nowhere yet, but none that leads outside. Raises :class:`EntryExists`, :class:`PointerBroken`,
        :class:`OutsideWorkspace`, :class:`EntryNotFound` for an unknown relation, :class:`UsageError`.
        """
        wish = AddRequest(
            topic=topic,
            to=texts(to, errors="surrogateescape"),
            summary=summary,
            tags=texts(tags),
            rel=texts(rel),
            pri=pri,
            id=id,
            section=section,
            force=force,
        )
        return add_entry(self._workspace._writer, wish)

    def tag(
        self,
        key: str,
        *,
        add: Iterable[str] = (),
        remove: Iterable[str] = (),
        priority: str | None = None,
    ) -> Tagged:
        """Add and remove tags of an entry, and change its priority; ``amygdala`` keeps it from decaying.

        Raises :class:`EntryNotFound`, :class:`UsageError`.
        """
        level = None if priority is None else require_priority(priority)
        more, less = clean_tags(add), clean_tags(remove)
        writer = self._workspace._writer
        return writer.change(lambda index: retag(index, key, more, less, level))[1]

    def adopt(self, *, dry_run: bool = False) -> Adoptions:
        """Give every bare bullet of the index metadata in place."""
        from hippocampus_cli.entries.adopt import adopt_bullets

        return adopt_bullets(self._workspace._writer, dry_run=dry_run)

    def wrong(self, what: str = "") -> Takings:
        """Take back the last hit of an entry (its id), of those behind a place (``path:line``), or of what the last
        question used, with what it taught. Raises :class:`UsageError` where there is none in the last 30 days.
        """
        from hippocampus_cli.entries.wrong import take_back

        return take_back(self._workspace._writer, what)
