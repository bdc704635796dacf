"""A workspace as an object: what a program that imports hippo works with."""

from __future__ import annotations

import contextlib
import os
import warnings
from _thread import RLock, get_ident
from _weakrefset import WeakSet
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date, datetime
from functools import cached_property
from importlib import import_module
from itertools import repeat
from pathlib import Path
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, Self

from hippocampus_cli.api.turns import in_turn, present
from hippocampus_cli.config import Config
from hippocampus_cli.errors import HippoError, UsageError
from hippocampus_cli.workspace.config_file import read_config
from hippocampus_cli.workspace.own_files import BELIEFS, FORGOTTEN, MIND, OUTDATED, PENDING, PRIVATE

if TYPE_CHECKING:
    from hippocampus_cli.api import types
    from hippocampus_cli.embedding.embedder import Opener
    from hippocampus_cli.entries.index_writer import IndexWriter
    from hippocampus_cli.index.hierarchy import Hierarchy
    from hippocampus_cli.query.inquirer import Inquirer
    from hippocampus_cli.query.results import BeliefShown
    from hippocampus_cli.search.library import Library
    from hippocampus_cli.workspace.store import IndexStore

_FORK_SECONDS = 5.0  # a fork waits for the calls of other threads, but not for hours
LEFT: list[object] = []
"""In a child process, what the parent opened: to collect it would be to close it."""
_MOVED = {
    "entries": "add adopt show tag",
    "sessions": "compact fetch",
    "upkeep": "accept allow_network due embed forget forgotten history repair report "
    "restore restore_index snapshots tidy_sessions undo unforget watch",
}
_OLD_NAMES = {
    "maintain": "upkeep.run",
    "search_sessions": "sessions.search",
    **{name: f"{part}.{name}" for part, names in _MOVED.items() for name in names.split()},
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
    :class:`WorkspaceNotFound`, :class:`ConfigInvalid`. What a killed process left to do is finished.
    """
    from hippocampus_cli.embedding.open import settings_opener
    from hippocampus_cli.workspace.root import find_workspace

    explicit = None if path is None else Path(path).expanduser()
    root = find_workspace(Path.cwd(), explicit, None)
    if config is None:
        config = read_config(root, environ or {})
    opener = settings_opener(environ or {}, root, config)
    opened = Workspace(root, config, opener=opener, environ=environ)
    opened.recover()
    return opened


def _part(name: str) -> Any:
    """A part, which is made when it is asked for."""

    def made(workspace: Workspace) -> object:
        part = import_module(f"hippocampus_cli.api.{name}")
        return getattr(part, name.title())(workspace)

    return property(made)


@in_turn
class Workspace:
    """An agent's folder of notes and its index. Use as a context manager, or ``close`` when done.

    Every call sees the notes and the index as they are on disk at that now. A wrong argument that would do harm
    raises :class:`UsageError` before anything is changed.

    What belongs together stands together: ``entries``, ``upkeep``, ``sessions``, ``mind``, ``curation``,
    ``packages``, ``anchors``, and ``context`` for each session.

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
        opener: Opener | None = None,
        environ: Mapping[str, str] | None = None,
        clock: Callable[[], datetime] = present,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """``opener`` opens the embedder that the settings name; without it words alone are compared. ``environ``, by
        default the process's own, says where the folders of the user and of agents are; ``clock`` tells the present,
        ``progress`` is told how much of a long work is done, and of how much: set it before the first call."""
        self.root = root
        self.config = config
        self.environ = os.environ if environ is None else environ
        self.clock = clock
        self.progress = progress
        self.opener = opener
        self.lock = RLock()
        _OPEN.add(self)

    entries: types.Entries = _part("entries")
    """The entries of the index: list, show, write."""
    upkeep: types.Upkeep = _part("upkeep")
    """Cycles, undo, restore, forget, watch, vectors, the report."""
    sessions: types.Sessions = _part("sessions")
    """Sessions that agents recorded: compact, fetch, search."""
    mind: types.Mind = _part("mind")
    """Episodes and beliefs: what happened, and what is held true."""
    curation: types.Curation = _part("curation")
    """What hippo asks of whoever can read, and their answers."""
    packages: types.Packages = _part("packages")
    """The memory as one file, and entries shared with other agents."""
    anchors: types.Anchors = _part("anchors")
    """The words of the notes that lead straight to where they are spoken of."""

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

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self._let_go()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):  # it may never have been opened, or Python is ending
            self._let_go()

    def close(self) -> None:
        """Let go of the caches, once the calls of other threads are done. A later call opens what it needs again."""
        self._let_go()

    def _let_go(self) -> None:
        library = self._taken_out()
        if library is not None:
            library.close()

    def _begin_anew(self) -> None:
        """In a child process, after a fork: leave the parent's files alone, and open them again when needed."""
        LEFT.append(self._taken_out())
        self.lock = RLock()

    def _taken_out(self) -> Any:
        """What holds files of the workspace open, ``None`` for nothing; this no longer has it."""
        self.__dict__.pop("_inquirer", None)
        return self.__dict__.pop("library", None)

    def at(self, now: datetime) -> Self:
        """The workspace itself, which takes ``now`` for the present from here on: to live through what was.

        Raises :class:`UsageError` without a time zone, or before 1900.
        """
        if now.utcoffset() is None or now.year < 1900:  # upkeep looks back
            raise UsageError(
                reason=f"now must have a time zone, not {now}",
                advice="for example datetime.now().astimezone()",
            )
        self.clock = repeat(now).__next__
        return self

    @cached_property
    def store(self) -> IndexStore:
        """The index on disk."""
        from hippocampus_cli.workspace.store import IndexStore

        return IndexStore(self.root, self.config)

    @cached_property
    def library(self) -> Library:
        """The notes, as of the last refresh."""
        from hippocampus_cli.search.library import Library

        return Library(self.root, self.config, self.progress, self.opener)

    @cached_property
    def _inquirer(self) -> Inquirer:
        """What asks questions of the index and the notes."""
        from hippocampus_cli.query.inquirer import Inquirer

        return Inquirer(self.store, self.library, _beliefs_about)

    @property
    def _writer(self) -> IndexWriter:
        """What writes entries at this moment."""
        from hippocampus_cli.entries.index_writer import IndexWriter

        return IndexWriter(self.root, self.config, self.store, self.clock(), self.opener)

    def recover(self) -> list[str]:
        """Finish what a killed process left to do: a change of several files, forgetting. What a person should know
        of it. Opening a workspace does this, and cycles do: an object that stays open is otherwise not told of a
        process that was killed since."""
        notices = []
        if os.path.lexists(self.root / PENDING):
            notices.append(self.store.settle())
        if os.path.lexists(self.root / FORGOTTEN):
            from hippocampus_cli.maintenance.forgotten_state import is_finished

            if not is_finished(self.root):
                notices.append(self.upkeep.finish_forgetting())
        return [*filter(None, notices)]

    def index(self) -> Hierarchy:
        """The index as it is now, all its files. Raises :class:`IndexNotFound`, :class:`FileUnreadable`."""
        return self.store.read()

    def bootstrap(self, *, dry_run: bool = False) -> types.BootstrapReport:
        """Make the index of the notes, or add to it what is new (INDEX §5.3, appendix B).

        What is there already stays byte for byte. ``dry_run`` writes nothing. Raises
        :class:`FileUnreadable`, :class:`FileUnwritable`.
        """
        from hippocampus_cli.maintenance.run_bootstrap import bootstrap

        report = bootstrap(
            self.root, self.config, self.clock(), dry_run=dry_run, progress=self.progress
        )
        # what was asked of an entry before there was an index
        return report if dry_run else report.replaced(notices=self.upkeep.write_waiting())

    def recall(self, prompt: str, *, odds: float | None = None) -> types.QueryResult | None:
        """What the memory has on a prompt to an agent, which may ask nothing of it; ``None`` where that is not likely
        to answer. ``odds`` is the log of the odds that it asks, by default what its own text says. Nothing is written
        back. Raises as :meth:`query`."""
        from hippocampus_cli.query.private import has_private, marked

        found = self._inquirer.recall(prompt, self.clock(), odds=odds)
        if found is not None or not has_private(self.root):
            return found
        with self.private() as own:
            found = own.recall(prompt, odds=odds)
        return found and marked(found)

    def private(self) -> Workspace:
        """The private tier: a workspace of its own in ``private-memory/``, which git ignores; made at its first use.

        :meth:`query` and :meth:`recall` ask both. Raises :class:`UsageError` where something else is there, or git
        has files of it.
        """
        from hippocampus_cli.query.private import has_private, make_private
        from hippocampus_cli.schedule.scheduler import run_program

        folder = self.root / PRIVATE
        if not has_private(self.root):
            listed = run_program(["git", "-C", str(self.root), "ls-files", "--", PRIVATE])
            make_private(self.root, listed.out)
        own = Workspace(folder, self.config, self.opener, self.environ, self.clock)
        if not own.store.exists():
            own.bootstrap()
        return own

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
        since: date | None = None,
        until: date | None = None,
        write: bool = True,
        later: bool = False,
    ) -> types.QueryResult:
        """Ask the workspace (INDEX §6).

        ``phrasings`` are up to four other wordings of the same question: other words, synonyms, the language of the
        notes. ``mode`` is ``index``, ``search`` or ``hybrid``; ``tokens`` bounds all texts together. ``tags``,
        ``kinds``, ``paths`` (patterns as in ``.gitignore``), ``since`` and ``until`` are conditions. With ``write``
        what was used is written back, but to a shared tier not what the private one answers better; with ``later``
        the next upkeep counts it.
        Raises :class:`UsageError` for an empty query, too many phrasings, limits that are no whole numbers from 1 up
        and conditions on days that there are not, :class:`IndexNotFound` in mode ``index``, :class:`IndexGone`.
        """
        from hippocampus_cli.query.private import both, has_private
        from hippocampus_cli.query.request import Request
        from hippocampus_cli.search.filters import Filter

        settings = self.config.query
        request = Request(
            text=text,
            phrasings=tuple(phrasings),
            mode=mode or settings.mode,
            limit=settings.limit if limit is None else limit,
            tokens=settings.tokens if tokens is None else tokens,
            tags=frozenset(tag.casefold() for tag in tags),
            where=Filter(tuple(paths), frozenset(kinds), since, until),
        )
        given = request, write, self.clock(), later
        if not has_private(self.root):
            return self._inquirer.ask(*given)
        with self.private() as own:
            more = own._inquirer.ask(*given)
        return both(self._inquirer.ask(*given, rival=more.confidence), more, request)

    def remember(
        self,
        text: str,
        *,
        title: str | None = None,
        tags: Iterable[str] = (),
        pri: str = "normal",
        subject: str = "",
        attribute: str = "",
        replaces: Collection[str] = (),
    ) -> types.Remembered:
        """Append ``text``, word for word, to today's log as a section, and index it (INDEX §10.1).

        With ``subject`` and ``attribute`` it is held true, too. ``replaces`` are what it came instead of: places as
        ``path:line``, of which nothing is held any more, or beliefs by their ids, in whose place it is held true. A
        text that was marked as outdated holds again. What cannot be marked is a notice, as is a log that questions
        leave out. ``earlier`` of the result are up to three places that may speak of the same.

        Without an index the log alone is written, and a notice says so. Raises :class:`UsageError` for an
        empty text, :class:`NothingThere`, :class:`BeliefNotFound`, :class:`WriteRefused`,
        :class:`FileUnwritable`, :class:`OutsideWorkspace`; then nothing was changed.
        """
        from hippocampus_cli.entries.remember import remember

        places = [place for place in replaces if ":" in place]
        ended = self.curation.held_at(replaces) if replaces else []
        if len(places) < len(replaces) or (subject and attribute):  # first, for it may be refused
            self.mind.believe(text, tags=tags, subject=subject, attribute=attribute, replaces=ended)
        done = remember(self._writer, text, title=title, tags=tags, pri=pri)
        notices = [*done.notices]
        here = f"{done.path}:{done.start_line}"
        if places or os.path.lexists(self.root / OUTDATED):
            try:
                said = self.curation.outdate(places, who="user", now=here, text=text)
                notices += [outcome.did or outcome.why for outcome in said]
            except HippoError as error:  # the text is kept, whatever became of the index
                notices.append(f"marks of outdated lines stay as they are: {error.message}")
        own = (f"{done.path}:{line}" for line in range(done.start_line, done.end_line + 1))
        earlier = self._inquirer.earlier(text, {*places, *own}, self.clock())
        files = self.library.found.files
        if files and done.path not in [file.path for file in files]:
            notices.append(f"no question finds {done.path}: hippo check says why")
        return done.replaced(earlier=earlier, notices=tuple(notices))

    def brief(self, asked: str = "", *, loaded: Collection[str] = ()) -> types.Brief:
        """What an agent should know at the start of a session, in at most 400 tokens: how to ask, rules, open tasks,
        the first subjects; for the prompt ``asked`` also what is likely to answer it (INDEX §5.2).
        ``loaded`` are paths of notes that the agent's client reads to it: their rules and tasks are not repeated.

        The same text byte for byte until the notes or the index say something else. Nothing is written, and nothing
        counts as a retrieval. Raises :class:`IndexNotFound`.
        """
        from hippocampus_cli.query.brief import brief_of

        return brief_of(
            self._inquirer,
            asked.strip(),
            self.clock(),
            self._newest_beliefs,
            self._waiting_tasks(),
            loaded,
        )

    def _waiting_tasks(self) -> list[str]:
        """A line about what earlier sessions left to judge; nothing is loaded where none did."""
        line = "what an earlier session left waits to be judged: `hippo curate state --json`, then `--answer -`"
        if os.path.lexists(self.root / MIND):
            with contextlib.suppress(HippoError):  # the brief itself says what is wrong
                return [line for _ in self.curation.tasks(kinds=["state"], limit=1, write=False)]
        return []

    def _newest_beliefs(self) -> list[BeliefShown]:
        """Nothing is loaded where there are none."""
        if not os.path.lexists(self.root / BELIEFS):
            return []
        from hippocampus_cli.mind.held import newest

        return newest(self.root)

    def status(self) -> types.Status:
        """Counts of the index, of the notes and of the mind, and what is due."""
        from hippocampus_cli.entries.status import measure_workspace

        status = measure_workspace(self.root, self.config, self.store, self.clock(), _wanting)
        if not os.path.lexists(self.root / MIND):
            return status
        mind = {
            "episodes": len(self.mind.episodes()),
            "beliefs": len(self.mind.beliefs()),
            "tasks": len(self.curation.tasks(kinds=["state"], write=False)),
        }
        return status.replaced(mind=mind)

    def check(self) -> types.Checked:
        """Every diagnostic of the index, pointers included, of notes that are no UTF-8, and of episodes and beliefs
        that are not as they were written. Nothing is changed."""
        from hippocampus_cli.entries.check import check_workspace

        more = self.mind.diagnostics()
        return check_workspace(self.root, self.config, self.store, self.clock(), more)

    def findings(self) -> list[types.Diagnostic]:
        """What must not be merged into a memory that a team shares, and warnings. Nothing is changed."""
        from hippocampus_cli.integrations.team_check import findings

        checked = self.check().diagnostics
        changes = len(self.upkeep.run("sync", dry_run=True).plan.actions)
        return list(findings(self.root, self.config, checked, changes, self.mind.check()))

    def context(self, session: str | None = None) -> types.Context:
        """A session of an agent, and the entries in its window; without an id the only session that is open."""
        from hippocampus_cli.api.context import Context

        return Context(self, session)


def _beliefs_about(*asked: Any) -> tuple[BeliefShown, ...]:
    from hippocampus_cli.mind.held import beliefs_about

    return beliefs_about(*asked)


def _wanting(*state: Any) -> tuple[str, ...]:
    from hippocampus_cli.maintenance.run_bootstrap import wanting_entries

    return wanting_entries(*state)


_OPEN: WeakSet[Workspace] = WeakSet()
_WAITED_FOR: dict[int, list[RLock]] = {}  # by the thread that forks


def _before_fork() -> None:
    """Wait for whoever is at work: SQLite's own locks would stay taken in the child."""
    until = monotonic() + _FORK_SECONDS
    locks = [workspace.lock for workspace in [*_OPEN]]
    _WAITED_FOR[get_ident()] = [
        lock for lock in locks if lock.acquire(timeout=max(until - monotonic(), 0))
    ]


def _after_fork_in_parent() -> None:
    for lock in _WAITED_FOR.pop(get_ident(), ()):
        lock.release()


def _after_fork_in_child() -> None:
    _WAITED_FOR.clear()
    for workspace in [*_OPEN]:
        workspace._begin_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork,
        after_in_parent=_after_fork_in_parent,
        after_in_child=_after_fork_in_child,
    )
