"""A workspace as an object: what a program that imports hippo works with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from hippocampus_cli.api.anchors import Anchoring, EmbeddingNotes
from hippocampus_cli.api.arguments import Question, Raw
from hippocampus_cli.api.entries import Curating, Surveying
from hippocampus_cli.api.maintenance import Maintaining
from hippocampus_cli.api.opened import embedder_opener, present
from hippocampus_cli.api.query import Inquirer
from hippocampus_cli.api.turns import arguments_checked, in_turn
from hippocampus_cli.config import CONFIG_PATH, LARGEST, Config, load
from hippocampus_cli.query.request import Request
from hippocampus_cli.query.results import QueryResult

if TYPE_CHECKING:  # a query needs none of these
    from hippocampus_cli.maintenance.run_bootstrap import BootstrapReport


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
    return Workspace(root, config, opener=embedder_opener(environ or {}, root, config))


def _settings_text(root: Path) -> str | None:
    from hippocampus_cli.workspace.read import read_file

    if not os.path.lexists(root / CONFIG_PATH):
        return None
    return read_file(root, CONFIG_PATH, LARGEST).decode("utf-8", "surrogateescape")


@in_turn
class Workspace(Curating, Surveying, Maintaining, Anchoring, EmbeddingNotes):
    """An agent's folder of notes and its index. Use as a context manager, or ``close`` when done.

    Every call sees the notes and the index as they are on disk at that moment. An argument of the wrong kind raises
    :class:`UsageError`, which names it and what is wanted, before anything is changed; too many or unknown ones
    raise :class:`TypeError`, as of any function.

    Threads: any number may use one object. Calls take turns, and one may call others (from a ``progress``, say):
    ``with workspace.lock:`` makes several calls one turn. To work at the same time, open one object a thread or
    process; all may be on the same folder. ``library``, ``store`` and ``anchors`` are the parts it is made of: what
    is done with them directly needs ``lock``.

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
        """Draw up the index from the notes, or add to it what is new (INDEX §5.3, appendix B).

        What is there already stays byte for byte. ``dry_run`` writes nothing; ``progress`` is told how many
        of how many notes are read. Raises :class:`FileUnreadable`, :class:`FileUnwritable`.
        """
        from hippocampus_cli.maintenance.run_bootstrap import bootstrap

        moment = now or datetime.now().astimezone()
        return bootstrap(
            self.root, self.config, moment, dry_run=dry_run, progress=progress, timer=perf_counter
        )

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
        now: datetime | None = None,
    ) -> QueryResult:
        """Ask the workspace (INDEX §6).

        ``mode`` is ``index``, ``search`` or ``hybrid``; ``tokens`` bounds the texts of all results together. ``tags``
        and ``priorities`` keep places that such entries point at, ``kinds`` and ``paths`` (patterns as in
        ``.gitignore``) certain files, ``since`` and ``until`` files of certain days, which those without a date
        never are. With ``write`` what was used is written back; a read-only workspace is served all the same,
        with a notice.

        Raises :class:`UsageError` for an empty query, limits that are no whole numbers from 1 up and conditions
        on days that there are not, :class:`IndexNotFound` (not in mode ``search``).
        """
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
        return self._inquirer.ask(request, write, now or present())

    @property
    def _inquirer(self) -> Inquirer:
        if self._asks is None:
            self._asks = Inquirer(
                self.root, self.config, self.store, self._opened_library(), lambda: self.anchors
            )
        return self._asks


def _clean(text: str) -> str:
    """``text`` without what is no character: bytes of a command line that were no UTF-8, and halves of pairs."""
    try:
        data = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = text.encode("utf-8", "replace")
    return data.decode("utf-8", "replace").strip()
