"""The public API: a workspace as an object.

>>> from hippocampus_cli import open_workspace
>>> ws = open_workspace("~/agent")
>>> for result in ws.query("deploy command", write=False).results:
...     print(result.path, result.start_line, result.text)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from pathlib import Path
from types import TracebackType

from hippocampus_cli.config import CONFIG_PATH, Config, load
from hippocampus_cli.errors import FileUnwritable, HippoError, UsageError
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.draft import Draft
from hippocampus_cli.index.fields import Source, slug
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.retrieval.asking import Answer, Asking, Request
from hippocampus_cli.retrieval.fusing import Candidate
from hippocampus_cli.retrieval.matching import IndexWords
from hippocampus_cli.retrieval.results import QueryResult, Written
from hippocampus_cli.search.library import Library
from hippocampus_cli.workspace.sections import pointer_name
from hippocampus_cli.workspace.store import IndexStore

MODES = ("index", "search", "hybrid")


def open_workspace(
    path: str | Path = ".",
    *,
    config: Config | None = None,
    environ: Mapping[str, str] | None = None,
) -> Workspace:
    """The workspace that ``path`` is in: a folder, or one below it (see ``workspace.root``).

    ``config`` replaces the settings of ``.hippocampus/config.toml``; ``environ`` (for example
    ``os.environ``) lets ``HIPPO_*`` variables speak too. Raises :class:`WorkspaceNotFound`,
    :class:`ConfigInvalid`.
    """
    from hippocampus_cli.workspace.root import find_workspace

    start = Path(path).expanduser()
    root = find_workspace(start, start if start.is_dir() else None, None)
    if config is None:
        file = root / CONFIG_PATH
        text = file.read_bytes().decode("utf-8", "surrogateescape") if file.is_file() else None
        config = load(text, environ or {})
    return Workspace(root, config)


class Workspace:
    """An agent's folder of notes and its index. Use as a context manager, or ``close`` when done.

    Every call sees the notes and the index as they are on disk at that moment.
    """

    def __init__(self, root: Path, config: Config) -> None:
        self.root = root
        self.config = config
        self.store = IndexStore(root, config.lock.timeout_seconds)
        self._library: Library | None = None
        self._words = IndexWords(parse(""))

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
            self._library = None

    @property
    def library(self) -> Library:
        """The notes, as of the last refresh."""
        if self._library is None:
            self._library = Library(self.root, self.config)
        return self._library

    def document(self) -> Document:
        """The index as it is now. Raises :class:`IndexNotFound`, :class:`FileUnreadable`."""
        return self._index_words(self.store.read()).document

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
        return self._ask(request, write, now or datetime.now().astimezone())

    def _ask(self, request: Request, write: bool, now: datetime) -> QueryResult:
        started = time.perf_counter()
        _check(request)
        asking = self._asking(request, now)
        answer = asking.ask(request)
        written, notices = self._write_back(answer, asking, now) if write else ([], [])
        return QueryResult(
            query=request.text,
            mode=request.mode,
            route=answer.route,
            results=tuple(answer.results),
            suppressed=tuple(answer.suppressed),
            written=tuple(written),
            tokens=sum(result.tokens for result in answer.results),
            full_scan_tokens=self.library.tokens,
            elapsed_ms=round((time.perf_counter() - started) * 1000, 2),
            corrections=answer.found.corrections,
            notices=tuple(notices),
            nearest=() if answer.results else asking.nearest(request.text),
        )

    def _asking(self, request: Request, now: datetime) -> Asking:
        from hippocampus_cli.retrieval.write_back import clock_for

        missing_ok = request.mode == "search"
        document = parse("") if missing_ok and not self.store.exists() else self.store.read()
        self.library.refresh()
        words = self._index_words(document)
        return Asking(self.library, words, clock_for(words.document, now, self.config))

    def _index_words(self, document: Document) -> IndexWords:
        """The words of the index, kept from call to call while the file stays the same."""
        if self._words.document.text != document.text:
            self._words = IndexWords(document)
        return self._words

    def _write_back(
        self, answer: Answer, asking: Asking, now: datetime
    ) -> tuple[list[Written], list[str]]:
        from hippocampus_cli.retrieval import write_back
        from hippocampus_cli.workspace.journal import record

        written: list[Written] = []
        notices: list[str] = []
        if self.store.exists():
            used = write_back.uses(answer, asking.places, self.config, self._draft(now))

            def change(document: Document) -> Document:
                clock = write_back.clock_for(document, now, self.config)
                document, written[:] = write_back.apply(document, used, clock)
                return document

            try:
                if used:
                    self.store.change(change)
            except FileUnwritable as error:
                written.clear()
                notices.append(f"not written back: {error.facts.get('reason', error.message)}")
            except HippoError as error:
                written.clear()
                notices.append(f"not written back: {error.message}")
        record(
            self.root,
            now,
            {
                "query": answer.query.text[:500],
                "route": answer.route,
                "results": [[one.path, one.section, one.entry] for one in answer.results],
                "used": [one.entry for one in written if one.change != "tagged"],
            },
        )
        return written, notices

    def _draft(self, now: datetime) -> Callable[[Candidate], Draft | None]:
        """Drafts an entry for a section that search found and the index did not (decision D15)."""

        def draft(one: Candidate) -> Draft | None:
            pointer = Pointer(
                one.path, pointer_name(self.library.note(one.path).sections, one.section)
            )
            topic = one.section.title or one.path
            today = now.date()
            return Draft(
                slug(topic),
                topic,
                "",
                (pointer,),
                today,
                today,
                1.0,
                1.0,
                hits=1,
                src=Source.RETRIEVAL,
            )

        return draft


def _clean(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").strip()


def _check(request: Request) -> None:
    if not request.text:
        raise UsageError(
            reason="the query is empty", advice='ask for something: hippo query "deploy command"'
        )
    if request.mode not in MODES:
        raise UsageError(
            reason=f"unknown mode {request.mode!r}", advice=f"use one of {', '.join(MODES)}"
        )
    if request.limit < 1 or request.tokens < 1:
        raise UsageError(
            reason="limit and tokens must be 1 or more", advice="leave them out for the defaults"
        )


__all__ = ["Config", "QueryResult", "Workspace", "open_workspace"]
