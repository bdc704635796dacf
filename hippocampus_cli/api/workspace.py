"""A workspace as an object: what a program that imports hippo works with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING

from hippocampus_cli.api.inquirer import Inquirer
from hippocampus_cli.config import CONFIG_PATH, Config, load
from hippocampus_cli.index.document import Document
from hippocampus_cli.retrieval.asking import Request
from hippocampus_cli.retrieval.results import QueryResult
from hippocampus_cli.search.library import Library
from hippocampus_cli.workspace.store import IndexStore

if TYPE_CHECKING:  # a query needs none of these
    from hippocampus_cli.curation.adding import Added
    from hippocampus_cli.curation.adopting import Adopted
    from hippocampus_cli.curation.checking import Checked
    from hippocampus_cli.curation.curator import Curator
    from hippocampus_cli.curation.forecasting import Forecast
    from hippocampus_cli.curation.pinning import Pinned
    from hippocampus_cli.curation.remembering import Remembered
    from hippocampus_cli.curation.showing import Shown
    from hippocampus_cli.curation.state import EntryState
    from hippocampus_cli.curation.tagging import Tagged
    from hippocampus_cli.curation.taking_stock import Stock
    from hippocampus_cli.maintenance.run_bootstrap import BootstrapReport


def open_workspace(
    path: str | Path | None = None,
    *,
    config: Config | None = None,
    environ: Mapping[str, str] | None = None,
) -> Workspace:
    """The workspace at ``path``; without one, the nearest from the current folder upwards.

    ``config`` replaces the settings of ``.hippocampus/config.toml``; ``environ`` (for example
    ``os.environ``) lets ``HIPPO_*`` variables speak too. Raises :class:`WorkspaceNotFound`,
    :class:`ConfigInvalid`.
    """
    from hippocampus_cli.workspace.root import find_workspace

    explicit = None if path is None else Path(path).expanduser()
    root = find_workspace(Path.cwd(), explicit, None)
    if config is None:
        file = root / CONFIG_PATH
        text = file.read_bytes().decode("utf-8", "surrogateescape") if file.is_file() else None
        config = load(text, environ or {})
    return Workspace(root, config)


class Workspace:
    """An agent's folder of notes and its index. Use as a context manager, or ``close`` when done.

    Every call sees the notes and the index as they are on disk at that moment.
    """

    def __init__(
        self, root: Path, config: Config, progress: Callable[[int, int], None] | None = None
    ) -> None:
        """``progress`` is told how many of how many notes are read, where many are new."""
        self.root = root
        self._progress = progress
        self.config = config
        self.store = IndexStore(root, config.lock.timeout_seconds)
        self._library: Library | None = None
        self._asks: Inquirer | None = None

    def __enter__(self) -> Workspace:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the cache."""
        if self._library is not None:
            self._library.close()
            self._library = self._asks = None

    @property
    def library(self) -> Library:
        """The notes, as of the last refresh."""
        if self._library is None:
            self._library = Library(self.root, self.config, self._progress)
        return self._library

    def document(self) -> Document:
        """The index as it is now. Raises :class:`IndexNotFound`, :class:`FileUnreadable`."""
        return self.store.read()

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
        text: str,
        *,
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
        now: datetime | None = None,
    ) -> QueryResult:
        """Ask the workspace (INDEX §6).

        ``mode`` is ``index``, ``search`` or ``hybrid``; ``tokens`` bounds all returned text. ``tags`` and
        ``priorities`` keep places that such entries point at, ``kinds`` and ``paths`` (patterns as in
        ``.gitignore``) certain files, ``since`` and ``until`` files of certain days. With ``write`` what was
        used is written back; a read-only workspace is served all the same, with a notice.

        Raises :class:`UsageError` for an empty query, :class:`IndexNotFound` (not in mode ``search``).
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
        return self._inquirer.ask(request, write, now or _present())

    def entries(
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
        now: datetime | None = None,
    ) -> list[EntryState]:
        """The entries of the index with their strength now, filtered as :meth:`query` filters.

        ``sort`` is ``strength``, ``hits``, ``age`` (the newest first), ``topic`` or ``file``. Raises
        :class:`UsageError` for another, :class:`IndexNotFound`.
        """
        from hippocampus_cli.curation.listing import Which

        which = Which(
            tags=frozenset(tag.casefold() for tag in tags),
            priorities=frozenset(priorities),
            bands=frozenset(bands),
            kinds=frozenset(kinds),
            paths=tuple(paths),
            since=since,
            until=until,
        )
        return self._curator(now).entries(which, sort=sort, reverse=reverse)

    def show(self, key: str, *, now: datetime | None = None) -> Shown:
        """One entry, and what its pointers and relations lead to. Raises :class:`EntryNotFound`."""
        return self._curator(now).show(key)

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
        now: datetime | None = None,
    ) -> Added:
        """Write an entry by hand (``src=manual``). ``to`` are pointers such as ``"TOOLS.md §Deploy"``.

        ``section`` is a path such as ``"By Topic/People"``. ``force`` allows pointers and relations that lead
        nowhere yet, but none that leads outside. Raises :class:`IndexNotFound`, :class:`EntryExists`,
        :class:`PointerBroken`, :class:`OutsideWorkspace`, :class:`EntryNotFound` for an unknown relation,
        :class:`UsageError`.
        """
        from hippocampus_cli.curation.adding import Wish

        wish = Wish(
            *(topic, tuple(to), summary, tuple(tags), tuple(rel), pri, id, section, force),
        )
        return self._curator(now).add(wish)

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
        from hippocampus_cli.curation.memorising import remember

        return remember(self._curator(now), text, title=title, tags=tuple(tags), pri=pri)

    def pin(self, *keys: str) -> list[Pinned]:
        """Keep entries from decaying (``pri=amygdala``). Raises :class:`EntryNotFound`; then none is pinned."""
        return self._curator().pin(keys)

    def unpin(self, *keys: str) -> list[Pinned]:
        """Give entries normal priority again. Raises :class:`EntryNotFound`; then none is changed."""
        return self._curator().unpin(keys)

    def tag(self, key: str, *, add: Iterable[str] = (), remove: Iterable[str] = ()) -> Tagged:
        """Add and remove tags of an entry. Raises :class:`EntryNotFound`, :class:`UsageError`."""
        return self._curator().tag(key, tuple(add), tuple(remove))

    def adopt(self, *, dry_run: bool = False, now: datetime | None = None) -> list[Adopted]:
        """Give every bare bullet of the index metadata in place (decision D6)."""
        return self._curator(now).adopt(dry_run=dry_run)

    def check(self, *, now: datetime | None = None) -> Checked:
        """Every diagnostic of the index, pointers included. Nothing is changed."""
        return self._curator(now).check()

    def forecast(
        self, *keys: str, days: int = 90, steps: int = 30, now: datetime | None = None
    ) -> Forecast:
        """Which entries fall below which bound within ``days`` days if nobody asks for them (INDEX §7).

        With ids, only for these entries, and with the curve of each at ``steps`` evenly spaced steps. Raises
        :class:`EntryNotFound`, :class:`IndexNotFound`, :class:`UsageError`.
        """
        return self._curator(now).forecast(keys, days, steps)

    def status(self, *, now: datetime | None = None) -> Stock:
        """Counts of the index and of the notes, and what is due."""
        return self._curator(now).status()

    @property
    def _inquirer(self) -> Inquirer:
        if self._asks is None:
            self._asks = Inquirer(self.root, self.config, self.store, self.library)
        return self._asks

    def _curator(self, now: datetime | None = None) -> Curator:
        from hippocampus_cli.curation.curator import Curator

        return Curator(self.root, self.config, self.store, now or _present())


def _present() -> datetime:
    return datetime.now().astimezone()


def _clean(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").strip()
