"""A workspace as an object: what a program that imports hippo works with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from hippocampus_cli.api.argument_checks import Question, Raw
from hippocampus_cli.api.entries import Entries
from hippocampus_cli.api.maintenance import Maintenance
from hippocampus_cli.api.opened import embedder_opener, present
from hippocampus_cli.api.turns import arguments_checked, in_turn
from hippocampus_cli.config import CONFIG_PATH, LARGEST, Config, load
from hippocampus_cli.errors import EmbedderUnset

if TYPE_CHECKING:  # a command loads only what it needs
    from hippocampus_cli.api.agents import Agents
    from hippocampus_cli.api.anchors import Anchors
    from hippocampus_cli.api.compaction import Compacted
    from hippocampus_cli.api.context import Context
    from hippocampus_cli.api.mind import Mind
    from hippocampus_cli.api.query import Inquirer
    from hippocampus_cli.api.schedule import Schedule
    from hippocampus_cli.context.compaction.daily_scores import Scores
    from hippocampus_cli.context.originals import Original
    from hippocampus_cli.context.session_search import Hit
    from hippocampus_cli.context.transcripts import Format
    from hippocampus_cli.maintenance.run_bootstrap import BootstrapReport
    from hippocampus_cli.query.results import QueryResult
    from hippocampus_cli.search.embed import Embedded


@arguments_checked
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
    from hippocampus_cli.workspace.root import find_workspace

    explicit = None if path is None else Path(path).expanduser()
    root = find_workspace(Path.cwd(), explicit, None)
    if config is None:
        config = load(_settings_text(root), environ or {})
    opener = embedder_opener(environ or {}, root, config)
    return Workspace(root, config, opener=opener, environ=environ)


def _settings_text(root: Path) -> str | None:
    from hippocampus_cli.workspace.read import read_file

    if not os.path.lexists(root / CONFIG_PATH):
        return None
    return read_file(root, CONFIG_PATH, LARGEST).decode("utf-8", "surrogateescape")


@in_turn
class Workspace(Entries, Maintenance):
    """An agent's folder of notes and its index. Use as a context manager, or ``close`` when done.

    Every call sees the notes and the index as they are on disk at that moment. An argument of the wrong kind raises
    :class:`UsageError`, which names it and what is wanted, before anything is changed; too many or unknown ones
    raise :class:`TypeError`, as of any function.

    What belongs together stands together: ``anchors``, ``schedule``, ``agents``, and ``context`` for each session.

    Threads: any number may use one object. Calls take turns, and one may call others (from a ``progress``, say):
    ``with workspace.lock:`` makes several calls one turn. To work at the same time, open one object a thread or
    process; all may be on the same folder. ``library`` and ``store`` are parts it is made of: what is done with them
    directly needs ``lock``.

    Closing: ``close`` waits for its turn, may be called twice, and is not the end: the next call opens what it
    needs again. An object that is collected as garbage is closed.

    Forks: a child process may go on with an object that its parent opened, and opens everything anew. ``os.fork``
    waits up to 5 s for the calls of other threads; one from within a call (from a ``progress``) must not return
    into it. An ``embedder`` that you set yourself is yours to open again, and to guard where several objects have it.
    """

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

        moment = now or datetime.now().astimezone()
        report = bootstrap(
            self.root, self.config, moment, dry_run=dry_run, progress=progress, timer=perf_counter
        )
        if not dry_run:
            self.write_waiting(now=moment)  # what was asked of an entry before there was an index
        return report

    def query(
        self,
        text: Question,
        *,
        mode: str | None = None,
        limit: int | None = None,
        tokens: int | None = None,
        tags: Iterable[str] = (),
        kinds: Iterable[str] = (),
        paths: Iterable[Raw] = (),
        priorities: Iterable[str] = (),
        since: date | None = None,
        until: date | None = None,
        write: bool = True,
        later: bool = False,
        now: datetime | None = None,
    ) -> QueryResult:
        """Ask the workspace (INDEX §6).

        ``mode`` is ``index``, ``search`` or ``hybrid``; ``tokens`` bounds the texts of all results together. ``tags``
        and ``priorities`` keep places that such entries point at, ``kinds`` and ``paths`` (patterns as in
        ``.gitignore``) certain files, ``since`` and ``until`` files of certain days, which those without a date
        never are. With ``write`` what was used is written back; a read-only workspace is served all the same,
        with a notice. With ``later`` the index stays as it is, and the next upkeep counts what was used.

        Raises :class:`UsageError` for an empty query, limits that are no whole numbers from 1 up and conditions
        on days that there are not, :class:`IndexNotFound` in mode ``index`` (in ``hybrid`` the text alone is
        searched, with a notice), :class:`IndexGone` where there was an index.
        """
        from hippocampus_cli.query.request import Request

        settings = self.config.query
        request = Request(
            text=_clean(text),
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
        return self._inquirer().ask(request, write, now or present(), later=later)

    def embed(self, progress: Callable[[int, int], None] | None = None) -> Embedded:
        """Work out the vectors of what is new in the notes, and forget those of what is gone, so that questions find
        what means the same in other words.

        What was done is kept when it is interrupted; ``progress`` is told how many of how many texts are. Raises
        :class:`EmbedderUnset` where no embedder is configured, :class:`ExtraMissing`, :class:`EmbedderUnavailable`,
        :class:`EmbeddingFailed`, :class:`FileUnwritable` where the vectors cannot be kept.
        """
        from hippocampus_cli.search.embed import embed_notes

        notes = self._notes()
        if notes.meaning is None:
            raise EmbedderUnset
        notes.refresh()
        return embed_notes(notes, notes.meaning, progress)

    def allow_network(self, allowed: bool) -> str | None:
        """Remember in the user's folder whether this workspace's settings file may have texts sent to the server it
        names; the server, ``None`` where it names none.

        Raises :class:`UsageError` for leave where nothing is sent, :class:`FileUnwritable`.
        """
        from hippocampus_cli.api.models import allow_network

        return allow_network(self.root, self.config.embedding, self._environ, allowed)

    @property
    def anchors(self) -> Anchors:
        """The words of the notes that lead straight to where they are spoken of."""
        from hippocampus_cli.api.anchors import Anchors

        return Anchors(self)

    def context(self, session: str | None = None, *, now: datetime | None = None) -> Context:
        """A session of an agent, and the entries in its window; without an id the only session that is open."""
        from hippocampus_cli.api.context import Context

        return Context(self, session, now or present())

    def compact(
        self,
        path: str | Path,
        *,
        form: Format | None = None,
        tokens: int | None = None,
        fence: bool = False,
        write: bool = True,
    ) -> Compacted:
        """Compact an agent's session file: what still matters in full, the rest as pointers (COMPACTION).

        ``form`` is seen from the file; ``tokens`` is the summary's budget, by default the setting; ``fence`` counts
        the lines that quote each part to an agent. With ``write`` it is noted where the originals are, so that
        :meth:`fetch` finds them. The file itself is never written to. Raises :class:`TranscriptUnreadable`,
        :class:`FileUnreadable`.
        """
        from hippocampus_cli.api.compaction import compact

        settings = self.config.compaction
        settings = settings if tokens is None else settings._replace(tokens=tokens)
        return compact(Path(path), form, settings, self.root, fence=fence, write=write)

    def fetch(self, id: str, *, session: str = "", form: Format | None = None) -> Original:
        """The original of a pointer in a summary, from its session file or hippo's copy. ``session`` is the file, or
        what a summary names. Raises :class:`MessageNotFound`."""
        from hippocampus_cli.api.compaction import fetch

        return fetch(self.root, self._environ, id, session, form)

    def search_sessions(
        self, query: str, *, limit: int = 10, everywhere: bool = False
    ) -> list[Hit]:
        """Messages with words of a question in the sessions that agents recorded in this workspace, or everywhere."""
        from hippocampus_cli.api.sessions import search_sessions

        root = None if everywhere else self.root
        return search_sessions(root, self._environ, query, limit=limit)

    def score(
        self, path: str | Path, *, agent: str = "unknown", now: datetime | None = None
    ) -> Scores:
        """Score the blocks of a daily log, into a file beside it. Raises :class:`FileUnreadable`."""
        from hippocampus_cli.api.compaction import score

        return score(Path(path), agent, now or present())

    @property
    def mind(self) -> Mind:
        """Episodes and beliefs: what happened, and what is held true."""
        from hippocampus_cli.api.mind import Mind

        return Mind(self)

    @property
    def schedule(self) -> Schedule:
        """Upkeep that runs by itself: cron, systemd or launchd does what is due."""
        from hippocampus_cli.api.schedule import Schedule

        return Schedule(self.root, self._environ)

    @property
    def agents(self) -> Agents:
        """hippo in agents (pi, claude-code, openclaw) and in git."""
        from hippocampus_cli.api.agents import Agents

        return Agents(self._environ, lambda: self.root)

    def _inquirer(self) -> Inquirer:
        if self._asks is None:
            from hippocampus_cli.api.query import Inquirer

            parts = self._index_store(), self._notes()
            self._asks = Inquirer(self.root, self.config, *parts, self._anchor_store)
        return self._asks


def _clean(text: str) -> str:
    """``text`` without what is no character: bytes of a command line that were no UTF-8, and halves of pairs."""
    try:
        data = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = text.encode("utf-8", "replace")
    return data.decode("utf-8", "replace").strip()
