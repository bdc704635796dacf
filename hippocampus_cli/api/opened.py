"""A workspace as it is opened: its folder, its settings, and the parts of it, each opened when it is first needed."""

from __future__ import annotations

import contextlib
import os
import sys
from _thread import RLock
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from hippocampus_cli.config import Config
from hippocampus_cli.errors import HippoError

if TYPE_CHECKING:  # a command opens only what it needs
    from hippocampus_cli.anchors.dense import Vectoriser
    from hippocampus_cli.anchors.store import AnchorStore
    from hippocampus_cli.api.query import Inquirer
    from hippocampus_cli.config.settings import Embedding
    from hippocampus_cli.embedding.embedder import Embedder, Opener
    from hippocampus_cli.index.hierarchy import Hierarchy
    from hippocampus_cli.search.library import Library
    from hippocampus_cli.workspace.store import IndexStore


class Opened:
    """What all that a :class:`Workspace` can do is built on."""

    embedder: Embedder | None = None
    """Compares anchors by meaning, instead of the embedder of the settings, where it is set before the first call."""

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
        self.lock = RLock()
        self.root = root
        self.config = config
        self._environ = os.environ if environ is None else environ
        self._progress = progress
        self._given_opener = opener
        self._opener = _shared(opener, config)
        self._store: IndexStore | None = None
        self._library: Library | None = None
        self._anchors: AnchorStore | None = None
        self._asks: Inquirer | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):  # it may never have been opened, or Python is ending
            self._close()

    def close(self) -> None:
        """Let go of the caches, once the calls of other threads are done. A later call opens what it needs again."""
        self._close()

    @property
    def store(self) -> IndexStore:
        """The index on disk."""
        return self._index_store()

    @property
    def library(self) -> Library:
        """The notes, as of the last refresh."""
        return self._notes()

    def index(self) -> Hierarchy:
        """The index as it is now, all its files. Raises :class:`IndexNotFound`, :class:`FileUnreadable`."""
        return self._index_store().read()

    def path_of(self, file: str | Path) -> str | None:
        """The path of a file from the workspace's folder; one given relatively is meant from the current folder.

        ``None`` for what is outside, or can be no path.
        """
        from hippocampus_cli.workspace.paths import is_possible, relative_to_root

        absolute = str(Path(file).absolute())
        return relative_to_root(str(self.root), absolute) if is_possible(str(file)) else None

    def _close(self) -> None:
        with self.lock:
            library, anchors = self._library, self._anchors
            self._library = self._anchors = self._asks = None
            for part in (library, anchors):
                if part is not None:
                    part.close()

    def _begin_anew(self) -> None:
        """In a child process, after a fork: leave the parent's files alone, and open them again when needed."""
        LEFT.append((self._library, self._asks, self._anchors))
        self.lock = RLock()
        self._opener = _shared(self._given_opener, self.config)
        self._library = self._anchors = self._asks = None

    def _index_store(self) -> IndexStore:
        if self._store is None:
            from hippocampus_cli.workspace.store import IndexStore

            limits = self.config.lock.timeout_seconds, self.config.upkeep.loss_limit
            self._store = IndexStore(self.root, *limits)
        return self._store

    def _notes(self) -> Library:
        if self._library is None:
            from hippocampus_cli.search.library import Library

            self._library = Library(self.root, self.config, self._progress, self._opener)
        return self._library

    def _anchor_store(self) -> AnchorStore:
        if self._anchors is None:
            from hippocampus_cli.anchors.store import AnchorStore
            from hippocampus_cli.errors import HippoError

            try:
                vectoriser = self._vectoriser()
            except HippoError:
                vectoriser = None  # only anchors that were built with it need it
            self._anchors = AnchorStore(self.root, self.config, vectoriser)
        return self._anchors

    def _vectoriser(self) -> Vectoriser | None:
        """What compares anchors by meaning, if anything does. Raises what opening the embedder raises."""
        if self.embedder is None:
            from hippocampus_cli.anchors.store import vectoriser_for

            return vectoriser_for(self.root, self.config.embedding, self._opener)
        from hippocampus_cli.anchors.dense import Vectoriser

        return Vectoriser.of(self.embedder, self.config.embedding.question_seconds)


LEFT: list[object] = []
"""In a child process, what the parent opened: to collect it would be to close it."""


def embedder_opener(
    environ: Mapping[str, str], root: Path | None = None, config: Config | None = None
) -> Opener:
    """What opens the embedder and the index that settings name; keys and folders are those of ``environ``.

    Where the settings file of the workspace at ``root`` names the server in ``config``, the user must have allowed
    it.
    """
    return _Opener(environ, root, config)


class _Opener:
    def __init__(
        self, environ: Mapping[str, str], root: Path | None, config: Config | None
    ) -> None:
        self._environ = environ
        # a program or the user's environment that names the server needs no consent
        self._root = root if config is not None and _is_named_by_file(config) else None

    def __call__(self, settings: Embedding, /) -> Embedder | None:
        from hippocampus_cli.embedding.models.places import models_folder
        from hippocampus_cli.embedding.open import open_embedder

        models = models_folder(self._environ, sys.platform, Path("~").expanduser())
        allows = None if self._root is None else self._is_allowed
        return open_embedder(settings, models, self._environ, allows=allows)

    def _is_allowed(self, settings: Embedding) -> bool:
        from hippocampus_cli.embedding.consent import is_allowed

        return self._root is None or is_allowed(user_folder(self._environ), self._root, settings)


def _is_named_by_file(config: Config) -> bool:
    """Whether the workspace's own file says which server is asked: by its address, else by the embedder."""
    origins = config.origins
    named = origins.get("embedding.url") or origins.get("embedding.embedder", "")
    return named.startswith("config.toml:")


def user_folder(environ: Mapping[str, str]) -> Path:
    """Where it is kept what the user allowed."""
    from hippocampus_cli.workspace.user_folders import config_folder

    return config_folder(environ, sys.platform, Path("~").expanduser())


def _shared(opener: Opener | None, config: Config) -> Opener | None:
    """``opener``, but what it opens is one for search and anchors: a question is asked once."""
    if opener is None or config.embedding.embedder == "none":
        return opener
    from hippocampus_cli.embedding.shared import OpenedOnce

    return OpenedOnce(opener)


def present() -> datetime:
    """The present moment in the local time zone."""
    return datetime.now().astimezone()


def without_beliefs(error: HippoError) -> str:
    """The notice that ``error`` prevented reading the beliefs; what was asked for is given without them."""
    return f"beliefs are left out: {error.where}: {error.facts.get('reason', error.message)}"
