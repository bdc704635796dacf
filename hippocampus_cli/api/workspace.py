"""A workspace as an object: what a program that imports hippo works with."""

from __future__ import annotations

import os
import warnings
from _thread import RLock
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from hippocampus_cli.api.opened import Opened
from hippocampus_cli.api.turns import in_turn
from hippocampus_cli.config import CONFIG_PATH, LARGEST, Config, load
from hippocampus_cli.errors import HippoError
from hippocampus_cli.workspace.own_files import BELIEFS, INDEX, MIND

if TYPE_CHECKING:  # a command loads only what it needs
    from hippocampus_cli.api.anchors import Anchors
    from hippocampus_cli.api.context import Context
    from hippocampus_cli.api.curation import Curation
    from hippocampus_cli.api.entries import Entries
    from hippocampus_cli.api.mind import Mind
    from hippocampus_cli.api.packages import Packages
    from hippocampus_cli.api.sessions import Sessions
    from hippocampus_cli.api.upkeep import Upkeep
    from hippocampus_cli.embedding.embedder import Opener
    from hippocampus_cli.embedding.models.user_models import Models
    from hippocampus_cli.entries.brief import Brief
    from hippocampus_cli.entries.check import Checked
    from hippocampus_cli.entries.remember import Remembered
    from hippocampus_cli.entries.status import Status
    from hippocampus_cli.index.hierarchy import Hierarchy
    from hippocampus_cli.integrations.agents import Agents
    from hippocampus_cli.maintenance.run_bootstrap import BootstrapReport
    from hippocampus_cli.query.results import BeliefShown, Earlier, QueryResult
    from hippocampus_cli.schedule.schedule import Schedule
    from hippocampus_cli.search.library import Library
    from hippocampus_cli.workspace.store import IndexStore

_TOLD = 3
"""Tasks that are offered unasked, at most."""
_OLD_NAMES = {
    "add": "entries.add",
    "adopt": "entries.adopt",
    "export_graph": "entries.export_graph",
    "forecast": "entries.forecast",
    "related": "entries.related",
    "show": "entries.show",
    "tag": "entries.tag",
    "receive": "packages.receive",
    "share": "packages.share",
    "compact": "sessions.compact",
    "fetch": "sessions.fetch",
    "score": "sessions.score",
    "search_sessions": "sessions.search",
    "accept": "upkeep.accept",
    "allow_network": "upkeep.allow_network",
    "due": "upkeep.due",
    "embed": "upkeep.embed",
    "forget": "upkeep.forget",
    "forgotten": "upkeep.forgotten",
    "history": "upkeep.history",
    "is_forgetting_done": "upkeep.is_forgetting_done",
    "maintain": "upkeep.run",
    "repair": "upkeep.repair",
    "report": "upkeep.report",
    "restore": "upkeep.restore",
    "restore_index": "upkeep.restore_index",
    "snapshots": "upkeep.snapshots",
    "tidy_sessions": "upkeep.tidy_sessions",
    "undo": "upkeep.undo",
    "unforget": "upkeep.unforget",
    "watch": "upkeep.watch",
}
"""Where each method of version 0.1 is now. They answer for one version more."""


def open_workspace(
    path: str | Path | None = None,
    *,
    config: Config | None = None,
    environ: Mapping[str, str] | None = None,
) -> Workspace:
    """The workspace at ``path``; without one, the nearest from the current folder upwards.

    ``config`` replaces the settings of ``.hippocampus/config.toml``; ``environ`` (for example
    ``os.environ``) lets ``HIPPO_*`` variables speak too, and holds the keys of embedders. Raises
    :class:`WorkspaceNotFound`, :class:`ConfigInvalid`.
    """
    from hippocampus_cli.embedding.open import SettingsOpener
    from hippocampus_cli.workspace.root import find_workspace

    explicit = None if path is None else Path(path).expanduser()
    root = find_workspace(Path.cwd(), explicit, None)
    if config is None:
        config = load(_settings_text(root), environ or {})
    opener = SettingsOpener(environ or {}, root, config)
    return Workspace(root, config, opener=opener, environ=environ)


def _settings_text(root: Path) -> str | None:
    from hippocampus_cli.workspace.read import read_file

    if not os.path.lexists(root / CONFIG_PATH):
        return None
    return read_file(root, CONFIG_PATH, LARGEST).decode("utf-8", "surrogateescape")


@in_turn
class Workspace:
    """An agent's folder of notes and its index. Use as a context manager, or ``close`` when done.

    Every call sees the notes and the index as they are on disk at that moment. A wrong argument that would do harm
    raises :class:`UsageError` before anything is changed.

    What belongs together stands together: ``entries``, ``upkeep``, ``sessions``, ``mind``, ``curation``,
    ``packages``, ``anchors``, ``schedule``, ``agents``, ``models``, and ``context`` for each session.

    Threads: any number may use one object. Calls take turns, those of its parts too, and one may call others (from a
    ``progress``, say): ``with workspace.lock:`` makes several calls one turn. To work at the same time, open one
    object a thread or process; all may be on the same folder. ``library`` and ``store`` are what it is made of: what
    is done with them directly needs ``lock``.

    Closing: ``close`` waits for its turn, may be called twice, and is not the end: the next call opens what it
    needs again. An object that is collected as garbage is closed.

    Forks: a child process may go on with an object that its parent opened, and opens everything anew. ``os.fork``
    waits up to 5 s for the calls of other threads; one from within a call (from a ``progress``) must not return
    into it.
    """

    def __init__(
        self,
        root: Path,
        config: Config,
        progress: Callable[[int, int], None] | None = None,
        opener: Opener | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        """``progress`` is told how many of how many notes are read, where many are new. ``opener`` opens the embedder
        that the settings name; without it words alone are compared. ``environ``, by default the process's own, says
        where the folders of the user and of agents are."""
        self.root = root
        self.config = config
        self._opened = Opened(root, config, progress, opener, environ)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """A method by its name up to version 0.1."""
            place = _OLD_NAMES.get(name)
            if place is None:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            message = f"Workspace.{name}() is now Workspace.{place}()"
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            part, _, method = place.partition(".")
            return getattr(getattr(self, part), method)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._opened.close()

    def close(self) -> None:
        """Let go of the caches, once the calls of other threads are done. A later call opens what it needs again."""
        self._opened.close()

    @property
    def lock(self) -> RLock:
        """Held by whoever's turn it is."""
        return self._opened.lock

    @property
    def store(self) -> IndexStore:
        """The index on disk."""
        with self.lock:
            return self._opened.store

    @property
    def library(self) -> Library:
        """The notes, as of the last refresh."""
        with self.lock:
            return self._opened.library

    def index(self) -> Hierarchy:
        """The index as it is now, all its files. Raises :class:`IndexNotFound`, :class:`FileUnreadable`."""
        return self._opened.store.read()

    def path_of(self, file: str | Path) -> str | None:
        """The path of a file from the workspace's folder; one given relatively is meant from the current folder.

        ``None`` for what is outside, or can be no path.
        """
        from hippocampus_cli.workspace.paths import is_possible, relative_to_root

        absolute = str(Path(file).absolute())
        return relative_to_root(str(self.root), absolute) if is_possible(str(file)) else None

    def bootstrap(
        self,
        *,
        now: datetime | None = None,
        dry_run: bool = False,
        progress: Callable[[int, int], object] | None = None,
    ) -> BootstrapReport:
        """Make the index of the notes, or add to it what is new (INDEX §5.3, appendix B).

        What is there already stays byte for byte. ``dry_run`` writes nothing; ``progress`` is told how many
        of how many notes are read. Raises :class:`FileUnreadable`, :class:`FileUnwritable`.
        """
        from hippocampus_cli.maintenance.run_bootstrap import bootstrap

        moment = self._opened.moment(now)
        report = bootstrap(
            self.root, self.config, moment, dry_run=dry_run, progress=progress, timer=perf_counter
        )
        if not dry_run:
            self.upkeep.write_waiting(
                now=moment
            )  # what was asked of an entry before there was an index
        return report

    def query(
        self,
        text: str,
        *,
        phrasings: Iterable[str] = (),
        mode: str | None = None,
        limit: int | None = None,
        tokens: int | None = None,
        tags: Iterable[str] = (),
        kinds: Iterable[str] = (),
        paths: Iterable[str] = (),
        priorities: Iterable[str] = (),
        since: date | None = None,
        until: date | None = None,
        write: bool = True,
        later: bool = False,
        now: datetime | None = None,
    ) -> QueryResult:
        """Ask the workspace (INDEX §6).

        ``phrasings`` are up to four other wordings of the same question: other words, synonyms, the language of the
        notes. ``mode`` is ``index``, ``search`` or ``hybrid``; ``tokens`` bounds the texts of all results together.
        ``tags`` and ``priorities`` keep places that such entries point at, ``kinds`` and ``paths`` (patterns as in
        ``.gitignore``) certain files, ``since`` and ``until`` files of certain days, which those without a date
        never are. With ``write`` what was used is written back; a read-only workspace is served all the same,
        with a notice. With ``later`` the index stays as it is, and the next upkeep counts what was used.

        Raises :class:`UsageError` for an empty query, too many phrasings, limits that are no whole numbers from 1 up
        and conditions on days that there are not, :class:`IndexNotFound` in mode ``index`` (in ``hybrid`` the text
        alone is searched, with a notice), :class:`IndexGone` where there was an index.
        """
        from hippocampus_cli.query.request import Request

        moment = self._opened.moment(now)
        settings = self.config.query
        request = Request(
            text=text,
            phrasings=tuple(phrasings),
            mode=mode or settings.mode,
            limit=settings.limit if limit is None else limit,
            tokens=settings.tokens if tokens is None else tokens,
            tags=frozenset(tag.casefold() for tag in tags),
            priorities=frozenset(priorities),
            kinds=frozenset(kinds),
            paths=tuple(paths),
            since=since,
            until=until,
        )
        return self._opened.inquirer.ask(request, write, moment, later=later)

    def remember(
        self,
        text: str,
        *,
        title: str | None = None,
        tags: Iterable[str] = (),
        pri: str = "normal",
        subject: str = "",
        attribute: str = "",
        replaces: Iterable[str] = (),
        now: datetime | None = None,
    ) -> Remembered:
        """Append ``text``, word for word, to today's log as a section, and index it (INDEX §10.1).

        With ``subject`` and ``attribute`` it is held true, too. ``replaces`` are what it came instead of: places as
        ``path:line``, or beliefs by their ids. ``earlier`` of the result are up to three places that may speak of the
        same.

        Without an index the log alone is written, and a notice says so. Raises :class:`UsageError` for an
        empty text, :class:`FileUnwritable`, :class:`OutsideWorkspace`; then nothing was changed.
        """
        from dataclasses import replace

        from hippocampus_cli.entries.remember import remember

        done = remember(self._opened.writer(now), text, title=title, tags=tags, pri=pri)
        old = [*replaces]
        places = [place for place in old if place.rpartition(":")[2].isdecimal()]
        beliefs = [id for id in old if id not in places]
        if beliefs or (subject and attribute):
            self.mind.believe(
                text, tags=tags, subject=subject, attribute=attribute, replaces=beliefs, now=now
            )
        refused = self.curation.outdate(places, who="user", now=now) if places else ()
        notices = (f"{one.task}: {one.why}" for one in refused if one.outcome == "refused")
        earlier = self._earlier(text, done, {*places}, now)
        return replace(done, earlier=earlier, notices=(*done.notices, *notices))

    def _earlier(
        self, text: str, done: Remembered, known: set[str], now: datetime | None
    ) -> tuple[Earlier, ...]:
        """Up to three places that may speak of the same as what was just remembered."""
        from hippocampus_cli.query.results import Earlier

        try:
            found = self.query(text, limit=_TOLD + 2, write=False, now=now)
        except HippoError:  # the log is written all the same
            return ()
        places: list[Earlier] = []
        for one in found.results:
            new = one.path == done.path and one.start_line >= done.start_line
            if not new and not one.superseded:
                day = one.date or date.min
                places.append(Earlier(f"{one.path}:{one.start_line}", day, one.text))
            places += one.earlier
        return tuple(place for place in places if place.place not in known)[:_TOLD]

    def brief(self, asked: str = "", *, now: datetime | None = None) -> Brief:
        """What an agent should know at the start of a session, in at most 400 tokens: how to ask, rules, open tasks,
        the first subjects; for the prompt ``asked`` also what the memory has on it, where it is sure (INDEX §5.2).

        The same text byte for byte until the notes or the index say something else. Nothing is written, and nothing
        counts as a retrieval. Raises :class:`IndexNotFound`.
        """
        from hippocampus_cli.query.brief import brief_of

        moment = self._opened.moment(now)
        waiting = self._waiting_tasks(moment)
        prompt = asked.strip()
        return brief_of(self._opened.inquirer, prompt, moment, self._newest_beliefs, waiting)

    def _waiting_tasks(self, now: datetime) -> list[str]:
        """A line about what earlier sessions left to judge; nothing is loaded where none did."""
        if not os.path.lexists(self.root / MIND):
            return []
        try:
            waiting = self.curation.tasks(kinds=["state"], limit=_TOLD, write=False, now=now)
        except HippoError:  # the brief itself says what is wrong
            return []
        sessions = "an earlier session waits" if len(waiting) == 1 else "earlier sessions wait"
        told = f"what {sessions} to be judged: `hippo curate state --json`, then `--answer -`"
        return [told] if waiting else []

    def _newest_beliefs(self) -> list[BeliefShown]:
        """Nothing is loaded where there are none."""
        if not os.path.lexists(self.root / BELIEFS):
            return []
        from hippocampus_cli.mind.held import newest

        return newest(self.root)

    def status(self, *, now: datetime | None = None) -> Status:
        """Counts of the index, of the notes and of the mind, and what is due."""
        from dataclasses import replace

        from hippocampus_cli.entries.status import measure_workspace

        opened, moment = self._opened, self._opened.moment(now)
        status = measure_workspace(
            self.root, self.config, opened.store, lambda index: opened.clock(index, moment), moment
        )
        if not os.path.lexists(self.root / MIND):
            return status
        tasks = self.curation.tasks(kinds=["state"], write=False, now=moment)
        counts = {
            "episodes": len(self.mind.episodes()),
            "beliefs": len(self.mind.beliefs(now=moment)),
        }
        return replace(status, mind={**counts, "tasks": len(tasks)})

    def check(self, *, now: datetime | None = None) -> Checked:
        """Every diagnostic of the index, pointers included, of notes that are no UTF-8, and of episodes and beliefs
        that are not as they were written. Nothing is changed."""
        from hippocampus_cli.entries.check import check_workspace

        moment = self._opened.moment(now)
        checked = check_workspace(self.root, self.config, self._opened.store, moment)
        return checked.with_more(
            self.mind.diagnostics() if os.path.lexists(self.root / MIND) else ()
        )

    def context(self, session: str | None = None, *, now: datetime | None = None) -> Context:
        """A session of an agent, and the entries in its window; without an id the only session that is open."""
        from hippocampus_cli.api.context import Context

        return Context(self._opened, session, now)

    @property
    def entries(self) -> Entries:
        """The entries of the index: list, show, write, relate."""
        from hippocampus_cli.api.entries import Entries

        return Entries(self._opened)

    @property
    def upkeep(self) -> Upkeep:
        """Cycles, undo, restore, forget, watch, vectors, the report."""
        from hippocampus_cli.api.upkeep import Upkeep

        return Upkeep(self._opened)

    @property
    def sessions(self) -> Sessions:
        """Sessions that agents recorded: compact, fetch, search."""
        from hippocampus_cli.api.sessions import Sessions

        return Sessions(self._opened)

    @property
    def mind(self) -> Mind:
        """Episodes and beliefs: what happened, and what is held true."""
        from hippocampus_cli.api.mind import Mind

        return Mind(self._opened)

    @property
    def curation(self) -> Curation:
        """What hippo asks of whoever can read, and their answers."""
        from hippocampus_cli.api.curation import Curation

        return Curation(self._opened)

    @property
    def packages(self) -> Packages:
        """The memory as one file, and entries shared with other agents."""
        from hippocampus_cli.api.packages import Packages

        return Packages(self._opened)

    @property
    def anchors(self) -> Anchors:
        """The words of the notes that lead straight to where they are spoken of."""
        from hippocampus_cli.api.anchors import Anchors

        return Anchors(self._opened)

    @property
    def schedule(self) -> Schedule:
        """Upkeep that runs by itself: cron, systemd or launchd does what is due."""
        from hippocampus_cli.schedule.schedule import Schedule

        return Schedule(self.root, self._opened.environ)

    @property
    def agents(self) -> Agents:
        """hippo in agents (pi, claude-code, openclaw) and in git."""
        from hippocampus_cli.integrations.agents import Agents

        return Agents(self._opened.environ, lambda: self.root)

    @property
    def models(self) -> Models:
        """The user's models that turn texts into vectors."""
        from hippocampus_cli.embedding.models.user_models import Models

        return Models(self._opened.environ)
